import { SvcError } from "../../workspace/errors.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { KeyValues } from "../key-value-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { readRelease } from "./find-release.ts";
import { releaseFolder } from "./keys.ts";
import { type ListedRelease, listReleases } from "./list-releases.ts";
import type { Places } from "./plan-release.ts";
import { liveLog } from "./pointers.ts";
import { isShared, manifestKey } from "./release.ts";

/** Releases of a workspace that are kept beside the live ones. */
const KEPT = 5;
/** Milliseconds: what is younger may belong to a deploy that is under way. */
const YOUNG = 24 * 3_600_000;

/** What becomes of a release, and why. */
export interface Verdict {
  readonly release: string;
  readonly keep: boolean;
  readonly reason: string;
}

/** What a prune will remove. */
export interface PrunePlan {
  readonly verdicts: readonly Verdict[];
  /** By release: its keys, the manifest's first, so that what is removed in part is no release. */
  readonly releases: ReadonlyMap<string, readonly string[]>;
  /** Keys of assets that no remaining release shows. */
  readonly assets: readonly string[];
}

/** Decides what of a bucket nobody needs any more. Nothing is changed. */
export async function planPrune(
  places: Places,
  work: Work,
  { now, workspaceId }: { readonly now: Date; readonly workspaceId?: string | undefined },
): Promise<PrunePlan> {
  const { objects } = places;
  const { releases: found, state } = await listReleases(places, work, workspaceId);
  refuseNothingLive(found, places.pointers.arn);
  const verdicts: Verdict[] = [];
  const releases = new Map<string, readonly string[]>();
  for (const verdict of judge(found, state, now)) {
    const listed = verdict.keep ? undefined : await keysOf(objects, verdict.release, now);
    if (listed === "young") verdicts.push({ ...verdict, keep: true, reason: UNDER_WAY });
    else {
      verdicts.push(verdict);
      if (listed !== undefined) releases.set(verdict.release, listed);
    }
  }
  const assets = await unusedAssets(places, work, new Set(releases.keys()), now);
  return { verdicts, releases, assets };
}

/** A KeyValueStore that knows none of a workspace's releases is another bucket's. */
function refuseNothingLive(releases: readonly ListedRelease[], arn: string): void {
  const workspaces = new Set(
    releases.flatMap(({ workspaceId, deployedAt }) => (deployedAt === null ? [] : workspaceId)),
  );
  for (const { workspaceId, live } of releases) if (live.length > 0) workspaces.delete(workspaceId);
  const [workspaceId] = workspaces;
  if (workspaceId === undefined) return;
  throw new SvcError(
    "nothing-live",
    `no release of "${workspaceId}" is live by ${arn}, so it may be the store of another bucket`,
    { hint: "check --kvs; nothing of a workspace is pruned while none of its releases is live" },
  );
}

const UNDER_WAY = "not whole, younger than 24 hours: a deploy may be under way";

/** Which of the releases, the newest first, are kept by what they are. */
export function judge(
  releases: readonly ListedRelease[],
  state: KeyValues,
  now: Date,
): readonly Verdict[] {
  return releases.map((one) => {
    const { release, workspaceId, deployedAt, live, isPinned } = one;
    const kept = (reason: string) => ({ release, keep: true, reason });
    if (live.length > 0) return kept(`live for ${live.join(", ")}`);
    if (isPinned) return kept("pinned");
    if (deployedAt === null) return { release, keep: false, reason: "never whole" };
    if (+now - +deployedAt < YOUNG) return kept("younger than 24 hours");
    if (lastOnes(releases, state, workspaceId).includes(release))
      return kept(`one of the last ${KEPT}`);
    return { release, keep: false, reason: `older than the last ${KEPT}` };
  });
}

/** Those that were live last; if they are fewer, the newest others. */
function lastOnes(
  releases: readonly ListedRelease[],
  state: KeyValues,
  workspaceId: string,
): string[] {
  const whole = releases.flatMap((one) =>
    one.workspaceId === workspaceId && one.deployedAt !== null ? one.release : [],
  );
  const wereLive = liveLog(state, workspaceId).filter((release) => whole.includes(release));
  return [...new Set([...wereLive, ...whole])].slice(0, KEPT);
}

/** The keys of a release; "young" when an object of one without manifest was put there lately. */
async function keysOf(
  objects: ObjectStore,
  release: string,
  now: Date,
): Promise<readonly string[] | "young"> {
  const manifest = manifestKey(release);
  const keys: string[] = [];
  let hasManifest = false;
  let newest = 0;
  for await (const { key, lastModified } of objects.list(releaseFolder(release))) {
    if (key === manifest) hasManifest = true;
    else keys.push(key);
    newest = Math.max(newest, +lastModified);
  }
  if (!hasManifest && +now - newest < YOUNG) return "young";
  return hasManifest ? [manifest, ...keys] : keys;
}

/** Assets, older than a day, that no release shows but those that are removed. */
export async function unusedAssets(
  { objects, pointers }: Places,
  work: Work,
  removed: ReadonlySet<string>,
  now: Date,
): Promise<string[]> {
  const unused: string[] = [];
  for await (const { key, lastModified } of objects.list("assets/")) {
    if (+now - +lastModified >= YOUNG && ASSET.test(key)) unused.push(key);
  }
  if (unused.length === 0) return [];
  // Of every workspace: they share the assets.
  const { releases } = await listReleases({ objects, pointers }, work);
  const remaining = releases.filter(({ release }) => !removed.has(release));
  // One that is not whole cannot say what it shows.
  if (remaining.some(({ deployedAt }) => deployedAt === null)) return [];
  const used = new Set<string>();
  await forEach(remaining, work, "manifests read", async ({ release }) => {
    const { manifest } = await readRelease(objects, release);
    for (const path of Object.keys(manifest.files)) if (isShared(path)) used.add(path);
  });
  const found: string[] = [];
  const candidates = unused.filter((key) => !used.has(key));
  await forEach(candidates, work, "assets looked at", async (key) => {
    // What others put there has no such note.
    if ((await objects.head(key))?.sha256 !== undefined) found.push(key);
  });
  return found.sort();
}

/** F1: what svc calls assets. */
const ASSET = /^assets\/[0-9a-f]{16}\/[^/]+$/;
