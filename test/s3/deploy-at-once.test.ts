import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type KvsStandIn, startKvs } from "../support/deploy/kvs-stand-in.ts";
import {
  type BarrierPoint,
  type ConcurrentDeploy,
  deployAtOnce,
  expectDoneOrRefused,
} from "./deploys-at-once.ts";
import { manifestOf } from "./leased-manifest.ts";
import { expectCompleteRelease, keyOf, liveReleases, publishedTexts } from "./live-release.ts";
import { type ForwardedRequest, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

/** The number of concurrent deploys, and whether of the same version; SVC_DEPLOY_ROUNDS limits the rounds. */
const ROUNDS = [2, 4, 2, 4, 2, 2]
  .flatMap((count) => [
    { count, same: true },
    { count, same: false },
  ])
  .slice(0, Number(process.env.SVC_DEPLOY_ROUNDS ?? 12));

function foldersFor(bed: VersionsBed, { count, same }: (typeof ROUNDS)[number]): string[] {
  const first = bed.nextInOwnFolder();
  return Array.from({ length: count }, (_, at) =>
    same || at === 0 ? first : bed.nextInOwnFolder(),
  );
}

const isManifest = ({ path }: { path: string }) => path.endsWith("/.svc-deploy.json");

const isManifestWrite = (request: ForwardedRequest) =>
  request.method === "PUT" && isManifest(request);
const isUpload = (request: ForwardedRequest) => request.method === "PUT" && !isManifest(request);
const deferred = () => Promise.withResolvers<void>();

describe("L6: concurrent deploys", () => {
  it("in place: one of them writes, and no other while it holds the lease", async () => {
    const bucket = await TestBucket.make();
    const bed = new VersionsBed(bucket.env);
    for (const round of ROUNDS) {
      const outs = foldersFor(bed, round);
      const ran = await deployAtOnce(bed, bucket.endpoint, outs, [], isManifestWrite);
      expectDoneOrRefused(ran);
      expect(ran.filter(({ status }) => status === 0)).toHaveLength(1);
      expectNoWritesUnderLease(ran);
      const out = outs.at(-1) as string;
      expect(await bed.start("deploy", "--out", out).ended).toMatchObject({
        status: 0,
        stderr: "",
      });
      await expectInPlace(bucket, bed.expected(out));
    }
  });

  it.each([
    ["an empty bucket", 0],
    ["a bucket with a version", 1],
  ])("in place, into %s: a second lease is refused", async (_where, versions) => {
    const bucket = await TestBucket.make();
    const bed = new VersionsBed(bucket.env);
    for (let done = 0; done < versions; done += 1) await bed.start("deploy").ended;
    const outs = [bed.nextInOwnFolder(), bed.nextInOwnFolder()] as const;
    const [early, late] = [await startProxy(bucket.endpoint), await startProxy(bucket.endpoint)];
    const hasPlanned = deferred();
    const hasStarted = deferred();
    early.fault = (request) =>
      isManifestWrite(request)
        ? { hold: hasPlanned.promise }
        : void (isUpload(request) && hasStarted.resolve());
    late.fault = (request) => {
      if (!isManifestWrite(request)) return undefined;
      hasPlanned.resolve();
      return { hold: hasStarted.promise };
    };
    const [first, second] = await Promise.all([
      bed.start("deploy", "--out", outs[0], "--endpoint", early.endpoint).ended,
      bed.start("deploy", "--json", "--out", outs[1], "--endpoint", late.endpoint).ended,
    ]);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(second.status).toBe(3);
    expect(JSON.parse(second.stdout).error.code).toBe("deploy-running");
    expect(late.writes().filter((write) => !write.endsWith("/.svc-deploy.json"))).toEqual([]);
    await expectInPlace(bucket, bed.expected(outs[0]));
  });

  it("in place: one that starts while another writes waits for it to finish", async () => {
    const bucket = await TestBucket.make();
    const proxy = await startProxy(bucket.endpoint);
    const bed = new VersionsBed(bucket.env);
    proxy.fault = ({ path }) => (path.endsWith("/schema") ? { hold: 3_000 } : undefined);
    const [old, latest] = [bed.nextInOwnFolder(), bed.nextInOwnFolder()];
    const first = bed.start("deploy", "--out", old, "--endpoint", proxy.endpoint);
    while (!(await bucket.has(".svc-deploy.json"))) await sleep(50);
    const second = bed.start("deploy", "--out", latest);
    expect(await first.ended).toMatchObject({ status: 0, stderr: "" });
    const { status, stderr } = await second.ended;
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^an unfinished deploy holds the lease \(process \d+ on [^)]+\): waiting up to 30 s/,
    );
    await expectInPlace(bucket, bed.expected(latest));
  });

  it("as releases: all projects are served from one complete release", async () => {
    const bucket = await TestBucket.make();
    const kvs = await startKvs();
    const bed = new VersionsBed({ ...bucket.env, ...kvs.env });
    const args = ["--kvs", kvs.arn];
    const texts = new Map<string, Map<string, string>>();
    const textsOf = (release: string) => texts.get(release.slice(2, 34)) ?? new Map();
    const uploaded = new Set<string>();
    const problems: string[] = [];
    kvs.onOperation = () => problems.push(...problemsOf(kvs, textsOf, uploaded));
    const deploy = (outs: readonly string[], isBarrierPoint?: BarrierPoint) =>
      deployAtOnce(bed, bucket.endpoint, outs, args, isBarrierPoint, ({ method, path, status }) => {
        if (method === "PUT" && status === 200) uploaded.add(path.replace(`/${bucket.name}/`, ""));
      });
    const isManifestUpload: BarrierPoint = ({ method, path }) =>
      method === "PUT" && path.endsWith("/manifest.json");
    for (const round of ROUNDS) {
      const outs = foldersFor(bed, round);
      for (const out of outs) texts.set(bed.versionId(out), publishedTexts(bed, out));
      expectDoneOrRefused(await deploy(outs, isManifestUpload));
      expect(problems).toEqual([]);
      const out = outs.at(-1) as string;
      expect(await deploy([out])).toMatchObject([{ status: 0, stderr: "" }]);
      expect(problems).toEqual([]);
      const live = liveReleases(kvs);
      expect(live.map((release) => release.slice(2, 34))).toEqual([bed.versionId(out)]);
      await expectCompleteRelease(bucket, live[0] as string, textsOf(live[0] as string));
    }
  });
});

