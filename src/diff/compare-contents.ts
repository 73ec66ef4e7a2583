import { addressOfFilePath } from "../documents/address.ts";
import { byCodeUnit, isJsonObject, type JsonObject } from "../workspace/json.ts";
import { compareValues, type ValueChange } from "./compare-values.ts";
import { projectIdsOf } from "./published-documents.ts";
import { knownEntries, type RenamedEntry, renamedEntries } from "./renamed-entries.ts";
import type { Snapshot } from "./snapshot.ts";

/** How the entries of one content document changed, by their ids. */
export interface ContentChange {
  readonly entriesAdded: readonly string[];
  readonly entriesRemoved: readonly string[];
  readonly entriesChanged: readonly string[];
  /** Moved between `content` and `references`. */
  readonly entriesMoved: readonly string[];
  /** Whether `content` has another order. */
  readonly reordered: boolean;
}

/**
 * How an entry changed. All documents that show it serve the same, or, if it differs by language, all
 * documents of one language (B1).
 */
export interface EntryChange {
  readonly id: string;
  /** After the change. */
  readonly contentModelKey: string | null;
  /** Present when the model changed. */
  readonly contentModelKeyBefore?: string | null;
  /** Paths are into `data`. */
  readonly fields: readonly ValueChange[];
  /** The file paths of the documents that differ and show it, before or after, in order. */
  readonly documents: readonly string[];
}

interface Found {
  readonly before: EntryKey;
  readonly after: EntryKey;
  readonly change: EntryChange;
  readonly paths: string[];
}

/**
 * Compares content documents one by one, and reports each changed entry once, or once for each way in
 * which it changed in some languages. Entries are read only where their keys differ.
 */
export class ContentComparison {
  readonly #before: Snapshot;
  readonly #after: Snapshot;
  /** By the keys before and after. */
  readonly #changes = new Map<string, Found>();
  readonly #moved = new MovedEntries();

  constructor(before: Snapshot, after: Snapshot) {
    this.#before = before;
    this.#after = after;
  }

