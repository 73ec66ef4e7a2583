import type { RenamedEntry } from "../diff/renamed-entries.ts";
import type { LeftOut } from "../documents/hidden-entries.ts";
import type { OnProgress } from "../documents/rendering.ts";
import { withLock } from "../files/lock.ts";
import { SvcError } from "../workspace/errors.ts";
import { type Hold, heldError } from "../workspace/hold.ts";
import type { Problem } from "../workspace/problem.ts";
import { applyPlan, countPlan, type FileCounts, isUpToDate, journalPlan } from "./apply-plan.ts";
import type { Before, DraftSource, RenderOptions } from "./draft-source.ts";
import { type OutPlan, planOut } from "./plan-out.ts";
import {
  assertRemovals,
  countRemovals,
  DEFAULT_KEEP,
  DEFAULT_MAX_SIZE,
  DEFAULT_REMOVAL_LIMIT,
  type DocumentRemovals,
  type RemovalLimit,
} from "./publish-limits.ts";
import { renamedTargets } from "./renamed-targets.ts";
import { sizeOf, type Version } from "./version.ts";

export interface PublishOptions extends RenderOptions {
  /** R4: warnings prevent publishing too. */
  readonly strict: boolean;
  /** How many versions to keep, the current one included; at least 1. */
  readonly keep?: number;
  /** For the journal, and `at` if that is not given. */
  readonly now: Date;
  /** R12; absent: no limit. */
  readonly maxRemovals?: RemovalLimit;
}

/** What a publish has done, or a dry run would have. */
export interface Published {
  readonly workspaceId: string;
  readonly versionId: string;
  /** False when this version was the current one already (R2). */
  readonly published: boolean;
  readonly files: FileCounts;
  /** R12b: of all files of the version. */
  readonly bytes: number;
  /** The versions that were deleted, newest first. */
  readonly pruned: readonly string[];
  readonly problems: readonly Problem[];
  /** A1, A4: the entries that are not published. */
  readonly leftOut: LeftOut;
  /** A5: the reading of the clock. RFC 3339, UTC. */
  readonly clock: string;
}

/**
 * R5: renders the draft as a version and writes it to `out`. That of a store becomes the current version:
 * the store's transaction is the commit point, and after it `write` can complete an interrupted write
 * at any time.
 *
 * @param onRenamed D6: gets the entries that seem to be renamed, also when the publish is refused.
 * @throws SvcError `draft-has-problems` with every problem, `publish-too-large`, `held`, `too-many-removals`,
 *   `out-locked`, `out-taken`, `out-obstructed`, `out-unwritable`, `disk-full`, `manifest-invalid`, and those of
 *   the store.
 */
export function publish(
  source: DraftSource,
  out: string,
  options: PublishOptions,
  onRenamed?: (renamed: readonly RenamedEntry[]) => void,
): Published {
  const { maxRemovals, keep = DEFAULT_KEEP, onProgress } = options;
  const { made, files } = committed(source, out, onProgress, () => {
    const { made, before, plan } = prepare(source, out, options, onRenamed);
    if (made.published) {
      const { workspaceId, hold } = source;
      if (hold !== undefined) throw heldError(workspaceId, hold, "svc resume");
      if (maxRemovals) assertRemovals(countRemovals(before.paths, plan.paths, maxRemovals));
    }
    return { plan, made: { ...made, pruned: source.prune(keep) } };
  });
  return { ...made, files };
}

/**
 * The result that `publish` would have. That of a store is made in a transaction that is rolled back.
 *
 * @param inspect called within it, with the version that would be published and what is published now.
 */
export function planPublish<T = undefined>(
  source: DraftSource,
  out: string,
  options: PublishOptions,
  inspect?: (to: Version, before: Before) => T,
): Published & { inspected: T | undefined; removals: DocumentRemovals; hold: Hold | undefined } {
  const { maxRemovals = DEFAULT_REMOVAL_LIMIT, keep = DEFAULT_KEEP } = options;
  return source.attempt(() => {
    const { made, before, plan } = prepare(source, out, options);
    const removals = countRemovals(before.paths, plan.paths, maxRemovals);
    const hold = made.published ? source.hold : undefined;
    // What is pruned may be what is compared with.
    const inspected = inspect?.(plan.version, before);
    const pruned = source.prune(keep);
    return { ...made, pruned, files: countPlan(plan), inspected, removals, hold };
  });
}

/** Within the source's `commit`: makes the version and plans its files. */
function prepare(
  source: DraftSource,
  out: string,
  options: PublishOptions,
  onRenamed?: (renamed: readonly RenamedEntry[]) => void,
) {
  const { now, at = now.getTime(), maxSize = DEFAULT_MAX_SIZE, onProgress } = options;
  const clock = new Date(at).toISOString();
  const rendered = source.render({ ...options, at, maxSize });
  const { version, problems, leftOut } = rendered;
  onRenamed?.(renamedTargets(rendered, () => source.before(out).contents(version)));
  assertPublishable(problems, options);
  const before = source.before(out);
  source.keep(rendered, now, clock);
  const { workspaceId } = source;
  const { versionId } = version;
  const published = versionId !== before.versionId;
  const bytes = sizeOf(version);
  const made = { workspaceId, versionId, published, bytes, problems, leftOut, clock };
  return { made, before, plan: planOut(workspaceId, version, out, onProgress) };
}

/**
 * Locks `out`, runs `prepare`, which makes a version and plans its files, as one commit, and writes the files. The
 * journal of `out` is written last before the commit.
 *
 * @param prepare throws to refuse the plan; nothing is changed then.
 */
export function committed<T extends { readonly plan: OutPlan }>(
  source: Pick<DraftSource, "commit" | "write">,
  out: string,
  onProgress: OnProgress | undefined,
  prepare: () => T,
): T & { files: FileCounts } {
  return withLock(out, () => {
    let undoJournal = () => {};
    try {
      const made = source.commit(() => {
        const prepared = prepare();
        undoJournal = journalPlan(prepared.plan);
        return prepared;
      });
      undoJournal = () => {};
      const { plan } = made;
      const apply = () => applyPlan(plan, onProgress);
      return { ...made, files: isUpToDate(plan) ? apply() : source.write(plan.version, apply) };
    } catch (error) {
      undoJournal();
      throw error;
    }
  });
}

/** R4: @throws SvcError `draft-has-problems` if they refuse the draft. */
function assertPublishable(problems: readonly Problem[], { strict }: PublishOptions): void {
  const refusing = problems.filter(({ level }) => strict || level === "error");
  if (refusing.length === 0) return;
  const what = strict ? "problem" : "error";
  const count = refusing.length === 1 ? `1 ${what}` : `${refusing.length} ${what}s`;
  throw new SvcError("draft-has-problems", `the draft has ${count}, so nothing was published`, {
    hint: strict
      ? "fix them, or publish without --strict to accept warnings"
      : "fix them, then publish again",
    problems: { kind: "draft", list: problems },
  });
}
