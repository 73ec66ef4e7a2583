import { MemoryPacks } from "../documents/memory-packs.ts";
import { Rendering } from "../documents/rendering.ts";
import { fromParts, toParts } from "../documents/rendering-parts.ts";
import { Texts } from "../documents/texts.ts";
import type { Problem } from "../workspace/problem.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import type { VersionStore } from "./version-store.ts";

/**
 * A rendering of the draft that reuses the cached one.
 *
 * @param program the fingerprint of the program; undefined: the cache is not used.
 * @param canWrite whether new texts are saved in the store: in a write transaction only.
 */
export function openRendering(
  store: VersionStore,
  workspace: WorkspaceRow,
  program: string | undefined,
  canWrite = false,
): Rendering {
  const draft = store.draft(workspace);
  const texts = canWrite ? store.openTexts() : new Texts(new MemoryPacks(store.packs));
  const earlier =
    program === undefined ? undefined : store.renderings.read(workspace.number, fromParts);
  return new Rendering(draft, { earlier, texts, program });
}

/** The result of checking or publishing one revision of a draft. */
export interface Outcome {
  readonly problems: readonly Problem[];
  /** Absent: it was only checked. */
  readonly versionId?: string | undefined;
}

/** The cached outcome, if neither the draft nor the program has changed. */
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

/** Saves a rendering and its outcome in the cache. */
export function cacheRendering(
  store: VersionStore,
  { number, revision }: WorkspaceRow,
  program: string | undefined,
  rendering: Rendering,
  { problems, versionId }: Outcome,
): void {
  if (program !== undefined && rendering.isKeepable) {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value));
    store.renderings.save(number, toParts(rendering));
    store.renderings.save(number, [
      ["outcome-of", json({ program, revision, versionId })],
      ["outcome-problems", json(problems)],
    ]);
  }
  store.deleteUnusedTexts();
}
