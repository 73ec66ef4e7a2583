import { describe, expect, it } from "vitest";
import type { Ran } from "../support/cli-bed.ts";
import { type KvsStandIn, startKvs } from "../support/deploy/kvs-stand-in.ts";
import { statusOf } from "../support/json-output.ts";
import { expectCompleteRelease, keyOf, liveReleases } from "./live-release.ts";
import { type ForwardedRequest, type S3Proxy, startProxy } from "./s3-proxy.ts";
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

describe("L6: concurrent deploys", () => {
  it("in place: one of them writes, and no other meanwhile", async () => {
    const bucket = await TestBucket.make();
    const bed = new VersionsBed(bucket.env);
    for (const round of ROUNDS) {
      const outs = foldersFor(bed, round);
      const ran = await deployAtOnce(bed, bucket.endpoint, outs, [], isManifestWrite);
      expectDoneOrRefused(ran);
      expect(ran.filter(({ status }) => status === 0)).toHaveLength(1);
      expectNoWritesMeanwhile(ran);
      const out = outs.at(-1) as string;
      expect(await bed.start("deploy", "--out", out).ended).toMatchObject({
        status: 0,
        stderr: "",
      });
      await bucket.expectInPlace(bed.expected(out));
    }
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
      for (const out of outs) texts.set(bed.versionId(out), bed.texts(out));
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

/** No deploy wrote while another was marked. */
function expectNoWritesMeanwhile(ran: readonly ConcurrentDeploy[]): void {
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

/** A write as the proxy of its deploy recorded it; `started` and `ended` count the events of all deploys. */
interface Write extends ForwardedRequest {
  readonly started: number;
  readonly ended: number;
  readonly status: number;
}

interface ConcurrentDeploy extends Ran {
  readonly writes: readonly Write[];
}

/** Resolves when all have arrived, or after two minutes: the machine may be busy. */
class Barrier {
  readonly all: Promise<void>;
  #missing: number;
  #open: () => void = () => {};

  constructor(count: number) {
    this.#missing = count;
    this.all = new Promise((resolve) => {
      this.#open = resolve;
    });
    setTimeout(this.#open, 120_000).unref();
  }

  arrive(): Promise<void> {
    this.#missing -= 1;
    if (this.#missing <= 0) this.#open();
    return this.all;
  }
}

/** Matches the request at which concurrent deploys wait for one another. */
type BarrierPoint = (request: ForwardedRequest) => boolean;

/**
 * Deploys several folders concurrently, each through its own proxy. Each waits for the others at its
 * first request that matches `isBarrierPoint`, so that none ends before the others have started.
 *
 * @param onWrite called for each write when the store has responded, before the deploy receives it.
 */
async function deployAtOnce(
  bed: VersionsBed,
  server: string,
  outs: readonly string[],
  args: readonly string[],
  isBarrierPoint: BarrierPoint | undefined,
  onWrite: (write: Write) => void = () => {},
): Promise<ConcurrentDeploy[]> {
  const barrier = new Barrier(outs.length);
  let now = 0;
  return Promise.all(
    outs.map(async (out) => {
      const proxy = await startProxy(server);
      const writes = recordWrites(proxy, () => ++now, onWrite);
      const recordStart = proxy.fault;
      let hasArrived = isBarrierPoint === undefined;
      proxy.fault = (request) => {
        recordStart(request);
        if (hasArrived || !isBarrierPoint?.(request)) return undefined;
        hasArrived = true;
        return { hold: barrier.arrive() };
      };
      const endpoint = ["--endpoint", proxy.endpoint];
      const ran = await bed.start("deploy", "--json", "--out", out, ...endpoint, ...args).ended;
      if (!hasArrived) void barrier.arrive();
      await proxy.settled();
      return { ...ran, writes };
    }),
  );
}

function recordWrites(proxy: S3Proxy, tick: () => number, onWrite: (write: Write) => void) {
  const started = new Map<string, number>();
  const writes: Write[] = [];
  proxy.fault = ({ method, path }) => void started.set(`${method} ${path}`, tick());
  proxy.onResponse = ({ method, path }, status) => {
    if (method === "GET" || method === "HEAD") return;
    const write = {
      method,
      path,
      status,
      started: started.get(`${method} ${path}`) ?? 0,
      ended: tick(),
    };
    writes.push(write);
    onWrite(write);
  };
  return writes;
}

/** Each succeeds, or is refused because of another; at least one succeeds. */
function expectDoneOrRefused(ran: readonly Ran[]): void {
  for (const { status, stdout, stderr } of ran) {
    expect(stderr).toBe("");
    if (status === 0) continue;
    const { error } = JSON.parse(stdout);
    expect(status, stdout).toBe(statusOf(error));
    expect(["deploy-running", "deployed-meanwhile"], stdout).toContain(error.code);
    expect(error.hint).toEqual(expect.any(String));
  }
  expect(ran.map(({ status }) => status)).toContain(0);
}
