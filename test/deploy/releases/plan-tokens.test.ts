import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { planTokens } from "../../../src/deploy/releases/pointers.ts";
import { CliBed, STARTER } from "../../support/cli-bed.ts";
import { startKvs } from "../../support/deploy/kvs-stand-in.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const never = { sha256: sha256("a"), expiresAt: undefined };
const until = { sha256: sha256("b"), expiresAt: new Date(1_700_000_000_000) };

const plan = (
  values: Readonly<Record<string, string>>,
  ...tokens: (typeof never | typeof until)[]
) => planTokens({ etag: "1", values: new Map(Object.entries(values)) }, tokens, ["site", "shop"]);

describe("L8: the preview tokens of the edge", () => {
  it("H3: are hashes, one key for each project, with the time of expiry in milliseconds", () => {
    expect(plan({}, never, until)).toEqual([
      { key: `t:${never.sha256}:site`, before: undefined, after: "never" },
      { key: `t:${never.sha256}:shop`, before: undefined, after: "never" },
      { key: `t:${until.sha256}:site`, before: undefined, after: "1700000000000" },
      { key: `t:${until.sha256}:shop`, before: undefined, after: "1700000000000" },
    ]);
  });

  it("are exactly the valid tokens: others of these projects are removed", () => {
    const gone = `t:${sha256("gone")}:site`;
    expect(plan({ [gone]: "never" })).toEqual([{ key: gone, before: "never", after: undefined }]);
  });

  it("do not change other projects and pointers", () => {
    expect(plan({ [`t:${sha256("x")}:other`]: "never", "p:site": "r" })).toEqual([]);
  });

  it("do not change when they are up to date", () => {
    const existing = { [`t:${never.sha256}:site`]: "never", [`t:${never.sha256}:shop`]: "never" };
    expect(plan(existing, never)).toEqual([]);
  });
});

describe("svc cdn tokens", () => {
  it("H3: writes the hashes of valid tokens, and removes revoked ones", async () => {
    const bed = new CliBed(STARTER);
    const kvs = await startKvs();
    bed.env = kvs.env;
    const { token, id } = bed.json(0, "token", "create");
    const run = () => bed.runBeside("cdn", "tokens", "--kvs", kvs.arn, "--json");
    expect(JSON.parse((await run()).stdout)).toMatchObject({ added: 1 });
    const [key = ""] = kvs.values.keys();
    expect(key).toBe(`t:${sha256(token)}:site`);
    expect(Number(kvs.values.get(key))).toBeGreaterThan(Date.now());
    expect(JSON.stringify([...kvs.values])).not.toContain(token);
    expect(JSON.parse((await run()).stdout)).toMatchObject({ added: 0, removed: 0 });
    bed.ok("token", "revoke", id);
    expect(JSON.parse((await run()).stdout)).toMatchObject({ added: 0, removed: 1 });
    expect(kvs.values.size).toBe(0);
  });

  it("L8a: names the tokens that never expire", async () => {
    const bed = new CliBed(STARTER);
    const kvs = await startKvs();
    bed.env = kvs.env;
    bed.ok("token", "create", "--name", "short");
    const { id } = bed.json(0, "token", "create", "--name", "ci", "--expires", "never");
    const { stderr } = await bed.runBeside("cdn", "tokens", "--kvs", kvs.arn);
    expect(stderr).toContain(`warning: 1 token has no end: ${id} (ci); svc token revoke`);
    const { stdout } = await bed.runBeside("cdn", "tokens", "--kvs", kvs.arn, "--json");
    expect(JSON.parse(stdout).withoutEnd).toEqual([{ id, name: "ci" }]);
  });
});
