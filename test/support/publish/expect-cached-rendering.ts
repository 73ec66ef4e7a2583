import { expect } from "vitest";
import { checkDraft } from "../../../src/documents/check-draft.ts";
import type { EntryTable } from "../../../src/documents/entry-table.ts";
import { Rendering } from "../../../src/documents/rendering.ts";
import { fromParts } from "../../../src/documents/rendering-parts.ts";
import type { Store } from "../../../src/store/store.ts";
import type { WorkspaceRow } from "../../../src/workspace/workspace-row.ts";

/**
 * Expects that the cached rendering of a draft equals a new one.
 *
 * @param at the time on the clock.
 * @param mayBeMissing whether parts were damaged: they are saved again when the draft changes.
 */
export function expectCachedRendering(
  store: Store,
  workspace: WorkspaceRow,
  mayBeMissing = false,
  at = Number.NEGATIVE_INFINITY,
): void {
  store.read(() => {
    const cached = store.renderings.read(workspace.number, fromParts);
    if (cached === undefined && mayBeMissing) return;
    const fresh = new Rendering(store.draft(workspace), { view: { at, showsHidden: false } });
    checkDraft(fresh);
    expect(cached?.revision).toBe(workspace.revision);
    expect(cached && contentsOf(cached.table)).toEqual(contentsOf(fresh.table));
    const revisions = fresh.draft.changes.assetRevisions();
    const ofAssets = cached?.table.assetIds.list.map((id) => revisions.get(id) ?? 0);
    expect(cached?.table.assetRevisions).toEqual(ofAssets);
  });
}

/** The contents of a table, with ids instead of numbers. */
function contentsOf(table: EntryTable) {
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
        .filter((entry) => table.exists(entry))
        .map((entry) => [
          idOf(entry),
          {
            model: table.modelIds.list[table.models[entry] as number],
            row: table.rows[entry],
            pointers: pointersOf(entry),
            assets: namesOf(table.assets.get(entry), table.assetIds.list),
            files: namesOf(table.files.get(entry), table.heldFiles.list),
            form: [idOf(table.forms.entryOf(entry)), table.forms.languageOf(entry)],
            problems: table.problems.get(entry),
            schemaFault: table.schemaFaults.get(entry),
          },
        ]),
    ),
    languages: table.languages,
    foreign: table.foreign,
    hidden: new Map([...table.hidden].map(([entry, why]) => [idOf(entry), why])),
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
