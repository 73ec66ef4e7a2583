import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EMPTY } from "../../src/deploy/in-place/manifest.ts";
import { type Stored, startS3 } from "../docs/s3-stand-in.ts";
import type { CliBed } from "../support/cli-bed.ts";
import { credentialsEnv } from "../support/deploy/aws-stand-in.ts";
import { publishedBed } from "./published-bed.ts";

/** A published folder, and a target that nothing must ask: nobody is at its address. */
function bedOfPublished(title = "Home") {
  const { bed } = publishedBed(title);
  bed.env = { SVC_DEPLOY_TARGET: "s3://bucket", SVC_DEPLOY_ENDPOINT: "http://127.0.0.1:1" };
  return bed;
}

it("L3a, L3c: a deploy that holds says so, and svc deploy list shows what is held in place", async () => {
  const bed = bedOfPublished();
  const env = credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" });
  bed.env = { ...bed.env, ...env, SVC_DEPLOY_ENDPOINT: await startS3() };
  expect((await bed.runBeside("deploy", "list")).stdout).toContain("has nothing live in place");
  const hold = ["deploy", "--hold", "--reason", "the prices are wrong"];
  expect((await bed.runBeside(...hold, "--dry-run")).stderr).toContain("it would be held");
  expect((await bed.runBeside(...hold)).stderr).toContain("svc deploy resume");
  const other = await bed.runBeside("deploy", "resume", "--workspace", "other");
  expect(other.stdout).toContain('nothing of "other" is held');
  const { stdout } = await bed.runBeside("deploy", "list");
  expect(stdout).toMatch(
    /\/[0-9a-f]{32} {2}live in place\n".+" is held since .*: the prices are wrong\n$/,
  );
});

it("L3b: a hint that names svc deploy with an option has the target and the endpoint", async () => {
  const bed = bedOfPublished();
  const deploy = { id: "1", host: "ci", pid: 1, since: "2026-01-01T00:00:00Z", touches: {} };
  const bytes = Buffer.from(JSON.stringify({ ...EMPTY, deploy }));
  const objects = new Map([[".svc-deploy.json", { bytes, sha256: "", at: new Date() }]]);
  const endpoint = await startS3({ objects });
  const env = credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" });
  bed.env = { ...bed.env, ...env, SVC_DEPLOY_ENDPOINT: endpoint };
  const { error } = JSON.parse((await bed.runBeside("deploy", "--json")).stdout);
  expect(error.code).toBe("deploy-running");
  expect(error.hint).toContain(`svc deploy --force s3://bucket --endpoint ${endpoint}`);
});

it("L2a, L3: releases with their pointers in the bucket are deployed, rolled back, listed, resumed and pruned", async () => {
  const [earlier, bed] = [bedOfPublished(), bedOfPublished("Home 2")];
  const objects = new Map<string, Stored>();
  const env = credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" });
  const SVC_DEPLOY_ENDPOINT = await startS3({ objects });
  const json = async (of: CliBed, ...args: string[]) => {
    of.env = { ...of.env, ...env, SVC_DEPLOY_ENDPOINT, SVC_DEPLOY_KVS: "bucket" };
    return JSON.parse((await of.runBeside("deploy", ...args, "--json")).stdout);
  };
  bed.env = { ...bed.env, ...env, SVC_DEPLOY_ENDPOINT, SVC_DEPLOY_KVS: "bucket" };
  const { stdout } = await bed.runBeside("deploy", "prune", "--dry-run");
  expect(stdout).toBe("s3://bucket has no release\n");
  const [{ release: first }] = (await json(earlier)).workspaces;
  const [{ release: second }] = (await json(bed)).workspaces;
  const live = () => JSON.parse(String(objects.get(".svc-pointers.json")?.bytes)).values["p:site"];
  expect([first === second, live()]).toEqual([false, second]);
  expect(await json(bed, "rollback")).toMatchObject({ release: first });
  expect(live()).toBe(first);
  expect(await json(bed)).toMatchObject({ error: { code: "held" } });
  expect((await json(bed, "list")).releases).toHaveLength(2);
  expect((await json(bed, "resume")).ended).toHaveLength(1);
  expect((await json(bed, "prune")).removed).toBe(0);
  const diff = await bed.runBeside("diff", "s3://bucket", bed.path("out"), "--json");
  expect(JSON.parse(diff.stdout).from).toBe(/[0-9a-f]{32}/.exec(first)?.[0]);
});

