import { describe, expect, it } from "vitest";
import { type KvsStandIn, startKvs } from "../support/deploy/kvs-stand-in.ts";
import { Random } from "../support/workspaces/random.ts";
import { expectReleaseWhole, liveReleases, publishedTexts } from "./live-release.ts";
import { type Fault, type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

/** Half of them in place, half as releases. */
const KILLS = Number(process.env.SVC_DEPLOY_KILLS ?? 20);
/** SVC_DEPLOY_SEED runs again what a failure has told. */
const SEED = Number(process.env.SVC_DEPLOY_SEED ?? 5);

/** What becomes of the request at which a deploy dies. */
const FATES: readonly Fault[] = [undefined, "cut", "cut-late"];

/** What is deployed after a kill: the same version, a further one that is killed too, the old one. */
const SEQUELS = ["same", "further", "old"] as const;

class Killing {
  /** The folder of the version to deploy. */
  out = "out";
  readonly random: Random;
  readonly bucket: TestBucket;
  readonly proxy: S3Proxy;
  readonly kvs: KvsStandIn;
  readonly bed: VersionsBed;
  readonly #args: readonly string[];

  static async begin(seed: number, mode: "in place" | "release"): Promise<Killing> {
    const bucket = await TestBucket.make();
    const kvs = await startKvs();
    const proxy = await startProxy(bucket.endpoint);
    return new Killing(seed, mode, bucket, kvs, proxy);
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
    this.#args = mode === "release" ? ["--kvs", kvs.arn] : [];
  }

  /** Deploys; dies at a request, whichever service it goes to. */
  async run(at?: { request: number; fate: Fault }) {
    const args = ["--out", this.out, ...this.#args, ...this.#speed()];
    const { process: child, ended } = this.bed.start("deploy", ...args);
    let requests = 0;
    const isLast = () => {
      requests += 1;
      return requests === at?.request && child.kill("SIGKILL");
    };
    this.proxy.fault = () => (isLast() ? at?.fate : undefined);
    this.kvs.onOperation = () => void isLast();
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
   * @param expectWhole checks the bucket, which has nothing but these versions, the oldest first.
   */
  async rounds(expectWhole: (outs: readonly string[]) => Promise<void>): Promise<void> {
    this.out = this.bed.nextApart();
    const { requests } = await this.run();
    for (const [at, moment] of this.#moments(KILLS / 2, requests).entries()) {
      const sequel = SEQUELS[at % SEQUELS.length];
      const outs = [this.out];
      for (const _again of sequel === "further" ? [1, 2] : [1]) {
        this.out = this.bed.nextApart();
        outs.push(this.out);
        const { status, stdout } = await this.run(moment);
        expect({ status, stdout }).toEqual({ status: null, stdout: "" });
        await expectWhole(outs);
      }
      if (sequel === "old") this.out = outs[0] as string;
      await this.expectCompleted();
      await expectWhole([this.out]);
    }
  }

  /** The next run after a kill goes on at once, and the one after it has nothing to do. */
  async expectCompleted(): Promise<void> {
    const completed = await this.run();
    expect(completed).toMatchObject({ status: 0, stderr: "" });
    const again = await this.run();
    expect(again).toMatchObject({ status: 0, stderr: "", writes: 0 });
  }

  /** So many moments, spread over the requests of a run, in any order. */
  #moments(count: number, requests: number): { request: number; fate: Fault }[] {
    return Array.from({ length: count }, (_, at) => ({
      request: 1 + Math.floor(((at + this.random.next()) / count) * requests),
      fate: this.random.pick(FATES),
      order: this.random.next(),
    })).sort((a, b) => a.order - b.order);
  }

  #speed(): string[] {
    return ["--concurrency", this.random.pick(["1", "4", "16"])];
  }

  #writes(): number {
    const updates = this.kvs.operations.filter((operation) => operation === "UpdateKeys");
    return this.proxy.writes().length + updates.length;
  }
}

describe(`L6: a deploy that is killed (seed ${SEED})`, () => {
  it("in place: leaves every object old or new, in order (F3); the next run completes it", async () => {
    const killing = await Killing.begin(SEED, "in place");
    const { bed, bucket } = killing;
    await killing.expectCompleted();
    await killing.rounds(async (outs) => {
      await expectOldOrNew(
        bucket,
        outs.map((out) => bed.expected(out)),
      );
    });
  });

  it("as a release: what is live is whole, old or new; the next run completes it", async () => {
    const killing = await Killing.begin(SEED + 1, "release");
    const { bed, bucket, kvs } = killing;
    await killing.expectCompleted();
    await killing.rounds(async (outs) => {
      const [live = "", ...others] = liveReleases(kvs);
      expect(others).toEqual([]);
      const out = outs.find((one) => live.startsWith(`w/${bed.versionId(one)}-`));
      expect(outs, live).toContain(out);
      await expectReleaseWhole(bucket, live, publishedTexts(bed, out));
    });
  });
});

type Texts = ReadonlyMap<string, string>;

/** Every object is that of a version, whole; and nothing is ahead of what it names. */
async function expectOldOrNew(bucket: TestBucket, versions: readonly Texts[]): Promise<void> {
  if (versions.length === 1) return expectInPlace(bucket, versions[0] as Texts);
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
  const begun = phases.map((phase) =>
    [...objects].some(
      ([key, { text }]) => phase.test(key) && latest.get(key) === text && old.get(key) !== text,
    ),
  );
  for (const at of [1, 2, 3]) {
    if (begun[at]) expect(stale.slice(0, at).flat(), "in order").toEqual([]);
  }
  const isRemoving = [...old.keys()].some((key) => !objects.has(key));
  if (isRemoving) expect(stale.flat(), "removed after every upload").toEqual([]);
}

/** The bucket holds what is published, and a manifest without claim. */
async function expectInPlace(bucket: TestBucket, expected: Texts): Promise<void> {
  const keys = [...expected.keys(), "503.json", ".svc-deploy.json"].sort();
  expect(await bucket.keys()).toEqual(keys);
  for (const [key, text] of expected) expect((await bucket.object(key)).text, key).toBe(text);
  expect(JSON.parse((await bucket.object(".svc-deploy.json")).text).claim).toBeUndefined();
}
