import { beforeEach, describe, expect, it } from "vitest";
import { statusOf } from "../support/json-output.ts";
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

/** Asynchronous, since this process serves the proxy. */
const run = (...args: readonly string[]) => bed.start("deploy", ...args).ended;

async function deployed(...args: readonly string[]) {
  const { status, stdout, stderr } = await run("--json", ...args);
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function refused(...args: readonly string[]) {
  const { status, stdout } = await run("--json", ...args);
  const { error } = JSON.parse(stdout);
  expect(status, stdout).toBe(statusOf(error));
  return error;
}

/** The bucket has exactly the published documents, byte for byte. */
async function expectComplete(): Promise<void> {
  const objects = await bucket.objects();
  const expected = bed.expected();
  expect([...objects.keys()].sort()).toEqual([...expected.keys(), "503.json"].sort());
  for (const [key, text] of expected) expect(objects.get(key)?.text, key).toBe(text);
}

const changeHeadline = () => bed.change("entries/home-page.json", "Welcome", "Hello");
/** Gives the experience another id: its content gets another address. */
const moveExperience = () => bed.change("projects/site.json", '"id": "welcome"', '"id": "hello"');

describe("L5: a deploy in place", () => {
  it("uploads every document to the key of its URL path, with the headers of H2", async () => {
    const { objects, workspaces } = await deployed();
    expect(workspaces).toEqual({ starter: bed.versionId() });
    await expectComplete();
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
    // Ceph rejects the first conditional write, whose If-Match has quotes, and gets it twice.
    expect([...new Set(keys.filter((key) => !key.startsWith(".")))]).toEqual(documents);
    expect([keys.at(0), keys.at(-1)]).toEqual([".svc-deploy.json", ".svc-deploy.json"]);
    await expectComplete();
  });

  it("refuses more removals than --max-deletes before any write", async () => {
    await deployed();
    moveExperience();
    const before = proxy.writes().length;
    expect(await refused("--max-deletes", "0")).toMatchObject({
      code: "too-many-deletes",
      hint: "--dry-run lists them; --max-deletes 1 allows them",
    });
    expect(proxy.writes().slice(before)).toEqual([]);
  });

  it("does not replace another program's object without --overwrite", async () => {
    await bucket.put("404.json", "someone's");
    for (const _again of [1, 2]) {
      expect(await refused()).toMatchObject({ code: "object-in-the-way" });
      expect((await bucket.object("404.json")).text).toBe("someone's");
    }
    await deployed("--overwrite");
    await expectComplete();
  });
});

describe("an object store with failures", () => {
  it("500, 503 SlowDown and 409 are retried after a pause", async () => {
    let requests = 0;
    proxy.fault = ({ method }) =>
      [500, undefined, 503, undefined, method === "PUT" ? 409 : undefined][requests++ % 5];
    await deployed();
    proxy.fault = () => undefined;
    await expectComplete();
  });

  it("a request is retried when its connection is cut before or after it is carried out", async () => {
    let requests = 0;
    proxy.fault = () => (["cut", undefined, "cut-late", undefined] as const)[requests++ % 4];
    await deployed();
    proxy.fault = () => undefined;
    await expectComplete();
    expect((await deployed()).objects.uploaded).toBe(0);
  });

  it("501 for a conditional write has its own error code", async () => {
    proxy.fault = ({ headers }) =>
      (headers["if-none-match"] ?? headers["if-match"]) ? 501 : undefined;
    expect(await refused()).toMatchObject({ code: "conditional-writes-unsupported" });
  });

  it("wrong credentials and a missing bucket are reported without secrets", async () => {
    const secret = "very-secret-indeed";
    bed.env = { ...bed.env, AWS_SECRET_ACCESS_KEY: secret };
    const { status, stdout, stderr } = await run();
    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(stderr).toMatch(/^error: [^\n]*SignatureDoesNotMatch\nhint: [^\n]+\n$/);
    expect(stderr).not.toContain(secret);
    bed.env = { ...bucket.env };
    expect(await refused("s3://no-such-bucket-there")).toMatchObject({ code: "bucket-not-found" });
  });
});

describe("after an interrupted deploy", () => {
  it("L6: a deploy that was suspended checks its lease before it writes, and stops when another has taken it over", async () => {
    const { process: suspended, ended } = bed.start("deploy", "--json", "--concurrency", "1");
    const hasStarted = Promise.withResolvers<void>();
    proxy.fault = ({ method, path }) => {
      if (method === "PUT" && path.endsWith("/content")) hasStarted.resolve();
      return method === "PUT" && !path.includes("/.svc-") ? { hold: 400 } : undefined;
    };
    await hasStarted.promise;
    suspended.kill("SIGSTOP");
    proxy.fault = () => undefined;
    const manifest = JSON.parse((await bucket.object(".svc-deploy.json")).text);
    const { claim: _none, ...free } = manifest;
    // As another machine does after half a minute without a heartbeat.
    await new Promise((resolve) => setTimeout(resolve, 16_000));
    await bucket.put(".svc-deploy.json", JSON.stringify(free));
    const before = proxy.writes().length;
    suspended.kill("SIGCONT");
    expect(JSON.parse((await ended).stdout).error.code).toBe("deploy-superseded");
    const documents = proxy
      .writes()
      .slice(before)
      .filter((write) => !write.includes("/.svc-"));
    expect(documents.length, documents.join()).toBeLessThanOrEqual(1);
  });
});
