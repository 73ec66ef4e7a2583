import { SvcError } from "../workspace/errors.ts";
import type { Problem } from "../workspace/problem.ts";
import { renderChanged } from "./render-changed.ts";
import { renderDraft } from "./render-draft.ts";
import type { OnProgress, PublishedWorkspace, VersionStore } from "./version-store.ts";

/** How many versions stay in the store unless told otherwise. */
export const KEPT = 20;

export interface FreezeOptions {
  /** R4: warnings refuse too. */
  readonly strict: boolean;
  /** How many versions stay in the store, the current one among them; at least 1. */
  readonly keep?: number;
  /**
   * Tells programs apart that may render differently: what the same program has rendered before is
   * not rendered again. Absent: all is rendered.
   */
  readonly program?: string;
  readonly now: Date;
  readonly onProgress: OnProgress;
}

export interface Frozen {
  readonly versionId: string;
  /** False when this version was the current one already (R2). */
  readonly published: boolean;
  /** The versions that were deleted, newest first. */
  readonly pruned: readonly string[];
  readonly problems: readonly Problem[];
}

/** A draft as a version, its documents kept in the store. */
export interface RenderedVersion {
  readonly versionId: string;
  /** All problems of the draft. */
  readonly problems: readonly Problem[];
  /** Adds it to the versions of the store, which do not have it. */
  readonly add: (publishedAt: Date) => void;
  /** The asset files that it shows, when they were looked at: SHA-256 by path. */
  readonly files?: ReadonlyMap<string, string>;
}

/**
 * Renders the draft, proves it, makes it the current version (R1 to R4), and prunes the versions
 * before it. Call it in a write transaction, which an error must undo.
 *
 * @throws SvcError `draft-has-problems` with every problem.
 */
export function freezeVersion<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  { strict, keep = KEPT, program, now, onProgress }: FreezeOptions,
): Frozen {
  const { versions, history, lastRenderings } = store;
  const { number } = workspace;
  const refuse = (problems: readonly Problem[]) => refuseProblems(problems, strict);
  const { versionId, problems, add, files } =
    (program === undefined ? undefined : renderChanged(store, workspace, program, refuse)) ??
    renderDraft(store, workspace, refuse, onProgress);
  const published = history.current(number) !== versionId;
  const isKnown = versions.has(number, versionId);
  // The same documents may have had the address of an asset before the store held the asset itself.
  if (isKnown && files !== undefined) versions.addFiles(number, versionId, files);
  if (published) {
    if (!isKnown) add(now);
    history.makeCurrent(number, versionId, isKnown ? "republish" : "publish", now);
  }
  const pruned = history.prune(number, keep);
  if (program !== undefined) lastRenderings.keep(number, { program, versionId, problems });
  return { versionId, published, pruned, problems };
}

/** R4. */
function refuseProblems(problems: readonly Problem[], strict: boolean): void {
  const refusing = problems.filter(({ level }) => strict || level === "error");
  if (refusing.length === 0) return;
  const what = strict ? "problem" : "error";
  const count = refusing.length === 1 ? `1 ${what}` : `${refusing.length} ${what}s`;
  throw new SvcError("draft-has-problems", `the draft has ${count}, so nothing was published`, {
    hint: strict
      ? "mend them, or publish without --strict to accept warnings"
      : "mend them; svc check lists them at any time",
    problems,
  });
}