/** No deploy wrote while another held the lease. */
function expectNoWritesUnderLease(ran: readonly ConcurrentDeploy[]): void {
  for (const [at, { writes }] of ran.entries()) {
    const own = writes.filter((write) => isManifest(write) && write.status === 200);
    const [from, until] = [own[0]?.ended, own.at(-1)?.started];
    if (from === undefined || until === undefined) continue;
    const others = ran.flatMap((other, index) => (index === at ? [] : other.writes));
    expect(
      others.filter(
        ({ status, started, ended }) => status < 300 && ended > from && started < until,
      ),
    ).toEqual([]);
  }
}

/** What is wrong with the releases that are live at this moment. */
function problemsOf(
  kvs: KvsStandIn,
  textsOf: (release: string) => ReadonlyMap<string, string>,
  uploaded: ReadonlySet<string>,
): string[] {
  const live = liveReleases(kvs);
  if (live.length > 1) return [`live at once: ${live.join(", ")}`];
  return live.flatMap((release) =>
    [
      ...[...textsOf(release).keys()].map((path) => keyOf(release, path)),
      `r/${release}/manifest.json`,
    ]
      .filter((key) => !uploaded.has(key))
      .map((key) => `live without ${key}`),
  );
}

async function expectInPlace(
  bucket: TestBucket,
  expected: ReadonlyMap<string, string>,
): Promise<void> {
  const objects = await bucket.objects();
  expect([...objects.keys()].sort()).toEqual([...expected.keys(), "503.json"].sort());
  for (const [key, text] of expected) expect(objects.get(key)?.text, key).toBe(text);
  expect((await manifestOf(bucket)).claim).toBeUndefined();
}
