import { expect } from "vitest";
import { checkDraft } from "../../../src/documents/check-draft.ts";
import type { EntryTable } from "../../../src/documents/entry-table.ts";
import { Rendering } from "../../../src/documents/rendering.ts";
import { fromParts } from "../../../src/documents/rendering-parts.ts";
import type { Store, WorkspaceRow } from "../../../src/store/store.ts";

/**
 * What the store keeps of a draft's rendering says the same as one that is made anew.
 *
 * @param isSpoiled whether a part may be missing: it is made again when the draft has changed.
 */
export function expectKept(store: Store, workspace: WorkspaceRow, isSpoiled = false): void {
  store.read(() => {
    const kept = store.renderings.read(workspace.number, fromParts);
    if (kept === undefined && isSpoiled) return;
    const anew = new Rendering(store.draft(workspace));
    checkDraft(anew);
    expect(kept?.revision).toBe(workspace.revision);
    expect(kept && saidBy(kept.table)).toEqual(saidBy(anew.table));
    const revisions = anew.draft.changes.assetRevisions();
    const ofAssets = kept?.table.assetIds.list.map((id) => revisions.get(id) ?? 0);
    expect(kept?.table.assetRevisions).toEqual(ofAssets);
  });
}

/** What a table says, without the numbers by which it says it. */
function saidBy(table: EntryTable) {
  const idOf = (entry: number) => table.ids.id(entry);
  const entries = Array.from({ length: table.size }, (_, entry) => entry);
  const pointersOf = (entry: number) => {
    const pointers = table.pointers.get(entry);
    return Array.from({ length: pointers.length / 2 }, (_, at) => {
      const target = pointers[2 * at] as number;
      const path = table.paths.list[pointers[2 * at + 1] as number];
      return target < 0 ? [table.missing.list[-1 - target], path, "missing"] : [idOf(target), path];
    });
  };
  const namesOf = (numbers: Int32Array, names: readonly string[]) =>
    Array.from(numbers, (number) => names[number]);
  return {
    entries: new Map(
      entries
        .filter((entry) => table.isThere(entry))
        .map((entry) => [
          idOf(entry),
          {
            model: table.modelIds.list[table.models[entry] as number],
            row: table.rows[entry],
            pointers: pointersOf(entry),
            assets: namesOf(table.assets.get(entry), table.assetIds.list),
            files: namesOf(table.files.get(entry), table.heldFiles.list),
            problems: table.problems.get(entry),
            unproven: table.unproven.get(entry),
          },
        ]),
    ),
    foreign: table.foreign,
    outlines: new Map(
      [...table.outlines].map(([id, { config: _config, schema: _schema, ...outline }]) => [
        id,
        {
          ...outline,
          experiences: outline.experiences.map((one) => ({
            ...one,
            content: one.content.map(idOf),
          })),
          entries: outline.entries.map(idOf),
        },
      ]),
    ),
  };
}
