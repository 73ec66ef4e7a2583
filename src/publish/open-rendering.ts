import { MemoryPacks } from "../documents/memory-packs.ts";
import { Rendering } from "../documents/rendering.ts";
import { fromParts, toParts } from "../documents/rendering-parts.ts";
import { Texts } from "../documents/texts.ts";
import type { Problem } from "../workspace/problem.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import type { VersionStore } from "./version-store.ts";

/**
 * A rendering of the draft that begins with what is kept of the last one.
 *
 * @param program tells programs apart that may render differently; absent: all is rendered anew.
 * @param isKept whether new texts may be kept in the store: within a write transaction only.
 */
export function openRendering(
  store: VersionStore,
  workspace: WorkspaceRow,
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
export function lastOutcome(
  store: VersionStore,
  { number, revision }: WorkspaceRow,
  program: string | undefined,
): Outcome | undefined {
  if (program === undefined) return undefined;
  return store.renderings.read(number, (read) => {
    const state = JSON.parse(Buffer.from(read("outcome-of")).toString());
    if (state.program !== program || state.revision !== revision) return undefined;
    const problems = JSON.parse(Buffer.from(read("outcome-problems")).toString());
    return { problems, versionId: state.versionId };
  });
}

/** Keeps a rendering for the next one, with what the draft came to. */
export function keepRendering(
  store: VersionStore,
  { number, revision }: WorkspaceRow,
  program: string | undefined,
  rendering: Rendering,
  { problems, versionId }: Outcome,
): void {
  if (program !== undefined && rendering.isKeepable) {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value));
    store.renderings.keep(number, toParts(rendering));
    store.renderings.keep(number, [
      ["outcome-of", json({ program, revision, versionId })],
      ["outcome-problems", json(problems)],
    ]);
  }
  store.deleteUnusedTexts();
}
