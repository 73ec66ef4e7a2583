import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";

const DAY = 86_400_000;

function lifetime({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }): number {
  return Date.parse(expiresAt) - Date.parse(createdAt);
}

describe("cli.md: svc token", () => {
  it("create prints the token once, alone on stdout, and stores it in no file", () => {
    const bed = new CliBed(STARTER);
    const { stdout, stderr } = bed.ok("token", "create", "--name", "alice");
    expect(stdout).toMatch(/^svc_[A-Za-z0-9_-]{43}\n$/);
    expect(stderr).toMatch(/^token tok_\w+ is valid until .*not be shown again\n$/);
    const token = stdout.trim();
    expect(bed.ok("token", "create", "--quiet").stderr).toBe("");
    for (const args of [[], ["--json"]]) {
      const listed = bed.ok("token", "list", ...args).stdout;
      expect(listed).toContain("alice");
      expect(listed).not.toContain(token);
    }
    expect(Object.values(bytesBelow(bed.folder)).some((bytes) => bytes.includes(token))).toBe(
      false,
    );
  });

  it("create --expires takes a duration, by default seven days, or never", () => {
    const bed = new CliBed(STARTER);
    const usual = bed.json(0, "token", "create");
    expect(usual).toEqual({
      token: expect.any(String),
      id: expect.stringMatching(/^tok_/),
      name: expect.any(String),
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(lifetime(usual)).toBe(7 * DAY);
    expect(lifetime(bed.json(0, "token", "create", "--expires", "90m"))).toBe(DAY / 16);
    expect(lifetime(bed.json(0, "token", "create", "--expires", "12h"))).toBe(DAY / 2);
    expect(lifetime(bed.json(0, "token", "create", "--expires", "4w"))).toBe(28 * DAY);
    expect(bed.json(0, "token", "create", "--expires", "never").expiresAt).toBeNull();
  });

  it("list shows until when each token is valid, and which have expired", () => {
    const bed = new CliBed(STARTER);
    const valid = bed.json(0, "token", "create", "--name", "valid");
    const endless = bed.json(0, "token", "create", "--name", "endless", "--expires", "never");
    const store = openStore(bed.path("workspace.db"));
    const [createdAt, expiresAt] = [new Date(0), new Date(1)];
    const { number } = store.workspace(undefined);
    const { record } = store.tokens.create(number, { name: "old", createdAt, expiresAt });
    store.close();
    expect(bed.ok("token", "list").stdout.split("\n")).toEqual([
      `${record.id}  expired  old`,
      `${valid.id}  until ${valid.expiresAt}  valid`,
      `${endless.id}  never expires  endless`,
      "3 tokens",
      "",
    ]);
  });

  it("revoke removes a token from the list", () => {
    const bed = new CliBed(STARTER);
    const [one, two] = [bed.json(0, "token", "create"), bed.json(0, "token", "create")];
    expect(bed.ok("token", "revoke", one.id).stdout).toBe(`revoked ${one.id}\n`);
    const { token: _, ...record } = two;
    expect(bed.json(0, "token", "list")).toEqual({ tokens: [record] });
    expect(bed.failure(2, "token", "revoke", one.id)[1]).toMatch(/^hint: .*svc token list/);
    const [error, hint] = bed.failure(2, "token", "revoke", two.token);
    expect(`${error} ${hint}`).not.toContain(two.token);
    expect(bed.json(0, "token", "revoke", two.id)).toMatchObject({ revoked: two.id });
    expect(bed.ok("token", "list").stdout).toBe("0 tokens\n");
  });
});
