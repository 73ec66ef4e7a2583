import { cpSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { resumeInPlace, resumeReleases } from "../../src/deploy/holds.ts";
import { EMPTY } from "../../src/deploy/in-place/manifest.ts";
import { publishedBed } from "../cli/published-bed.ts";
import { MANIFEST, MemoryInPlaceBed } from "../deploy/in-place/memory-in-place-bed.ts";
import { siteTexts } from "../deploy/published-texts.ts";
import { CONTENT, MemoryReleaseBed } from "../deploy/releases/memory-release-bed.ts";
import { startS3 } from "../docs/s3-stand-in.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { credentialsEnv } from "../support/deploy/aws-stand-in.ts";
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
    expect(hint).toContain("svc resume ends the hold");
    const [, ofStore] = bed.failure(4, "publish", "--store", "./workspace.db", "--workspace", "w");
    expect(ofStore).toContain("svc resume --store ./workspace.db --workspace w ends the hold");
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

describe("L3a: what svc deploy rollback made live", () => {
  const ANNA = { by: "anna", reason: REASON };
  const BAD = { w: siteTexts({ [CONTENT]: "bad" }) };

  async function rolledBack() {
    const bed = new MemoryReleaseBed();
    for (const texts of [{ w: siteTexts() }, BAD]) await bed.deploy(texts);
    await bed.rollBack(ANNA);
    return bed;
  }

  it("is held, also at a further rollback and a deploy that holds, with who, why and the way out", async () => {
    const bed = await rolledBack();
    const other = { by: "bert", reason: undefined };
    const again = [() => bed.rollBack(other), () => bed.deploy(BAD, bed.work, other)];
    for (const act of [() => {}, ...again]) {
      await act();
      await expect(bed.deploy({ w: siteTexts({ [CONTENT]: "other" }) })).rejects.toMatchObject({
        code: "held",
        message: expect.stringMatching(/^"w" is held .*, by (?:anna|bert): the prices are wrong/),
        hint: expect.stringContaining("svc deploy resume --workspace w ends the hold"),
      });
    }
    expect(await resumeReleases(bed.kvs, "other")).toEqual({});
    expect(Object.keys(await resumeReleases(bed.kvs))).toEqual(["w"]);
  });

  it("is held when the record of the hold is damaged", async () => {
    const bed = await rolledBack();
    for (const text of ["", "{", "[]", '{"at":1,"by":{},"reason":[]}']) {
      bed.kvs.write("h:w", text);
      await expect(bed.deploy(BAD)).rejects.toMatchObject({
        message: '"w" is held since an unknown time, by somebody: no reason was given',
      });
    }
  });
});

it("L3a, L6b: in place, a resume where a deploy was killed says the way out", async () => {
  const bed = new MemoryInPlaceBed();
  const deploy = { id: "1", host: "ci", pid: 1, since: "2026-01-01T00:00:00Z", touches: {} };
  bed.bucket.put(MANIFEST, JSON.stringify({ ...EMPTY, deploy }));
  await expect(resumeInPlace(bed.bucket.open())).rejects.toMatchObject({
    code: "deploy-running",
    hint: expect.stringContaining("is taken over after ten minutes"),
  });
});

it("L3a, L3b: in place, svc deploy --hold holds what it deploys until svc deploy resume", async () => {
  const bed = new CliBed();
  cpSync(STARTER, bed.path("content"), { recursive: true });
  const endpoint = await startS3();
  bed.env = {
    ...credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" }),
    SVC_DEPLOY_ENDPOINT: endpoint,
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
  // L3b: it works where the environment does not say the endpoint, and only for what is held.
  const resume = `svc deploy resume s3://bucket --endpoint ${endpoint} --workspace starter ends`;
  expect((await deploy()).error.hint).toContain(resume);
  expect(await deploy("--dry-run")).toMatchObject({ status: 4, dryRun: true });
  expect((await ran("deploy", "resume", "s3://bucket")).ended).toMatchObject([
    { workspaceId: "starter", by: ME, reason: REASON },
  ]);
  expect((await ran("deploy", "resume", "s3://bucket")).ended).toEqual([]);
  expect(await deploy()).toMatchObject({ status: 0 });
});
