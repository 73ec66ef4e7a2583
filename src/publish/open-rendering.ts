import { ALWAYS, isWithin, type LeftOut, type Span } from "../documents/hidden-entries.ts";
import { MemoryPacks } from "../documents/memory-packs.ts";
import { Rendering } from "../documents/rendering.ts";
import { FORM, fromParts, toParts } from "../documents/rendering-parts.ts";
import { Texts } from "../documents/texts.ts";
import type { Problem } from "../workspace/problem.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import type { VersionStore } from "./version-store.ts";

/** How the draft is rendered as it would be published. */
export interface RenderingHow {
  /** The fingerprint of the program, for the rendering cache; absent: the cache is not used. */
  readonly program?: string | undefined;
  /** A4: the reading of the clock, in milliseconds since 1970; default: before all times. */
  readonly at?: number | undefined;
}

/**
 * A rendering of what is published of the draft, which reuses the cached one.
 *
 * @param canWrite whether new texts are saved in the store: in a write transaction only.
 */
export function openRendering(
  store: VersionStore,
  workspace: WorkspaceRow,
  { program, at = ALWAYS.from }: RenderingHow,
  canWrite = false,
): Rendering {
  const draft = store.draft(workspace);
  const texts = canWrite ? store.openTexts() : new Texts(new MemoryPacks(store.packs));
  const earlier =
    program === undefined ? undefined : store.renderings.read(workspace.number, fromParts);
  return new Rendering(draft, { earlier, texts, program, view: { at, showsHidden: false } });
}

/** The result of checking or publishing one revision of a draft. */
export interface Outcome {
  readonly problems: readonly Problem[];
  readonly leftOut: LeftOut;
  /** A5: the readings of the clock that have this outcome. */
  readonly span: Span;
  /** Absent: it was only checked. */
  readonly versionId?: string | undefined;
}

/** The cached outcome, if neither the draft nor the program has changed, and nothing fell due (A5). */
export function lastOutcome(
  store: VersionStore,
  { number, revision }: WorkspaceRow,
  { program, at = ALWAYS.from }: RenderingHow,
): Outcome | undefined {
  if (program === undefined) return undefined;
  return store.renderings.read(number, (read) => {
    const state = JSON.parse(Buffer.from(read("outcome-of")).toString());
    const isSame = state.form === FORM && state.program === program;
    const span = spanOf(state);
    if (!isSame || state.revision !== revision || !isWithin(span, at)) return undefined;
    const problems = JSON.parse(Buffer.from(read("outcome-problems")).toString());
    return { problems, leftOut: state.leftOut, span, versionId: state.versionId };
  });
}

/** Saves a rendering and its outcome in the cache. */
export function cacheRendering(
  store: VersionStore,
  { number, revision }: WorkspaceRow,
  { program }: Pick<RenderingHow, "program">,
  rendering: Rendering,
  { problems, leftOut, versionId }: Omit<Outcome, "span">,
): void {
  if (program !== undefined && rendering.isKeepable) {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value));
    const state = { form: FORM, program, revision, ...rendering.span };
    store.renderings.save(number, toParts(rendering));
    store.renderings.save(number, [
      ["outcome-of", json({ ...state, versionId, leftOut })],
      ["outcome-problems", json(problems)],
    ]);
  }
  store.deleteUnusedTexts();
}

/** JSON has no infinite numbers. */
function spanOf({ from, until }: { from: number | null; until: number | null }): Span {
  return { from: from ?? ALWAYS.from, until: until ?? ALWAYS.until };
}
