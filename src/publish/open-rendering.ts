import { MemoryPacks } from "../documents/memory-packs.ts";
import { Rendering } from "../documents/rendering.ts";
import { FORM, fromParts, toParts } from "../documents/rendering-parts.ts";
import { Texts } from "../documents/texts.ts";
import type { Problem } from "../workspace/problem.ts";
import type { PublishedWorkspace, VersionStore } from "./version-store.ts";

/**
 * A rendering of the draft that begins with what is kept of the last one.
 *
 * @param program tells programs apart that may render differently; absent: all is rendered anew.
 * @param isKept whether new texts may be kept in the store: within a write transaction only.
 */
export function openRendering<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  program: string | undefined,
  isKept = false,
): Rendering {
  const draft = store.draft(workspace);
  const texts = isKept ? store.openTexts() : new Texts(new MemoryPacks(store.packs));
  const earlier =
    program === undefined ? undefined : store.renderings.read(workspace.number, fromParts);
  return new Rendering(draft, { earlier, texts, program });
}

/** What a draft came to at one revision. */
export interface Outcome {
  readonly problems: readonly Problem[];
  /** The version that publishing it came to; absent: only its problems were looked for. */
  readonly versionId?: string | undefined;
}

/** What the draft came to, if nothing has changed since then. */
export function lastOutcome<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  { number, revision }: W,
  program: string | undefined,
): Outcome | undefined {
  if (program === undefined) return undefined;
  return store.renderings.read(number, (read) => {
    const state = JSON.parse(Buffer.from(read("outcome-of")).toString());
    const isSame = state.form === FORM && state.program === program;
    if (!isSame || state.revision !== revision) return undefined;
    const problems = JSON.parse(Buffer.from(read("outcome-problems")).toString());
    return { problems, versionId: state.versionId };
  });
}

/** Keeps a rendering for the next one, with what the draft came to. */
export function keepRendering<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  { number, revision }: W,
  program: string | undefined,
  rendering: Rendering,
  { problems, versionId }: Outcome,
): void {
  if (program !== undefined && rendering.isKeepable) {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value));
    store.renderings.keep(number, toParts(rendering));
    store.renderings.keep(number, [
      ["outcome-of", json({ form: FORM, program, revision, versionId })],
      ["outcome-problems", json(problems)],
    ]);
  }
  store.deleteUnusedTexts();
}
