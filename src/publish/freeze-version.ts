import {
  ALWAYS,
  isWithin,
  type LeftOut,
  leftOutOf,
  type Span,
} from "../documents/hidden-entries.ts";
import type { Rendering } from "../documents/rendering.ts";
import type { StartThread } from "../documents/serve-stale.ts";
import { versionIdOf } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Problem } from "../workspace/problem.ts";
import { type Severities, withSeverities } from "../workspace/severity.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { cacheRendering, lastOutcome, openRendering, type RenderingHow } from "./open-rendering.ts";
import { renderDraft, renderedDocuments } from "./render-draft.ts";
import type { OnProgress, VersionStore } from "./version-store.ts";

/** How many versions are kept by default. */
export const DEFAULT_KEEP = 20;

export interface FreezeOptions extends RenderingHow {
  /** R4: warnings prevent publishing too. */
  readonly strict: boolean;
  /** N3. */
  readonly severity?: Severities | undefined;
  /** How many versions to keep, the current one included; at least 1. */
  readonly keep?: number;
  /** For drafts with many entries. */
  readonly startThread?: StartThread;
  /** For the journal, and `at` if that is not given. */
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
  /** A1, A4: the entries that are not published. */
  readonly leftOut: LeftOut;
  /** A5: the reading of the clock. RFC 3339, UTC. */
  readonly clock: string;
}

/**
 * Renders and checks the draft, makes it the current version (R1 to R4), and prunes old versions.
 * Call it in a write transaction, which must be rolled back on errors.
 *
 * @throws SvcError `draft-has-problems` with every problem.
 */
export function freezeVersion(
  store: VersionStore,
  workspace: WorkspaceRow,
  options: FreezeOptions,
): Frozen {
  const { strict, severity, keep = DEFAULT_KEEP, now, at = now.getTime(), program } = options;
  const how = { program, at };
  const clock = new Date(at).toISOString();
  const { versions, history } = store;
  const { number } = workspace;
  const last = lastOutcome(store, workspace, how);
  if (last?.versionId !== undefined && versions.has(number, last.versionId)) {
    const { versionId, leftOut, span } = last;
    const problems = withSeverities(last.problems, severity);
    assertPublishable(problems, strict);
    const published = history.current(number) !== versionId;
    if (published) history.makeCurrent(number, versionId, "republish", now);
    noteClock(store, workspace, versionId, span, clock);
    const pruned = history.prune(number, keep);
    if (pruned.length > 0) store.deleteUnusedTexts();
    return { versionId, published, pruned, problems, leftOut, clock };
  }

  store.checkIntegrity();
  const rendering = openRendering(store, workspace, how, true);
  const { problems: found, recipes, files } = renderDraft(rendering, options);
  const problems = withSeverities(found, severity);
  assertPublishable(problems, strict);
  const { versionId, documents } = saveDocuments(store, workspace, rendering, recipes, options);
  const published = history.current(number) !== versionId;
  const exists = versions.has(number, versionId);
  // The documents may have had the URL of an asset before the store had the asset itself.
  if (exists) versions.addFiles(number, versionId, files);
  if (published) {
    if (!exists) versions.add(number, versionId, documents, files, now, clock);
    history.makeCurrent(number, versionId, exists ? "republish" : "publish", now);
  }
  noteClock(store, workspace, versionId, rendering.span, clock);
  const pruned = history.prune(number, keep);
  const leftOut = leftOutOf(rendering.table.hidden);
  const outcome = { problems: found, leftOut, versionId };
  cacheRendering(store, workspace, how, rendering, outcome);
  return { versionId, published, pruned, problems, leftOut, clock };
}

/** A5, A6: keeps the reading of the clock, if something fell due since the version's own. */
function noteClock(
  { history }: VersionStore,
  { number }: WorkspaceRow,
  versionId: string,
  span: Span,
  clock: string,
): void {
  const before = history.clock(number, versionId);
  const wasWithin = isWithin(span, before === null ? ALWAYS.from : Date.parse(before));
  if (!wasWithin) history.setClock(number, versionId, clock);
}

/** Saves the documents of a draft. Returns their numbers and their version id (R1). */
function saveDocuments(
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
    documents.push(document.number ?? store.versions.saveDocument(document));
    onProgress(documents.length, size, "documents frozen");
  }
  return { versionId: versionIdOf(hashes), documents };
}

/** R4. */
function assertPublishable(problems: readonly Problem[], strict: boolean): void {
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
