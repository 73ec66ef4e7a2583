import type { Rendering } from "../documents/rendering.ts";
import type { StartThread } from "../documents/serve-stale.ts";
import { versionIdOf } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Problem } from "../workspace/problem.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { keepRendering, lastOutcome, openRendering } from "./open-rendering.ts";
import { renderDraft, renderedDocuments } from "./render-version.ts";
import type { OnProgress, VersionStore } from "./version-store.ts";

/** How many versions stay in the store unless told otherwise. */
export const KEPT = 20;

export interface FreezeOptions {
  /** R4: warnings refuse too. */
  readonly strict: boolean;
  /** How many versions stay in the store, the current one among them; at least 1. */
  readonly keep?: number;
  /**
   * Tells programs apart that may render differently: what the same program has rendered before is
   * not rendered again. Absent: all is rendered, and nothing is kept for the next time.
   */
  readonly program?: string;
  /** Helps where many entries are to be served. */
  readonly startThread?: StartThread;
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

/**
 * Renders the draft, proves it, makes it the current version (R1 to R4), and prunes the versions
 * before it. Call it in a write transaction, which an error must undo.
 *
 * @throws SvcError `draft-has-problems` with every problem.
 */
export function freezeVersion(
  store: VersionStore,
  workspace: WorkspaceRow,
  options: FreezeOptions,
): Frozen {
  const { strict, keep = KEPT, program, now } = options;
  const { versions, history } = store;
  const { number } = workspace;
  const last = lastOutcome(store, workspace, program);
  if (last?.versionId !== undefined && versions.has(number, last.versionId)) {
    refuseProblems(last.problems, strict);
    const { versionId, problems } = last;
    const published = history.current(number) !== versionId;
    if (published) history.makeCurrent(number, versionId, "republish", now);
    const pruned = history.prune(number, keep);
    if (pruned.length > 0) store.deleteUnusedTexts();
    return { versionId, published, pruned, problems };
  }

  store.checkWhole();
  const rendering = openRendering(store, workspace, program, true);
  const { problems, recipes, files } = renderDraft(rendering, options);
  refuseProblems(problems, strict);
  const { versionId, documents } = keepDocuments(store, workspace, rendering, recipes, options);
  const published = history.current(number) !== versionId;
  const isKnown = versions.has(number, versionId);
  // The same documents may have had the address of an asset before the store held the asset itself.
  if (isKnown) versions.addFiles(number, versionId, files);
  if (published) {
    if (!isKnown) versions.add(number, versionId, documents, files, now);
    history.makeCurrent(number, versionId, isKnown ? "republish" : "publish", now);
  }
  const pruned = history.prune(number, keep);
  keepRendering(store, workspace, program, rendering, { problems, versionId });
  return { versionId, published, pruned, problems };
}

/** Keeps the documents of a draft. Returns their numbers, and the id of their version (R1). */
function keepDocuments(
  store: VersionStore,
  { number }: WorkspaceRow,
  rendering: Rendering,
  recipes: Map<string, string>,
  { onProgress }: FreezeOptions,
): { versionId: string; documents: number[] } {
  const current = store.history.current(number);
  const known = current === undefined ? [] : store.versions.contents(number, current).documents;
  const hashes: (readonly [path: string, sha256: string])[] = [];
  const { size } = recipes;
  const documents: number[] = [];
  for (const document of renderedDocuments(rendering, recipes, known)) {
    hashes.push([document.path, document.frozen]);
    documents.push(document.number ?? store.versions.keepDocument(document));
    onProgress(documents.length, size, "documents frozen");
  }
  return { versionId: versionIdOf(hashes), documents };
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
