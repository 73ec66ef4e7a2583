import type { Work } from "../../deploy/concurrent-work.ts";
import { IN_BUCKET, type KeyValueStore } from "../../deploy/key-value-store.ts";
import type { ObjectStore } from "../../deploy/object-store.ts";
import { bucketPointers } from "../../deploy/releases/bucket-pointers.ts";
import { POINTER } from "../../deploy/releases/keys.ts";
import type { ReleaseStores } from "../../deploy/releases/list-releases.ts";
import type { PointerUpdate } from "../../deploy/releases/pointers.ts";
import { partsOfName } from "../../deploy/releases/release.ts";
import { parseTarget } from "../../deploy/target.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { grouped } from "../../workspace/listed.ts";
import type { Remarks } from "../output/output.ts";
import { styled } from "../output/print.ts";
import type { DeployedRelease, PlanLine } from "../results.ts";
import { stopSignal } from "../stop-signal.ts";
import type { BUCKET, Given } from "../table/options.ts";
import type { TABLE } from "../table/table.ts";

// Functions import the client of S3 only when they are called: loading it takes longer than a usage error or help.

export type BucketOptions = Omit<Given<typeof BUCKET>, "target">;

export type DeployOptions = Given<(typeof TABLE)["deploy"]>;

/** Milliseconds after Ctrl-C until running requests are aborted. */
const REQUEST_GRACE = 4_000;
/** The same for the manifest, from which a deploy in place removes its mark after all other requests. */
const MANIFEST_GRACE = 5_000;

export interface DeployContext {
  readonly objects: ObjectStore;
  /** The same bucket, for the manifest of a deploy in place. */
  readonly manifestStore: ObjectStore;
  readonly work: Work;
  /** Aborts running requests; `work.signal` only prevents new ones. */
  readonly signal: AbortSignal;
}

/**
 * Opens the bucket of a target. After Ctrl-C, no new request starts, and running ones get time to end.
 *
 * @throws UsageError for a missing or invalid target.
 */
export async function openDeployContext(
  given: string | undefined,
  options: BucketOptions,
  output: Remarks,
): Promise<DeployContext> {
  const text = given ?? process.env.SVC_DEPLOY_TARGET;
  if (text === undefined) {
    throw new UsageError(
      "a target is missing",
      "give one, such as s3://bucket, or set SVC_DEPLOY_TARGET",
    );
  }
  const target = parseTarget(text);
  const { openObjectStore } = await import("../../deploy/aws/s3-object-store.ts");
  const starts = new AbortController();
  const requests = new AbortController();
  const manifestRequests = new AbortController();
  void stopSignal().then(() => {
    const reason = new SvcError("stopped", "stopped before it was complete", {
      hint: "run the same command again: it continues from here",
    });
    starts.abort(reason);
    setTimeout(() => requests.abort(reason), REQUEST_GRACE).unref();
    setTimeout(() => manifestRequests.abort(reason), MANIFEST_GRACE).unref();
  });
  const { concurrency, endpoint } = options;
  const { signal } = requests;
  const store = { concurrency, signal, ...(endpoint && { endpoint }) };
  const objects = openObjectStore(target, store);
  const manifestStore = openObjectStore(target, { ...store, signal: manifestRequests.signal });
  const work = { concurrency, signal: starts.signal, onProgress: output.progress };
  return { objects, manifestStore, work, signal };
}

/** Undefined for a deploy in place. */
export async function pointersOf(
  { objects, signal }: Pick<DeployContext, "objects" | "signal">,
  { kvs }: Pick<BucketOptions, "kvs">,
): Promise<KeyValueStore | undefined> {
  if (kvs === undefined) return undefined;
  if (kvs === IN_BUCKET) return bucketPointers(objects);
  const { openKeyValueStore } = await import("../../deploy/aws/cloudfront-key-value-store.ts");
  return openKeyValueStore(kvs, { signal });
}

export async function releaseStoresOf(
  context: DeployContext,
  options: BucketOptions,
): Promise<ReleaseStores> {
  const pointers = await pointersOf(context, options);
  if (pointers !== undefined) return { objects: context.objects, pointers };
  throw new UsageError(
    "--kvs is missing",
    "only releases can be rolled back, pinned and pruned, and --kvs <arn> (or --kvs bucket) is the store of their pointers; " +
      "for a deploy in place, publish an earlier version (of the folder, or by svc rollback), and svc deploy --hold",
  );
}

/**
 * Parses the arguments [target] [release], both optional.
 *
 * @throws UsageError for an empty release, and for more than one of each.
 */
export function targetAndRelease(
  args: readonly (string | undefined)[],
): [target: string | undefined, release: string | undefined] {
  const given = args.filter((text) => text !== undefined);
  const targets = given.filter((text) => text.startsWith("s3:"));
  const releases = given.filter((text) => !text.startsWith("s3:"));
  if (targets.length > 1 || releases.length > 1 || releases[0] === "") {
    throw new UsageError(
      "at most one target and one release are expected",
      "run svc deploy list to see the releases",
    );
  }
  return [targets[0], releases[0]];
}

const COLOURS = { upload: "green", delete: "red", point: "cyan", invalidate: "yellow" } as const;

export function planText(plan: readonly PlanLine[], unchanged: number): string {
  const lines = plan.map(({ action, what, reason }) => {
    const verb = styled(COLOURS[action], action.padEnd(10), process.stdout);
    return `${verb} ${`${what} (${reason})`}`;
  });
  const same = `${grouped(unchanged)} unchanged`;
  return [...lines, plan.length === 0 ? `nothing to do: ${same}` : same].join("\n");
}

/** The ids of a workspace's projects that an update makes live, and of those that it removes. */
export function changedProjects(pointerUpdate: PointerUpdate, workspaceId: string) {
  const changed = pointerUpdate.filter(({ key }) => key.startsWith(POINTER));
  const idsOf = (of: "before" | "after", changes: PointerUpdate) =>
    changes.flatMap(({ key, [of]: name = "" }) =>
      partsOfName(name)?.workspaceId === workspaceId ? key.slice(POINTER.length) : [],
    );
  return {
    projects: idsOf("after", changed),
    removed: idsOf(
      "before",
      changed.filter(({ after }) => after === undefined),
    ),
  };
}

export function pointerLines(pointerUpdate: PointerUpdate): PlanLine[] {
  return pointerUpdate
    .filter(({ key }) => key.startsWith(POINTER))
    .map(({ key, before = "nothing", after = "nothing" }) => ({
      action: "point",
      what: key.slice(POINTER.length),
      reason: `from ${before} to ${after}`,
    }));
}

/** "already live", or for which projects it is. */
export function liveText(
  { projects, removed }: Pick<DeployedRelease, "projects" | "removed">,
  says: string,
): string {
  const live = projects.length === 0 ? "already live" : `${says}for ${projects.join(", ")}`;
  return removed.length === 0 ? live : `${live}; no longer live: ${removed.join(", ")}`;
}
