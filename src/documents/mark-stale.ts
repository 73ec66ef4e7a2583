import type { Draft } from "../workspace/draft.ts";
import type { Hidden } from "../workspace/problem.ts";
import { type EntryNumber, GONE } from "./entry-lookup.ts";
import type { EntryTable } from "./entry-table.ts";
import { applyLanguages } from "./table-languages.ts";

/**
 * Brings a table from an earlier revision of the draft to this one: adds and removes entries, and
 * marks as stale those that may be served differently, because their row changed or something that
 * they were made from.
 */
export function markStale(
  table: EntryTable,
  draft: Draft,
  since: number,
  now: {
    /** A1: the entries that are not published, by id. */
    readonly hidden: ReadonlyMap<string, Hidden>;
    readonly showsHidden: boolean;
    /** B1: how many languages are in use, and the models whose entries differ by language. */
    readonly languages: readonly string[];
    readonly localized: ReadonlySet<string>;
    readonly ofModel: (modelId: string) => boolean;
    readonly ofProjects: boolean;
  },
): void {
  const changed = new ChangedNames(table);
  if (draft.revision !== since) {
    applyRows(table, draft, since, changed);
    applyAssets(table, draft, since, changed);
    applyForeign(table, draft, changed);
    table.dropOutlines(draft.changes.projectsSince(since));
  }
  applyLanguages(table, now, draft.revision !== since);
  applyHidden(table, now, changed);
  changed.invalidateDependents();
  changed.dropOutlines();
  if (now.ofProjects) table.dropOutlines();
  const stale = new Set<number>();
  for (const [number, modelId] of table.modelIds.list.entries()) {
    if (now.ofModel(modelId)) stale.add(number);
  }
  if (stale.size === 0) return;
  for (let entry = 0; entry < table.size; entry += 1) {
    if (stale.has(table.models[entry] as number)) table.invalidate(entry);
  }
}

/** What changed of the things that entries are made from. */
class ChangedNames {
  /** Entries that were removed or have another model. */
  readonly entries = new Set<EntryNumber>();
  /** Numbers in `missing`. */
  readonly missing = new Set<number>();
  /** Numbers in `assetIds`. */
  readonly assets = new Set<number>();
  readonly #table: EntryTable;

  constructor(table: EntryTable) {
    this.#table = table;
  }

  /** The entry comes or goes for those that point at it. */
  addTarget(entry: EntryNumber): void {
    this.entries.add(entry);
    const missing = this.#table.missing.find(this.#table.ids.id(entry));
    if (missing !== undefined) this.missing.add(missing);
  }

  /** Drops the outlines of projects that show something that changed. */
  dropOutlines(): void {
    const { outlines, assetIds, missing } = this.#table;
    const assets = new Set([...this.assets].map((asset) => assetIds.list[asset]));
    for (const outline of outlines.values()) {
      const isSame =
        !outline.entries.some((entry) => this.entries.has(entry)) &&
        !outline.missing.some((id) => this.missing.has(missing.find(id) ?? -1)) &&
        !outline.assets.some((id) => assets.has(id));
      if (!isSame) this.#table.dropOutlines([outline.id]);
    }
  }

  invalidateDependents(): void {
    const { entries, missing, assets } = this;
    if (entries.size + missing.size + assets.size === 0) return;
    const table = this.#table;
    for (let entry = 0; entry < table.size; entry += 1) {
      if (table.fresh[entry] === 0) continue;
      const pointers = table.pointers.get(entry);
      let isStale = false;
      for (let at = 0; at < pointers.length && !isStale; at += 2) {
        const target = pointers[at] as number;
        isStale = target < 0 ? missing.has(-1 - target) : entries.has(target);
      }
      if (isStale || table.assets.get(entry).some((asset) => assets.has(asset)))
        table.invalidate(entry);
    }
  }
}

function applyRows(table: EntryTable, draft: Draft, since: number, changed: ChangedNames): void {
  const isEarlier = table.size > 0;
  const changedRows = new Map<number, EntryNumber>();
  for (const [row, id, modelId] of draft.changes.entriesSince(since)) {
    let entry = table.ids.find(id);
    if (entry === undefined) entry = table.add(id, row, modelId);
    else {
      const model = table.modelIds.number(modelId);
      if (table.models[entry] === GONE) table.staleCount += 1;
      else table.invalidateAll(entry);
      if (table.models[entry] !== model) changed.entries.add(entry);
      table.move(entry, row, model);
      for (const form of table.forms.of(entry)) table.move(form, row, model);
    }
    const missing = table.missing.find(id);
    if (missing !== undefined) changed.missing.add(missing);
    if (isEarlier) changedRows.set(row, entry);
  }
  if (!isEarlier || draft.changes.entryRemoved <= since) return;
  const rows = new Set(draft.changes.entryNumbers());
  for (let entry = 0; entry < table.size; entry += 1) {
    if (!table.exists(entry)) continue;
    const row = table.rows[entry] as number;
    // SQLite may have reused the row of a removed entry.
    const known = table.forms.entryOf(entry);
    if (rows.has(row) && (changedRows.get(row) ?? known) === known) continue;
    if (table.forms.isForm(entry)) table.removeForm(entry);
    else {
      table.remove(entry);
      changed.entries.add(entry);
    }
  }
}

function applyAssets(table: EntryTable, draft: Draft, since: number, changed: ChangedNames): void {
  if (draft.changes.assetChanged <= since) return;
  const revisions = draft.changes.assetRevisions();
  for (const [number, id] of table.assetIds.list.entries()) {
    const revision = revisions.get(id) ?? 0;
    if (table.assetRevisions[number] !== revision) changed.assets.add(number);
    table.assetRevisions[number] = revision;
  }
}

function applyForeign(table: EntryTable, draft: Draft, changed: ChangedNames): void {
  const foreign = draft.changes.foreignEntries(table.missing.list);
  for (const [number, id] of table.missing.list.entries()) {
    if (foreign.has(id) !== table.foreign.has(id)) changed.missing.add(number);
  }
  table.foreign = foreign;
}

/** A1: entries that were shown and are hidden now, or the other way round, or for another reason. */
function applyHidden(
  table: EntryTable,
  { hidden, showsHidden }: { hidden: ReadonlyMap<string, Hidden>; showsHidden: boolean },
  changed: ChangedNames,
): void {
  const before = table.hidden;
  const now = new Map(Array.from(hidden, ([id, why]) => [table.ids.find(id) as number, why]));
  for (const entry of new Set([...before.keys(), ...now.keys()])) {
    const isSame = before.get(entry) === now.get(entry);
    if (!isSame) table.isDirty = true;
    if (!isSame || table.showsHidden !== showsHidden) changed.addTarget(entry);
  }
  table.hidden = now;
  table.showsHidden = showsHidden;
}
