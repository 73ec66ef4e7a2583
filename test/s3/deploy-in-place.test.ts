import { writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { DeployBed } from "./deploy-bed.ts";
import { type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";

const CONTENT = "api/v1/projects/site/experiences/welcome/content";

let bucket: TestBucket;
let proxy: S3Proxy;
let bed: DeployBed;
beforeEach(async () => {
  bucket = await TestBucket.make();
  proxy = await startProxy(bucket.endpoint);
  bed = new DeployBed({ ...bucket.env, SVC_DEPLOY_ENDPOINT: proxy.endpoint });
});

/** Runs while this process goes on, since it serves the proxy. */
const run = (...args: readonly string[]) => bed.start("deploy", ...args).ended;

async function deployed(...args: readonly string[]) {
  const { status, stdout, stderr } = await run("--json", ...args);
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function refused(...args: readonly string[]) {
  const { status, stdout } = await run("--json", ...args);
  expect(status, stdout).toBe(1);
  return JSON.parse(stdout).error;
}

/** The bucket answers every address with the published bytes, and nothing else. */
async function expectWhole(): Promise<void> {
  const objects = await bucket.objects();
  const expected = bed.expected();
  expect([...objects.keys()].sort()).toEqual([...expected.keys(), "503.json"].sort());
  for (const [key, text] of expected) expect(objects.get(key)?.text, key).toBe(text);
}

const changeHeadline = () => bed.change("entries/home-page.json", "Welcome", "Hello");
/** Gives the experience another id: its content has another address. */
const moveExperience = () => bed.change("projects/site.json", '"id": "welcome"', '"id": "hello"');

describe("L5: a deploy in place", () => {
  it("puts every document at the API's own address, with the headers of H2", async () => {
    const { objects, workspaces } = await deployed();
    expect(workspaces).toEqual({ starter: bed.versionId() });
    await expectWhole();
    expect(objects.uploaded).toBe((await bucket.objects()).size);
    expect(await bucket.object(CONTENT)).toMatchObject({
      contentType: "application/json; charset=utf-8",
      cacheControl: "public, max-age=30, stale-while-revalidate=3600, stale-if-error=36000",
    });
    expect(await bucket.object("404.json")).toMatchObject({
      contentType: "application/problem+json",
      cacheControl: "no-store",
    });
  });

  it("writes nothing when nothing changed", async () => {
    await deployed();
    const before = proxy.writes().length;
    expect((await deployed()).objects).toMatchObject({ uploaded: 0, removed: 0 });
    expect(proxy.writes().slice(before)).toEqual([]);
  });

  it("uploads only what changed: contents, schema, config, then the manifest (F3)", async () => {
    await deployed();
    const before = proxy.writes().length;
    changeHeadline();
    await deployed("--concurrency", "1");
    const keys = proxy
      .writes()
      .slice(before)
      .map((write) => write.replace(`PUT /${bucket.name}/`, ""));
    const project = "api/v1/projects/site";
    const documents = [CONTENT, `${project}/schema`, project];
    // Ceph refuses the first swap, whose If-Match has quotes.
    expect(keys.filter((key) => !key.startsWith("."))).toEqual(documents);
    expect([keys.at(0), keys.at(-1)]).toEqual([".svc-deploy.json", ".svc-deploy.json"]);
    await expectWhole();
  });

  it("goes below a prefix, and leaves what is beside it alone", async () => {
    await bucket.put("api/v1/projects/site", "someone's");
    await deployed(`${bucket.target}/a/b`);
    expect(await bucket.keys("a/b/api/")).toHaveLength(bed.expected().size - 1 - assets());
    expect((await bucket.object("api/v1/projects/site")).text).toBe("someone's");
  });

  const assets = () => [...bed.expected().keys()].filter((key) => key.startsWith("assets/")).length;

  it("removes what is published no more, after every upload", async () => {
    await deployed();
    moveExperience();
    const before = proxy.writes().length;
    expect((await deployed()).objects.removed).toBe(1);
    await expectWhole();
    const writes = proxy.writes().slice(before);
    const removal = writes.findIndex((write) => write.startsWith("POST"));
    expect(removal).toBe(writes.length - 2);
  });

  it("refuses to remove more than --max-deletes, before it changes anything", async () => {
    await deployed();
    moveExperience();
    const before = proxy.writes().length;
    expect(await refused("--max-deletes", "0")).toMatchObject({
      code: "too-many-deletes",
      hint: "--dry-run lists them; --max-deletes 1 allows them",
    });
    expect(proxy.writes().slice(before)).toEqual([]);
  });

  it("removes nothing after an upload that failed; the next run completes it", async () => {
    await deployed();
    moveExperience();
    proxy.fault = ({ method, path }) =>
      method === "PUT" && path.endsWith("/schema") ? 403 : undefined;
    expect((await refused()).code).toBe("access-denied");
    expect(await bucket.has(CONTENT)).toBe(true);
    proxy.fault = () => undefined;
    await deployed();
    await expectWhole();
  });

  it("never replaces an object that svc did not put there, unless it is told to", async () => {
    await bucket.put("404.json", "someone's");
    for (const _again of [1, 2]) {
      expect(await refused()).toMatchObject({ code: "object-in-the-way" });
      expect((await bucket.object("404.json")).text).toBe("someone's");
    }
    await deployed("--overwrite");
    await expectWhole();
  });

  it("tells what it would do, and why, with --dry-run, and does nothing", async () => {
    const { dryRun, plan } = await deployed("--dry-run");
    expect(dryRun).toBe(true);
    expect(plan).toContainEqual({ action: "upload", what: CONTENT, reason: "new" });
    expect(proxy.writes()).toEqual([]);
  });

  it("refuses a folder that does not pass svc verify", async () => {
    writeFileSync(bed.path("out", "api", "v1", "projects", "site", "index.json"), "{}");
    expect(await refused()).toMatchObject({ code: "out-differs" });
    expect(proxy.passed).toEqual([]);
  });
});

describe("a store that makes trouble", () => {
  it("500, 503 SlowDown and 409 are tried again, after a pause", async () => {
    let asked = 0;
    proxy.fault = ({ method }) =>
      [500, undefined, 503, undefined, method === "PUT" ? 409 : undefined][asked++ % 5];
    await deployed();
    proxy.fault = () => undefined;
    await expectWhole();
  });

  it("a connection that is cut, before a request or after it, is made again", async () => {
    let asked = 0;
    proxy.fault = () => (["cut", undefined, "cut-late", undefined] as const)[asked++ % 4];
    await deployed();
    proxy.fault = () => undefined;
    await expectWhole();
    expect((await deployed()).objects.uploaded).toBe(0);
  });

  it("501 to conditional writes is told by name", async () => {
    proxy.fault = ({ headers }) =>
      (headers["if-none-match"] ?? headers["if-match"]) ? 501 : undefined;
    expect(await refused()).toMatchObject({ code: "conditional-writes-unsupported" });
  });

  it("wrong credentials and a missing bucket are told, without a secret", async () => {
    const secret = "very-secret-indeed";
    bed.env = { ...bed.env, AWS_SECRET_ACCESS_KEY: secret };
    const { status, stdout, stderr } = await run();
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error: [^\n]*SignatureDoesNotMatch\nhint: [^\n]+\n$/);
    expect(stderr).not.toContain(secret);
    bed.env = { ...bucket.env };
    expect(await refused("s3://no-such-bucket-there")).toMatchObject({ code: "bucket-not-found" });
  });
});

describe("what is told without --json", () => {
  it("names the files that are not as published, and what to do", async () => {
    writeFileSync(bed.path("out", "404.json"), "{}");
    const { status, stdout, stderr } = await run();
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error +404\.json +changed +[^\n]+\nerror: [^\n]+\nhint: [^\n]+\n$/);
  });

  it.each([
    ["--dry-run", "list"],
    ["--max-deletes", "3", "list"],
  ])("refuses options that stand before a subcommand: %j", async (...args) => {
    const { status, stderr } = await run(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: --[a-z-]+ stands before "list"\nhint: /);
  });
});

describe("a bucket that is used in two ways", () => {
  it("with releases is not deployed to in place", async () => {
    await bucket.put(`r/starter/${"a".repeat(32)}-0123456789ab/manifest.json`, "{}");
    expect((await refused()).code).toBe("target-has-releases");
    expect(proxy.writes()).toEqual([]);
  });
});

describe("after a deploy that was cut off", () => {
  it("what is up already is not uploaded again", async () => {
    proxy.fault = ({ method, path }) =>
      method === "PUT" && path.endsWith("/projects/site") ? 403 : undefined;
    await refused();
    proxy.fault = () => undefined;
    const before = proxy.writes().length;
    await deployed();
    const writes = proxy
      .writes()
      .slice(before)
      .filter((write) => !write.includes("/.svc-"));
    expect(writes).toEqual([`PUT /${bucket.name}/api/v1/projects/site`]);
    await expectWhole();
  });

  it("a deploy that slept shows its life before it writes, and stops when it was taken over", async () => {
    const { process: sleeper, ended } = bed.start("deploy", "--json", "--concurrency", "1");
    const begun = Promise.withResolvers<void>();
    proxy.fault = ({ method, path }) => {
      if (method === "PUT" && path.endsWith("/content")) begun.resolve();
      return method === "PUT" && !path.includes("/.svc-") ? { hold: 400 } : undefined;
    };
    await begun.promise;
    sleeper.kill("SIGSTOP");
    proxy.fault = () => undefined;
    const manifest = JSON.parse((await bucket.object(".svc-deploy.json")).text);
    const { claim: _none, ...free } = manifest;
    // As another machine does after half a minute of silence.
    await new Promise((resolve) => setTimeout(resolve, 16_000));
    await bucket.put(".svc-deploy.json", JSON.stringify(free));
    const before = proxy.writes().length;
    sleeper.kill("SIGCONT");
    expect(JSON.parse((await ended).stdout).error.code).toBe("deploy-running");
    const documents = proxy
      .writes()
      .slice(before)
      .filter((write) => !write.includes("/.svc-"));
    expect(documents.length, documents.join()).toBeLessThanOrEqual(1);
  });
});
