import type { PublishedSide } from "../diff/snapshot.ts";
import { ALWAYS, type LeftOut, leftOutOf, type Span } from "../documents/hidden-entries.ts";
import { type OnProgress, Rendering } from "../documents/rendering.ts";
import type { Draft } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Hold } from "../workspace/hold.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Severities } from "../workspace/severity.ts";
import { renderVersion, type Version } from "./version.ts";

/** Where a draft is, and what becomes of it when it is published: a folder's in memory, or a store's. */
export interface DraftSource {
  readonly workspaceId: string;
  /** R6a. */
  readonly hold: Hold | undefined;
  /** A5a: the reading of the clock of what is published, RFC 3339; null: nothing is, or it is not known. */
  readonly clock: string | null;
  /** Runs `work` on the draft, of which it sees one state. */
  read<T>(work: (draft: Draft) => T): T;
  /** Every problem of the draft (P1). */
  check(options: RenderOptions): readonly Problem[];
  /** What is published now. */
  before(out: string): Before;
  /** Runs `work`, which makes a version: the commit point (R5). */
  commit<T>(work: () => T): T;
  /** Runs `work` as `commit` does, and keeps nothing of it. */
  attempt<T>(work: () => T): T;
  /** Within `commit`: renders and checks the draft. */
  render(options: RenderOptions): Rendered;
  /** Within `commit`: keeps a version, as the current one (R3, R7). */
  keep(rendered: Rendered, now: Date, clock: string): void;
  /** Within `commit`, R8: the ids of the versions that are removed, newest first. */
  prune(keep: number): readonly string[];
  /** Runs `work`, which writes the bytes of a version that was committed; its errors say what became of it. */
  write<T>(version: Version, work: () => T): T;
}

/** How a draft is rendered as it would be published. */
export interface RenderOptions {
  /** A4: the reading of the clock, in milliseconds since 1970; default: before all times. */
  readonly at?: number | undefined;
  /** Identifies the program, which may render differently than another; absent: nothing is cached. */
  readonly program?: string | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** N3. */
  readonly severity?: Severities | undefined;
  /** R12b: in bytes; absent: no limit. */
  readonly maxSize?: number | undefined;
}

/** A draft as it would be published, and what checking it has found. */
export interface Rendered {
  readonly version: Version;
  readonly problems: readonly Problem[];
  /** A1, A4: the entries that are not published. */
  readonly leftOut: LeftOut;
  /** A5: the readings of the clock that have this outcome. */
  readonly span: Span;
}

/** A content document of what was published before. */
export interface EarlierContent {
  /** Whether the new version has it too, so that none of its entries went. */
  readonly isKept: boolean;
  readonly bytes: () => Buffer;
}

/** What is published before another version is. */
export interface Before {
  /** Undefined: nothing is published. */
  readonly versionId: string | undefined;
  /** R12a: of its files. */
  readonly paths: readonly string[];
  /** Its contents, beside those of another version. */
  contents(version: Version): Iterable<EarlierContent>;
  /** All of it, proven (D4a). */
  side(): PublishedSide;
}

/** What is published of a draft. */
export function publishedRendering(
  draft: Draft,
  { at = ALWAYS.from, severity }: RenderOptions,
  isProven = false,
): Rendering {
  const view = { at, showsHidden: false };
  return new Rendering(draft, { view, isProven, severities: severity });
}

/** @param save gets the bytes of each document with version id null, and their hash. */
export function renderDraft(
  draft: Draft,
  options: RenderOptions,
  save?: (sha256: string, bytes: Buffer) => void,
): Rendered {
  const rendering = publishedRendering(draft, options, true);
  const version = renderVersion(rendering, options.onProgress, save, options.maxSize);
  const { hidden, span } = rendering;
  return { version, problems: version.problems, leftOut: leftOutOf(hidden), span };
}

/**
 * Runs `work` on the files of a version that was committed.
 *
 * @param state what the version is, if that fails. @param remedy the command that completes it.
 */
export function completing<T>(
  { versionId }: Version,
  [state, remedy]: readonly [state: string, remedy: string],
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, hint = "fix that" } = error;
    throw new SvcError(code, `${message}; version ${versionId} is ${state}`, {
      hint: `${hint}; then ${remedy} completes the files`,
      cause: error,
    });
  }
}
