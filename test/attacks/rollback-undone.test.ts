import { cpSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { deployReleases } from "../../src/cli/commands/deploy.ts";
import { openKeyValueStore } from "../../src/deploy/aws/cloudfront-key-value-store.ts";
import { resumeInPlace, resumeReleases } from "../../src/deploy/holds.ts";
import { makeLive, planRelease, planRollback } from "../../src/deploy/releases/deploy-release.ts";
import { publishedBed } from "../cli/published-bed.ts";
import { MANIFEST, MemoryInPlaceBed, MOVED, SITE } from "../deploy/in-place/memory-in-place-bed.ts";
import { siteTexts, type Workspaces, writtenFolder } from "../deploy/published-texts.ts";
import { CONTENT } from "../deploy/releases/memory-release-bed.ts";
import { startS3 } from "../docs/s3-stand-in.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { credentialsEnv, useEnv } from "../support/deploy/aws-stand-in.ts";
import { startKvs } from "../support/deploy/kvs-stand-in.ts";
import { MemoryBucket } from "../support/deploy/memory-object-store.ts";
import { bytesBelow } from "../support/file-tree.ts";

const REASON = "the prices are wrong";
const ME = `${userInfo().username}@${hostname()}`;

describe("R6a: what svc rollback made current in a store", () => {
  /** A store whose bad version, which the draft still is, was rolled back. */
  function rolledBack() {
    const { bed, versions } = publishedBed("Good", "Bad");
    const [good = ""] = versions;
    const { hold } = bed.json(0, "rollback", good, "--reason", REASON);
    return { bed, good, hold };
  }

  it("stays when a scheduled run publishes again, which is told by whom and why", () => {
    const { bed, good, hold } = rolledBack();
    expect(hold).toEqual({ at: expect.stringMatching(/^2\d{3}-.*Z$/), by: ME, reason: REASON });
    const before = bytesBelow(bed.path("out"));
    const [error, hint] = bed.failure(4, "publish");
    expect(error).toBe(`error: "w" is held since ${hold.at}, by ${ME}: ${REASON}`);
    expect(hint).toContain("svc resume");
    expect(bed.json(4, "publish").error.code).toBe("held");
    expect(bytesBelow(bed.path("out"))).toEqual(before);
    expect(bed.json(0, "versions")).toMatchObject({ current: good, hold });
    expect(bed.ok("versions").stdout).toContain(`\n"w" is held since ${hold.at}, by ${ME}`);
  });

  it("a dry run says that it is held, with the status of the refusal", () => {
    const { bed, hold } = rolledBack();
    expect(bed.json(4, "publish", "--dry-run")).toMatchObject({ wouldPublish: true, hold });
    expect(bed.run("publish", "--dry-run").stdout).toContain(
      `svc publish would be refused: "w" is held since`,
    );
  });

  it("is held with the reason of the rollback before, unless there is another", () => {
    const { bed, good } = rolledBack();
    expect(bed.json(0, "rollback", good).hold.reason).toBe(REASON);
    expect(bed.json(0, "rollback", good, "--reason", "a").hold.reason).toBe("a");
    for (const reason of ["", "a\nb", "x".repeat(201)]) {
      expect(bed.json(2, "rollback", good, "--reason", reason).error.code).toBe("usage");
    }
  });

  it("is held by the user that CI names", () => {
    const { bed, good } = rolledBack();
    bed.env = { GITHUB_ACTOR: "octocat" };
    expect(bed.json(0, "rollback", good).hold.by).toBe("octocat");
    bed.env = { GITLAB_USER_LOGIN: "fox" };
    expect(bed.json(0, "rollback", good).hold.by).toBe("fox");
  });

  it("is published over after svc resume", () => {
    const { bed, hold } = rolledBack();
    expect(bed.json(0, "resume")).toEqual({ workspaceId: "w", ended: hold });
    expect(bed.json(0, "publish").published).toBe(true);
    expect(bed.json(0, "resume")).toEqual({ workspaceId: "w", ended: null });
  });

  it("may be published as it is, which changes nothing", () => {
    const { bed, versions } = publishedBed("Good");
    bed.ok("rollback", versions[0] ?? "");
    expect(bed.json(0, "publish").published).toBe(false);
  });
});

const { signal } = new AbortController();

const work = { concurrency: 4, signal, onProgress: () => {} };

/** A bucket, and a KeyValueStore that the program opens. */
async function heldBed() {
  const kvs = await startKvs();
  useEnv(kvs.env);
  const bucket = new MemoryBucket();
  const objects = bucket.open();
  const places = { objects, pointers: openKeyValueStore(kvs.arn, { signal }) };
  /** Runs what `svc deploy --kvs` runs. */
  const deploy = (workspaces: Workspaces, more: { hold?: true; dryRun?: true } = {}) => {
    const how = { out: "out", wait: 0, kvs: kvs.arn, concurrency: 4, maxDeletes: 100, ...more };
    const context = { objects, manifestStore: objects, work, signal };
    return deployReleases(how, context, writtenFolder(workspaces), Object.keys(workspaces));
  };
  const rollBack = async (reason?: string) => {
    const plan = await planRollback(places, work, {}, { by: "anna", reason });
    await makeLive(plan, places, work);
  };
  return { kvs, bucket, places, deploy, rollBack };
}

describe("L3a: what svc deploy rollback made live", () => {
  const GOOD = { w: siteTexts() };
  const BAD = { w: siteTexts({ [CONTENT]: "bad" }) };

  async function rolledBack() {
    const bed = await heldBed();
    await bed.deploy(GOOD);
    await bed.deploy(BAD);
    await bed.rollBack(REASON);
    return { bed, live: bed.kvs.values.get("p:site") };
  }

  it("stays when a scheduled run deploys again, which uploads nothing and is told by whom and why", async () => {
    const { bed, live } = await rolledBack();
    const uploads = bed.bucket.changes.length;
    const refused = {
      code: "held",
      message: expect.stringMatching(/^"w" is held .*anna: the pri/),
      hint: expect.stringContaining("svc deploy resume --workspace w ends the hold"),
    };
    await expect(bed.deploy(BAD)).rejects.toMatchObject(refused);
    expect([bed.kvs.values.get("p:site"), bed.bucket.changes.length]).toEqual([live, uploads]);
    expect((await bed.deploy(BAD, { dryRun: true })).held).toMatchObject(refused);
    expect((await bed.deploy(GOOD)).held).toBeUndefined();
  });

  it("stays when the rollback comes between the plan of a deploy and its last step", async () => {
    const bed = await heldBed();
    await bed.deploy(GOOD);
    await bed.deploy(BAD);
    const plan = await planRelease(writtenFolder(GOOD), ["w"], bed.places, work);
    await bed.rollBack();
    await bed.rollBack();
    // Live is again what the deploy was planned from, but held.
    await expect(makeLive(plan, bed.places, work)).rejects.toMatchObject({ code: "held" });
  });

  it("is held when the record of the hold is damaged", async () => {
    const { bed } = await rolledBack();
    for (const text of ["", "{", "[]", '{"at":1,"by":{},"reason":[]}']) {
      bed.kvs.write("h:w", text);
      await expect(bed.deploy(BAD)).rejects.toMatchObject({
        message: '"w" is held since an unknown time, by somebody: no reason was given',
      });
    }
  });

  it("keeps its reason at a further rollback, and is deployed over after svc deploy resume, or with --hold", async () => {
    const { bed } = await rolledBack();
    await bed.rollBack();
    await bed.rollBack();
    await bed.deploy(BAD, { hold: true });
    await expect(bed.deploy(GOOD)).rejects.toMatchObject({
      message: expect.stringContaining(REASON),
    });
    expect(await resumeReleases(bed.places.pointers, "other")).toEqual({});
    expect(Object.keys(await resumeReleases(bed.places.pointers))).toEqual(["w"]);
    await bed.deploy(GOOD);
  });
});

it("L3a: in place, what is held where a deploy was killed is resumed as its refusal says", async () => {
  const bed = new MemoryInPlaceBed();
  await bed.deploy(SITE, { hold: true });
  const deploy = { id: "1", host: "ci", pid: 1, since: "2026-01-01T00:00:00Z", touches: {} };
  bed.bucket.put(MANIFEST, JSON.stringify({ ...bed.manifest(), deploy }));
  await expect(resumeInPlace(bed.bucket.open())).rejects.toMatchObject({
    code: "deploy-running",
    hint: expect.stringContaining("svc deploy --force --hold"),
  });
  await expect(bed.deploy(MOVED, { force: true })).rejects.toMatchObject({ code: "held" });
  await bed.deploy(MOVED, { force: true, hold: true });
  expect(Object.keys(await resumeInPlace(bed.bucket.open()))).toEqual(["w"]);
});

it("L3a: in place, svc deploy --hold holds what it deploys until svc deploy resume", async () => {
  const bed = new CliBed();
  cpSync(STARTER, bed.path("content"), { recursive: true });
  bed.env = {
    ...credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" }),
    SVC_DEPLOY_ENDPOINT: await startS3(),
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests access results without types
  const ran = async (...args: string[]): Promise<any> => {
    const { status, stdout } = await bed.runBeside(...args, "--json");
    return { status, ...JSON.parse(stdout) };
  };
  const deploy = (...more: string[]) => ran("deploy", "s3://bucket", ...more);
  bed.ok("publish", "content");
  expect((await deploy("--reason", REASON)).error.code).toBe("usage");
  expect(await deploy("--hold", "--reason", REASON)).toMatchObject({ status: 0 });
  expect(await deploy()).toMatchObject({ status: 0, objects: { uploaded: 0 } });
  bed.ok("migrate", "content", "remove-field", "page", "intro", "--write");
  bed.ok("publish", "content");
  expect(await deploy()).toMatchObject({
    status: 4,
    error: { code: "held", message: expect.stringContaining(`by ${ME}: ${REASON}`) },
  });
  expect(await deploy("--dry-run")).toMatchObject({ status: 4, dryRun: true });
  expect((await ran("deploy", "resume", "s3://bucket")).ended).toMatchObject([
    { workspaceId: "starter", by: ME, reason: REASON },
  ]);
  expect((await ran("deploy", "resume", "s3://bucket")).ended).toEqual([]);
  expect(await deploy()).toMatchObject({ status: 0 });
});