  /** The documents of a path that both sides have. */
  compare(path: string): ContentChange {
    const had = placesIn(this.#before.document(path));
    const has = placesIn(this.#after.document(path));
    const removed = new Map<string, EntryKey>();
    for (const key of had.keys()) {
      if (!has.has(key)) removed.set(shownEntry(key).id, key);
    }
    const [added, changed, moved]: [string[], string[], string[]] = [[], [], []];
    /** The places before of the entries that are in `content` before and after. */
    const order: number[] = [];
    for (const [key, { isContent }] of has) {
      let from = had.get(key);
      if (from === undefined) {
        const { id } = shownEntry(key);
        const old = removed.get(id);
        if (old === undefined) {
          added.push(id);
          this.#moved.appears(path, key);
          continue;
        }
        removed.delete(id);
        if (this.#compareEntry(old, key, [path])) changed.push(id);
        from = had.get(old) as Place;
      }
      if (from.isContent !== isContent) moved.push(shownEntry(key).id);
      else if (isContent) order.push(from.index);
    }
    for (const key of removed.values()) this.#moved.disappears(path, key);
    return {
      entriesAdded: added,
      entriesRemoved: [...removed.keys()],
      entriesChanged: changed,
      entriesMoved: moved,
      reordered: order.some((from, index) => index > 0 && from < (order[index - 1] as number)),
    };
  }

  /** A removed document: its entries may be in others. */
  remove(path: string): void {
    for (const key of placesIn(this.#before.document(path)).keys()) {
      this.#moved.disappears(path, key);
    }
  }

  /** Whether an added document may show entries that changed or moved. */
  get mayHaveMoved(): boolean {
    return this.#moved.hasDisappeared || this.#changes.size > 0;
  }

  /** An added document. */
  add(path: string): void {
    for (const key of placesIn(this.#after.document(path)).keys()) this.#moved.appears(path, key);
  }

  /** In order of the ids, then of the first documents. Call it after all documents. */
  changes(): EntryChange[] {
    const reported = new Set(
      [...this.#changes.values()].flatMap(({ before, after }) => [before, after]),
    );
    const moved = this.#moved.changed((key) => reported.has(key));
    for (const { was, is } of moved) this.#compareEntry(was, is, []);
    const documents = new Map<string, { change: EntryChange; paths: Set<string> }>();
    for (const { change, paths, before, after } of this.#changes.values()) {
      const same = JSON.stringify(change);
      const known = documents.get(same) ?? { change, paths: new Set() };
      for (const path of paths) known.paths.add(path);
      for (const path of this.#moved.documentsOf(before, after)) known.paths.add(path);
      documents.set(same, known);
    }
    return Array.from(documents.values(), ({ change, paths }) => ({
      ...change,
      documents: [...paths].sort(byCodeUnit),
    })).sort(
      (a, b) => byCodeUnit(a.id, b.id) || byCodeUnit(a.documents[0] ?? "", b.documents[0] ?? ""),
    );
  }

  /** D6. Call it after all documents. */
  renamed(): RenamedEntry[] {
    const { gone, come } = this.#moved.goneAndCome();
    const { draft } = this.#after;
    const known = (shown: Iterable<JsonObject | ServedEntry>) =>
      knownEntries(shown, draft?.titleFields);
    const went = known(gone.map(shownEntry)).filter(({ id }) => !draft?.has(id));
    if (went.length === 0 || (draft === undefined && come.length === 0)) return [];
    // Documents that are the same were not compared.
    const [had, has] = [idsIn(this.#before), draft ?? idsIn(this.#after)];
    // Nothing may point at the new id yet.
    const came = known(draft?.entries() ?? come.map(shownEntry));
    return renamedEntries(
      went.filter(({ id }) => !has.has(id)),
      came.filter(({ id }) => !had.has(id)),
    );
  }

  /** Returns whether the entry changed. */
  #compareEntry(before: EntryKey, after: EntryKey, paths: string[]): boolean {
    if (before === after) return false;
    const known = this.#changes.get(before + after);
    if (known !== undefined) known.paths.push(...paths);
    else {
      const change = compareEntries(shownEntry(before), shownEntry(after));
      this.#changes.set(before + after, { before, after, change, paths });
    }
    return true;
  }
}

/** Of some entries those whose ids no other one has. */
function withoutIdsOf(others: readonly EntryKey[], keys: readonly EntryKey[]): EntryKey[] {
  const ids = new Set(others.map((key) => shownEntry(key).id));
  return keys.filter((key) => !ids.has(shownEntry(key).id));
}

/** The ids of all entries that content documents show. */
function idsIn(snapshot: Snapshot): ReadonlySet<string> {
  const contents = [...snapshot.documents.keys()].filter(
    (path) => addressOfFilePath(path)?.kind === "content",
  );
  return new Set(
    contents.flatMap((path) =>
      [...placesIn(snapshot.document(path)).keys()].map((key) => shownEntry(key).id),
    ),
  );
}

function compareEntries(before: ServedEntry, after: ServedEntry): EntryChange {
  const { id, contentModelKey } = after;
  const isSame = contentModelKey === before.contentModelKey;
  return {
    id,
    contentModelKey,
    ...(!isSame && { contentModelKeyBefore: before.contentModelKey }),
    fields: compareValues(before.data, after.data),
    documents: [],
  };
}

interface ServedEntry {
  readonly id: string;
  readonly contentModelKey: string | null;
  readonly data: JsonObject;
}

/** The JSON of an entry: entries with the same key are equal. */
type EntryKey = string;

/** Where a document shows an entry: in `content`, the entries of its steps, or in `references`. */
interface Place {
  readonly index: number;
  readonly isContent: boolean;
}

/** The places of the entries of a parsed document, each once: `content` first. */
function placesIn({ content, references }: JsonObject): ReadonlyMap<EntryKey, Place> {
  const places = new Map<EntryKey, Place>();
  for (const list of [content, references]) {
    // Anyone may have made the version.
    for (const entry of Array.isArray(list) ? list.filter(isJsonObject) : []) {
      places.set(JSON.stringify(entry), { index: places.size, isContent: list === content });
    }
  }
  return places;
}

function shownEntry(key: EntryKey): ServedEntry {
  return JSON.parse(key);
}

/** Entries that disappeared from a document, and those that appeared in one. */
class MovedEntries {
  /** The paths of those documents, by the entries' keys. */
  readonly #disappeared = new Map<EntryKey, string[]>();
  readonly #appeared = new Map<EntryKey, string[]>();

  get hasDisappeared(): boolean {
    return this.#disappeared.size > 0;
  }

  disappears(path: string, key: EntryKey): void {
    note(this.#disappeared, key, path);
  }

  appears(path: string, key: EntryKey): void {
    note(this.#appeared, key, path);
  }

  /** The entries that disappeared and do not appear elsewhere, and the other way round. */
  goneAndCome(): { readonly gone: EntryKey[]; readonly come: EntryKey[] } {
    const [gone, come] = [[...this.#disappeared.keys()], [...this.#appeared.keys()]];
    return { gone: withoutIdsOf(come, gone), come: withoutIdsOf(gone, come) };
  }

  /** The documents of an entry that changed. */
  documentsOf(before: EntryKey, after: EntryKey): string[] {
    return [...(this.#disappeared.get(before) ?? []), ...(this.#appeared.get(after) ?? [])];
  }

  /** Entries that moved to another document, under another key. */
  *changed(
    isReported: (key: EntryKey) => boolean,
  ): Generator<{ readonly was: EntryKey; readonly is: EntryKey }> {
    const come = [...this.#appeared.keys()].filter(
      (key) => !this.#disappeared.has(key) && !isReported(key),
    );
    const gone = [...this.#disappeared.keys()].filter(
      (key) => !this.#appeared.has(key) && !isReported(key),
    );
    if (come.length === 0) return;
    const byId = Map.groupBy(gone, (key) => shownEntry(key).id);
    if (byId.size === 0) return;
    for (const is of come) {
      const projects = projectIdsOf(this.#appeared.get(is) ?? []);
      const sameId = byId.get(shownEntry(is).id) ?? [];
      // B1: the entry may have another text in each project.
      const isNear = (key: EntryKey) =>
        projectIdsOf(this.#disappeared.get(key) ?? []).some((one) => projects.includes(one));
      const was = sameId.find(isNear) ?? sameId[0];
      if (was !== undefined) yield { was, is };
    }
  }
}

function note(where: Map<EntryKey, string[]>, key: EntryKey, path: string): void {
  const paths = where.get(key);
  if (paths === undefined) where.set(key, [path]);
  else paths.push(path);
}
