import {
  ALWAYS,
  isWithin,
  type LeftOut,
  leftOutOf,
  type Span,
} from "../documents/hidden-entries.ts";
import type { Store } from "../store/store.ts";
import type { WorkspaceRow } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Problem } from "../workspace/problem.ts";
import {
  type DraftSource,
  lastOutcome,
  publishedRendering,
  type RenderOptions,
  saveOutcome,
} from "./outcome.ts";
import { type RenderedVersion, renderVersion, storedVersion, type Version } from "./version.ts";

/** How many versions are kept by default (R8). */
export const DEFAULT_KEEP = 20;

/** R12b: of what a publish writes, in bytes. */
export const DEFAULT_MAX_SIZE = 2 ** 30;

export interface FreezeOptions extends RenderOptions {
  /** R4: warnings prevent publishing too. */
  readonly strict: boolean;
  /** How many versions to keep, the current one included; at least 1. */
  readonly keep?: number;
  /** R12b: in bytes. */
  readonly maxSize?: number;
  /** For the journal, and `at` if that is not given. */
  readonly now: Date;
}

/** Gets a draft's version as soon as it is rendered, also when it is refused. */
export type Inspect = (version: RenderedVersion) => void;

export interface Frozen {
  readonly version: Version;
  /** The version that was the current one; undefined: none, or nothing is kept. */
  readonly from: string | undefined;
  /** The versions that were deleted, newest first. */
  readonly pruned: readonly string[];
  readonly problems: readonly Problem[];
  /** A1, A4: the entries that are not published. */
  readonly leftOut: LeftOut;
  /** A5: the reading of the clock. RFC 3339, UTC. */
  readonly clock: string;
}

/**
 * Renders and checks a draft. That of a store becomes the current version (R1 to R4), and old versions
 * are pruned: call it in a write transaction then, which must be rolled back on errors.
 *
 * @throws SvcError `draft-has-problems` with every problem.
 */
export function freeze(
  source: DraftSource,
  options: FreezeOptions,
  inspect: Inspect = () => {},
): Frozen {
  const at = options.at ?? options.now.getTime();
  const clock = new Date(at).toISOString();
  if (source.kind === "store") {
    return { ...freezeStored(source, { ...options, at }, clock, inspect), clock };
  }
  const rendering = publishedRendering(source.draft, { ...options, at }, true);
  const { onProgress, maxSize = DEFAULT_MAX_SIZE } = options;
  const version = renderVersion(rendering, onProgress, undefined, maxSize);
  inspect(version);
  const problems = publishable(version.problems, options);
  const leftOut = leftOutOf(rendering.hidden);
  return { version, from: undefined, pruned: [], problems, leftOut, clock };
}

function freezeStored(
  { store, workspace }: Extract<DraftSource, { kind: "store" }>,
  options: FreezeOptions,
  clock: string,
  inspect: Inspect,
): Omit<Frozen, "clock"> {
  const { keep = DEFAULT_KEEP, maxSize = DEFAULT_MAX_SIZE, now, onProgress } = options;
  const { versions, history } = store;
  const { number } = workspace;
  const from = history.current(number);
  const last = lastOutcome(store, workspace, options);
  if (last?.versionId !== undefined && versions.has(number, last.versionId)) {
    const { versionId, leftOut, span } = last;
    const problems = publishable(last.problems, options);
    if (from !== versionId) history.makeCurrent(number, versionId, "republish", now);
    noteClock(store, workspace, versionId, span, clock);
    const pruned = history.prune(number, keep);
    return { version: storedVersion(store, workspace, versionId), from, pruned, problems, leftOut };
  }
  store.checkIntegrity();
  const rendering = publishedRendering(store.draft(workspace), options, true);
  const save = (hash: string, bytes: Buffer) => versions.saveDocument(hash, bytes);
  const version = renderVersion(rendering, onProgress, save, maxSize);
  inspect(version);
  const problems = publishable(version.problems, options);
  const { versionId, files } = version;
  const exists = versions.has(number, versionId);
  // The documents may have had the URL of an asset before the store had the asset itself.
  if (exists) versions.addFiles(number, versionId, files);
  else versions.add(number, version, now, clock);
  if (from !== versionId) {
    history.makeCurrent(number, versionId, exists ? "republish" : "publish", now);
  }
  const { hidden, span } = rendering;
  noteClock(store, workspace, versionId, span, clock);
  const pruned = history.prune(number, keep);
  const leftOut = leftOutOf(hidden);
  saveOutcome(store, workspace, options, { problems: version.problems, leftOut, span, versionId });
  return { version, from, pruned, problems, leftOut };
}

/** A5a, A6: keeps the reading of the clock, if something fell due since the version's own. */
function noteClock(
  { history }: Store,
  { number }: WorkspaceRow,
  versionId: string,
  span: Span,
  clock: string,
): void {
  const before = history.clock(number, versionId);
  const wasWithin = isWithin(span, before === null ? ALWAYS.from : Date.parse(before));
  if (!wasWithin) history.setClock(number, versionId, clock);
}

/** R4: the problems, if they do not refuse the draft. */
function publishable(problems: readonly Problem[], { strict }: FreezeOptions): readonly Problem[] {
  const refusing = problems.filter(({ level }) => strict || level === "error");
  if (refusing.length === 0) return problems;
  const what = strict ? "problem" : "error";
  const count = refusing.length === 1 ? `1 ${what}` : `${refusing.length} ${what}s`;
  throw new SvcError("draft-has-problems", `the draft has ${count}, so nothing was published`, {
    hint: strict
      ? "fix them, or publish without --strict to accept warnings"
      : "fix them, then publish again",
    problems: { kind: "draft", list: problems },
  });
}
