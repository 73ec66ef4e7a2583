import { describe, expect, it } from "vitest";
import { type KvsStandIn, startKvs } from "../support/deploy/kvs-stand-in.ts";
import { SEED } from "../support/random-runs.ts";
import { Random } from "../support/workspaces/random.ts";
import { expectCompleteRelease, liveReleases } from "./live-release.ts";
import { type Fault, type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

/** Half of them in place, half as releases. */
const KILLS = Number(process.env.SVC_DEPLOY_KILLS ?? 20);

/** What the proxy does to the request at which a deploy is killed. */
const REQUEST_FAULTS: readonly Fault[] = [undefined, "cut", "cut-late"];

/** What is deployed after a kill: the same version, a new one that is killed too, or the old one. */
const SEQUELS = ["same", "new", "old"] as const;

class KilledDeploys {
  /** The folder of the version to deploy. */
  out = "out";
  readonly random: Random;
  readonly bucket: TestBucket;
  readonly proxy: S3Proxy;
  readonly kvs: KvsStandIn;
  readonly bed: VersionsBed;
  readonly #args: readonly string[];

  static async start(seed: number, mode: "in place" | "release"): Promise<KilledDeploys> {
    const bucket = await TestBucket.make();
    const kvs = await startKvs();
    const proxy = await startProxy(bucket.endpoint);
    return new KilledDeploys(seed, mode, bucket, kvs, proxy);
  }

  private constructor(
    seed: number,
    mode: string,
    bucket: TestBucket,
    kvs: KvsStandIn,
    proxy: S3Proxy,
  ) {
    this.random = new Random(seed);
    [this.bucket, this.kvs, this.proxy] = [bucket, kvs, proxy];
    this.bed = new VersionsBed({
      ...bucket.env,
      ...kvs.env,
      SVC_DEPLOY_ENDPOINT: proxy.endpoint,
    });
    this.#args = mode === "release" ? ["--kvs", kvs.arn] : ["--force"];
  }

  /** Deploys; the process is killed at this request, counted over both services. */
  async run(at?: { request: number; fault: Fault }) {
    const args = ["--out", this.out, ...this.#args, ...this.#concurrency()];
    const { process: child, ended } = this.bed.start("deploy", ...args);
    let requests = 0;
    const isKilledAt = () => {
      requests += 1;
      return requests === at?.request && child.kill("SIGKILL");
    };
    this.proxy.fault = () => (isKilledAt() ? at?.fault : undefined);
    this.kvs.onOperation = () => void isKilledAt();
    const before = this.#writes();
    const ran = await ended;
    this.proxy.fault = () => undefined;
    this.kvs.onOperation = () => {};
    await this.proxy.settled();
    return { ...ran, requests, writes: this.#writes() - before };
  }

  /**
   * Kills at moments spread over a run.
   *
   * @param expectComplete checks the bucket, which has only these versions, the oldest first.
   */
  async rounds(expectComplete: (outs: readonly string[]) => Promise<void>): Promise<void> {
    this.out = this.bed.nextInOwnFolder();
    const { requests } = await this.run();
    for (const [at, moment] of this.#moments(KILLS / 2, requests).entries()) {
      const sequel = SEQUELS[at % SEQUELS.length];
      const outs = [this.out];
      for (const _again of sequel === "new" ? [1, 2] : [1]) {
        this.out = this.bed.nextInOwnFolder();
        outs.push(this.out);
        const { status, stdout } = await this.run(moment);
        expect({ status, stdout }).toEqual({ status: null, stdout: "" });
        await expectComplete(outs);
      }
      if (sequel === "old") this.out = outs[0] as string;
      await this.expectCompleted();
      await expectComplete([this.out]);
    }
  }

  /** The next deploy after a kill succeeds, and the one after it writes nothing. */
  async expectCompleted(): Promise<void> {
    const completed = await this.run();
    expect(completed).toMatchObject({ status: 0, stderr: "" });
    const again = await this.run();
    expect(again).toMatchObject({ status: 0, stderr: "", writes: 0 });
  }

  /** This number of moments, spread over the requests of a run, in random order. */
  #moments(count: number, requests: number): { request: number; fault: Fault }[] {
    return Array.from({ length: count }, (_, at) => ({
      request: 1 + Math.floor(((at + this.random.next()) / count) * requests),
      fault: this.random.pick(REQUEST_FAULTS),
      order: this.random.next(),
    })).sort((a, b) => a.order - b.order);
  }

  #concurrency(): string[] {
    return ["--concurrency", this.random.pick(["1", "4", "16"])];
  }

  #writes(): number {
    const updates = this.kvs.operations.filter((operation) => operation === "UpdateKeys");
    return this.proxy.writes().length + updates.length;
  }
}

describe(`L6: a deploy that is killed (seed ${SEED})`, () => {
  it("in place: leaves every object old or new, in order (F3); the next run completes it", async () => {
    const deploys = await KilledDeploys.start(SEED, "in place");
    const { bed, bucket } = deploys;
    await deploys.expectCompleted();
    await deploys.rounds(async (outs) => {
      await expectOldOrNew(
        bucket,
        outs.map((out) => bed.expected(out)),
      );
    });
  });

  it("as a release: the live release is complete, old or new; the next run completes the deploy", async () => {
    const deploys = await KilledDeploys.start(SEED + 1, "release");
    const { bed, bucket, kvs } = deploys;
    await deploys.expectCompleted();
    await deploys.rounds(async (outs) => {
      const [live = "", ...others] = liveReleases(kvs);
      expect(others).toEqual([]);
      const out = outs.find((one) => live.startsWith(`w/${bed.versionId(one)}-`));
      expect(outs, live).toContain(out);
      await expectCompleteRelease(bucket, live, bed.texts(out));
    });
  });
});

type Texts = ReadonlyMap<string, string>;

/** Every object belongs to one of the versions, and is written after those that it refers to. */
async function expectOldOrNew(bucket: TestBucket, versions: readonly Texts[]): Promise<void> {
  if (versions.length === 1) return bucket.expectInPlace(versions[0] as Texts);
  const [old, latest] = [versions[0] as Texts, versions.at(-1) as Texts];
  const objects = await bucket.objects();
  objects.delete("503.json");
  for (const [key, { text }] of objects) {
    expect(
      versions.some((version) => version.get(key) === text),
      key,
    ).toBe(true);
  }
  if (versions.length > 2) return;
  const phases = [/^assets|^404/, /content$/, /schema$/, /^api\/v1\/projects\/[^/]+$/];
  const stale = phases.map((phase) =>
    [...latest].filter(([key, text]) => phase.test(key) && objects.get(key)?.text !== text),
  );
  const started = phases.map((phase) =>
    [...objects].some(
      ([key, { text }]) => phase.test(key) && latest.get(key) === text && old.get(key) !== text,
    ),
  );
  for (const at of [1, 2, 3]) {
    if (started[at]) expect(stale.slice(0, at).flat(), "in order").toEqual([]);
  }
  const isRemoving = [...old.keys()].some((key) => !objects.has(key));
  if (isRemoving) expect(stale.flat(), "removed after every upload").toEqual([]);
}
