import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type KvsStandIn, startKvs } from "../support/deploy/kvs-stand-in.ts";
import { manifestOf } from "./claimed-manifest.ts";
import {
  deployAtOnce,
  expectDoneOrGaveWay,
  type MeetingPoint,
  type OneOfSeveral,
} from "./deploys-at-once.ts";
import { expectReleaseWhole, keyIn, liveReleases, publishedTexts } from "./live-release.ts";
import { type Passed, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

/** How many deploy at once, and whether the same version; SVC_DEPLOY_ROUNDS says how many of these. */
const ROUNDS = [2, 4, 2, 4, 2, 2]
  .flatMap((count) => [
    { count, same: true },
    { count, same: false },
  ])
  .slice(0, Number(process.env.SVC_DEPLOY_ROUNDS ?? 12));

function foldersFor(bed: VersionsBed, { count, same }: (typeof ROUNDS)[number]): string[] {
  const first = bed.nextApart();
  return Array.from({ length: count }, (_, at) => (same || at === 0 ? first : bed.nextApart()));
}

const isManifest = ({ path }: { path: string }) => path.endsWith("/.svc-deploy.json");

const isClaim = (request: Passed) => request.method === "PUT" && isManifest(request);
const isUpload = (request: Passed) => request.method === "PUT" && !isManifest(request);
const deferred = () => Promise.withResolvers<void>();

describe("L6: several deploys at once", () => {
  it("in place: one of them writes, and no other between its claim and its end", async () => {
    const bucket = await TestBucket.make();
    const bed = new VersionsBed(bucket.env);
    for (const round of ROUNDS) {
      const outs = foldersFor(bed, round);
      const ran = await deployAtOnce(bed, bucket.endpoint, outs, [], isClaim);
      expectDoneOrGaveWay(ran);
      expect(ran.filter(({ status }) => status === 0)).toHaveLength(1);
      expectApart(ran);
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
    ["one with a version", 1],
  ])("in place, into %s: a claim that comes late is refused", async (_where, versions) => {
    const bucket = await TestBucket.make();
    const bed = new VersionsBed(bucket.env);
    for (let done = 0; done < versions; done += 1) await bed.start("deploy").ended;
    const outs = [bed.nextApart(), bed.nextApart()] as const;
    const [early, late] = [await startProxy(bucket.endpoint), await startProxy(bucket.endpoint)];
    const hasPlanned = deferred();
    const hasBegun = deferred();
    early.fault = (request) =>
      isClaim(request)
        ? { hold: hasPlanned.promise }
        : void (isUpload(request) && hasBegun.resolve());
    late.fault = (request) => {
      if (!isClaim(request)) return undefined;
      hasPlanned.resolve();
      return { hold: hasBegun.promise };
    };
    const [first, second] = await Promise.all([
      bed.start("deploy", "--out", outs[0], "--endpoint", early.endpoint).ended,
      bed.start("deploy", "--json", "--out", outs[1], "--endpoint", late.endpoint).ended,
    ]);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(second.status).toBe(1);
    expect(JSON.parse(second.stdout).error.code).toBe("deploy-running");
    expect(late.writes().filter((write) => !write.endsWith("/.svc-deploy.json"))).toEqual([]);
    await expectInPlace(bucket, bed.expected(outs[0]));
  });

  it("in place: one that begins while another writes waits for it to end", async () => {
    const bucket = await TestBucket.make();
    const proxy = await startProxy(bucket.endpoint);
    const bed = new VersionsBed(bucket.env);
    proxy.fault = ({ path }) => (path.endsWith("/schema") ? { hold: 3_000 } : undefined);
    const [old, latest] = [bed.nextApart(), bed.nextApart()];
    const first = bed.start("deploy", "--out", old, "--endpoint", proxy.endpoint);
    while (!(await bucket.has(".svc-deploy.json"))) await sleep(50);
    const second = bed.start("deploy", "--out", latest);
    expect(await first.ended).toMatchObject({ status: 0, stderr: "" });
    const { status, stderr } = await second.ended;
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^a deploy has begun there \(process \d+ on [^)]+\): waiting up to 30 s/,
    );
    await expectInPlace(bucket, bed.expected(latest));
  });

  it("as releases: every project is served from one and the same, which is whole", async () => {
    const bucket = await TestBucket.make();
    const kvs = await startKvs();
    const bed = new VersionsBed({ ...bucket.env, ...kvs.env });
    const args = ["--kvs", kvs.arn];
    const texts = new Map<string, Map<string, string>>();
    const textsOf = (release: string) => texts.get(release.slice(2, 34)) ?? new Map();
    const there = new Set<string>();
    const problems: string[] = [];
    kvs.onOperation = () => problems.push(...problemsOf(kvs, textsOf, there));
    const deploy = (outs: readonly string[], isMeeting?: MeetingPoint) =>
      deployAtOnce(bed, bucket.endpoint, outs, args, isMeeting, ({ method, path, status }) => {
        if (method === "PUT" && status === 200) there.add(path.replace(`/${bucket.name}/`, ""));
      });
    const isUploaded: MeetingPoint = ({ method, path }) =>
      method === "PUT" && path.endsWith("/manifest.json");
    for (const round of ROUNDS) {
      const outs = foldersFor(bed, round);
      for (const out of outs) texts.set(bed.versionId(out), publishedTexts(bed, out));
      expectDoneOrGaveWay(await deploy(outs, isUploaded));
      expect(problems).toEqual([]);
      const out = outs.at(-1) as string;
      expect(await deploy([out])).toMatchObject([{ status: 0, stderr: "" }]);
      expect(problems).toEqual([]);
      const live = liveReleases(kvs);
      expect(live.map((release) => release.slice(2, 34))).toEqual([bed.versionId(out)]);
      await expectReleaseWhole(bucket, live[0] as string, textsOf(live[0] as string));
    }
  });
});

/** Nothing of one deploy was written between another's claim and its last manifest. */
function expectApart(ran: readonly OneOfSeveral[]): void {
  for (const [at, { writes }] of ran.entries()) {
    const own = writes.filter((write) => isManifest(write) && write.status === 200);
    const [from, until] = [own[0]?.ended, own.at(-1)?.begun];
    if (from === undefined || until === undefined) continue;
    const others = ran.flatMap((other, index) => (index === at ? [] : other.writes));
    expect(
      others.filter(({ status, begun, ended }) => status < 300 && ended > from && begun < until),
    ).toEqual([]);
  }
}

/** What is wrong with what is live at this moment. */
function problemsOf(
  kvs: KvsStandIn,
  textsOf: (release: string) => ReadonlyMap<string, string>,
  there: ReadonlySet<string>,
): string[] {
  const live = liveReleases(kvs);
  if (live.length > 1) return [`live at once: ${live.join(", ")}`];
  return live.flatMap((release) =>
    [
      ...[...textsOf(release).keys()].map((path) => keyIn(release, path)),
      `r/${release}/manifest.json`,
    ]
      .filter((key) => !there.has(key))
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