it("L15: svc deploy --preview shows a release to a token, says where, and lists it; --drop ends it", async () => {
  const [earlier, bed] = [bedOfPublished(), bedOfPublished("Home 2")];
  const objects = new Map<string, Stored>();
  const env = credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" });
  const SVC_DEPLOY_ENDPOINT = await startS3({ objects });
  for (const one of [earlier, bed]) {
    one.env = { ...one.env, ...env, SVC_DEPLOY_ENDPOINT, SVC_DEPLOY_KVS: "bucket" };
  }
  const json = async (...args: string[]) =>
    JSON.parse((await bed.runBeside("deploy", ...args, "--json")).stdout);
  await earlier.runBeside("deploy");
  const [live] = (await json("list")).releases;
  const dry = await json("--preview", "pr-41", "--dry-run");
  expect([dry.preview.name, dry.preview.token]).toEqual(["pr-41", undefined]);
  expect(dry.plan.at(-1).what).toBe("preview pr-41");
  const { preview, workspaces } = await json("--preview", "pr-41", "--expires", "2d");
  expect(Date.parse(preview.expiresAt) - Date.now()).toBeLessThanOrEqual(2 * 86_400_000);
  expect(preview.token).toMatch(/^svc_/);
  expect(String(objects.get(".svc-pointers.json")?.bytes)).not.toContain(preview.token);
  const { releases, previews } = await json("list");
  const { release } = workspaces[0];
  expect(previews).toEqual([{ name: "pr-41", release, expiresAt: preview.expiresAt }]);
  expect(releases).toContainEqual(live);
  expect((await bed.runBeside("deploy", "list")).stdout).toContain(`preview pr-41 until`);
  expect((await json("list", "--workspace", "other")).previews).toEqual([]);
  const { stdout } = await bed.runBeside("deploy", "--preview", "pr-41");
  expect(stdout).toMatch(/not made live\npreview pr-41 until .+: token svc_/);
  const nowhere = ["--url", "http://127.0.0.1:1/api/v1", "--wait", "1"];
  const late = await bed.runBeside("deploy", "--preview", "pr-41", ...nowhere);
  expect(late.stdout).toMatch(/^preview pr-41 .+ token svc_/);
  expect(late.stderr).toMatch(/\nerror: after \d seconds/);
  expect(late.stderr).not.toContain("svc_");
  expect(await json("--preview", "pr-41", ...nowhere)).toMatchObject({
    error: { code: "not-live-yet" },
  });
  expect(await json("--preview", "pr-41", "--drop")).toEqual({ preview: "pr-41", dropped: true });
  expect((await json("list")).previews).toEqual([]);
  // What was shown is deployed: all of it is there.
  expect((await json()).workspaces[0].objects.uploaded).toBe(0);
});

describe("svc deploy, before any request", () => {
  it("refuses a folder that does not pass svc verify, and names the files", () => {
    const bed = bedOfPublished();
    writeFileSync(bed.path("out", "404.json"), "{}");
    expect(bed.json(1, "deploy").error).toMatchObject({ code: "out-differs" });
    const { status, stdout, stderr } = bed.run("deploy");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error +404\.json +changed +[^\n]+\nerror: [^\n]+\nhint: [^\n]+\n$/);
  });

  it.each([
    [["lst"], "lst"],
    [["rollbak", "s3://bucket"], "rollbak"],
  ])("names its commands for a misspelt one: %j", (args, word) => {
    expect(bedOfPublished().failure(2, "deploy", ...args)).toEqual([
      `error: "${word}" is neither a deploy target nor a command of svc deploy`,
      expect.stringMatching(/s3:\/\/bucket.* list, rollback, resume, pin, unpin, prune$/),
    ]);
  });

  it.each([
    [["s3://bucket", "s3://other"]],
    [["--dry-run", "list"]],
    [["--max-deletes", "3", "list"]],
    [["rollback", "--kvs", "store"]],
    [["rollback", ""]],
    [["--overwrite", "--kvs", "arn:aws:cloudfront::123456789012:key-value-store/x"]],
    [["--drop"]],
    [["--kvs", "bucket", "--expires", "7d"]],
    [["--preview", "pr-41"]],
    [["--preview", "pr 41", "--kvs", "bucket"]],
    [["--preview", "pr-41", "--kvs", "bucket", "--hold"]],
    [["--preview", "pr-41", "--kvs", "bucket", "--expires", "never"]],
    [["--preview", "pr-41", "--kvs", "bucket", "--drop", "--dry-run"]],
  ])("refuses %j as a usage error", (args) => {
    expect(bedOfPublished().json(2, "deploy", ...args).error.code).toBe("usage");
  });
});
