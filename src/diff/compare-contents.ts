import { sha256 } from "../documents/version-id.ts";
import { asLine } from "../fields/entry-title.ts";
import { byCodeUnit, isJsonObject, type JsonObject } from "../workspace/json.ts";
import { compareFields, type FieldChange } from "./compare-values.ts";
import { type Definitions, modelNamed, servedTitle } from "./names.ts";
import { knownEntries, type RenamedEntry, renamedEntries } from "./renamed-entries.ts";
import { idsIn, type Snapshot } from "./snapshot.ts";

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
 * D1: an entry that came, went or changed. All documents that show it serve the same, or, if it differs by
 * language, all documents of one language (B1).
 */
export interface EntryChange {
  readonly id: string;
  /** W6c: what it is called, after the change. */
  readonly title: string;
  readonly change: "added" | "changed" | "removed";
  /** After the change. */
  readonly contentModelKey: string | null;
  /** Present when the model changed. */
  readonly contentModelKeyBefore?: string | null;
  /** Paths are into `data`; all of it of an entry that came or went. */
  readonly fields: readonly FieldChange[];
  /** The file paths of the documents that differ and show it, before or after, in order. */
  readonly documents: readonly string[];
}

/** A hash of the JSON of an entry: entries with the same key are equal. Of a large site the texts are no memory to hold. */
type EntryKey = string;

interface ServedEntry {
  readonly id: string;
  readonly contentModelKey: string | null;
  readonly data: JsonObject;
}

/** Where a document shows an entry: in `content`, the entries of its steps, or in `references`. */
interface Place {
  readonly key: EntryKey;
  readonly index: number;
  readonly isContent: boolean;
}

/** What the documents of each project, which are of one language, show of an entry. */
type ShownIn = Map<string, { readonly key: EntryKey; readonly paths: string[] }>;

/** The entries that the documents of a side show, of those that differ, by id. */
class Side {
  readonly snapshot: Snapshot;
  readonly entries = new Map<string, ShownIn>();

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  /** Reads a document: its entries by id. */
  read(path: string, projectId: string): Map<string, Place> {
    const places = new Map<string, Place>();
    for (const { entry, isContent } of this.#entriesIn(path)) {
      const [id, key] = [String(entry.id), keyOf(entry)];
      places.set(id, { key, index: places.size, isContent });
      const shownIn: ShownIn = this.entries.get(id) ?? new Map();
      this.entries.set(id, shownIn);
      const paths = shownIn.get(projectId)?.paths;
      if (paths === undefined) shownIn.set(projectId, { key, paths: [path] });
      else paths.push(path);
    }
    return places;
  }

  *#entriesIn(
    path: string,
  ): Generator<{ readonly entry: JsonObject; readonly isContent: boolean }> {
    const { content, references } = this.snapshot.document(path);
    for (const list of [content, references]) {
      // Anyone may have made the version.
      for (const entry of Array.isArray(list) ? list.filter(isJsonObject) : []) {
        yield { entry, isContent: list === content };
      }
    }
  }

  /** Read again from a document. @param key as it is in one of the projects; default: the first */
  entry(id: string, key?: EntryKey): ServedEntry {
    const all = [...(this.entries.get(id)?.values() ?? [])];
    const [path = ""] = all.find((one) => key === undefined || one.key === key)?.paths ?? [];
    for (const { entry } of this.#entriesIn(path)) {
      if (String(entry.id) === id) return entry as unknown as ServedEntry;
    }
    throw new RangeError(`no entry ${id} in ${path}`);
  }

  /** The ids of those that another side shows nowhere. */
  *only({ snapshot, entries }: Side): Generator<void, string[]> {
    const ids = [...this.entries.keys()].filter((id) => !entries.has(id)).sort(byCodeUnit);
    if (ids.length === 0) return [];
    // Documents that are the same were not compared.
    const shown = yield* idsIn(snapshot).rest();
    return ids.filter((id) => !shown.has(id));
  }
}

/** Compares content documents one by one. Entries are parsed only where they differ. */
export class ContentComparison {
  readonly #before: Side;
  readonly #after: Side;
  readonly #definitions: Definitions;

  constructor(before: Snapshot, after: Snapshot) {
    this.#before = new Side(before);
    this.#after = new Side(after);
    this.#definitions = after.definitions ?? before.definitions;
  }

  /** The documents of a path that both sides have. */
  compare(path: string, projectId: string): ContentChange {
    const had = this.#before.read(path, projectId);
    const has = this.#after.read(path, projectId);
    const [changed, moved]: [string[], string[]] = [[], []];
    /** The places before of the entries that are in `content` before and after. */
    const order: number[] = [];
    for (const [id, is] of has) {
      const was = had.get(id);
      if (was === undefined) continue;
      if (was.key !== is.key) changed.push(id);
      if (was.isContent !== is.isContent) moved.push(id);
      else if (is.isContent) order.push(was.index);
    }
    return {
      entriesAdded: [...has.keys()].filter((id) => !had.has(id)),
      entriesRemoved: [...had.keys()].filter((id) => !has.has(id)),
      entriesChanged: changed,
      entriesMoved: moved,
      reordered: order.some((from, index) => index > 0 && from < (order[index - 1] as number)),
    };
  }

  /** A document that only one side has: its entries may be in others, too. */
  read(path: string, projectId: string, change: "added" | "removed"): void {
    (change === "added" ? this.#after : this.#before).read(path, projectId);
  }

  /** Those that came, then that changed, then that went. Call it after all documents. */
  *changes(): Generator<void, EntryChange[]> {
    const [before, after] = [this.#before, this.#after];
    const added = yield* after.only(before);
    const removed = yield* before.only(after);
    const both = [...after.entries.keys()].filter((id) => before.entries.has(id));
    return [
      ...added.map((id) => this.#oneSided("added", after, id)),
      ...both.sort(byCodeUnit).flatMap((id) => this.#changed(id)),
      ...removed.map((id) => this.#oneSided("removed", before, id)),
    ];
  }

  /** D6. @param changes all of them */
  renamed(changes: readonly EntryChange[]): RenamedEntry[] {
    const { draft } = this.#after.snapshot;
    const those = (change: EntryChange["change"], side: Side) =>
      changes.filter((one) => one.change === change).map(({ id }) => side.entry(id));
    const gone = those("removed", this.#before).filter(({ id }) => !draft?.has(id));
    const come = those("added", this.#after);
    if (gone.length === 0 || (draft === undefined && come.length === 0)) return [];
    const had = idsIn(this.#before.snapshot).made;
    // Nothing may point at the new id yet.
    const came = knownEntries(draft?.entries() ?? come, this.#definitions);
    return renamedEntries(
      knownEntries(gone, this.#definitions),
      came.filter(({ id }) => !had.has(id)),
    );
  }

  #oneSided(change: "added" | "removed", side: Side, id: string): EntryChange {
    const one = side.entry(id);
    const nothing = { ...one, data: {} };
    const [before, after] = change === "added" ? [nothing, one] : [one, nothing];
    const paths = [...(side.entries.get(id)?.values() ?? [])].flatMap((shown) => shown.paths);
    return {
      ...{ id, title: this.#titleOf(id, one), change },
      ...this.#difference(before, after),
      documents: paths.sort(byCodeUnit),
    };
  }

  /** Once for each way in which it changed in some languages. */
  #changed(id: string): EntryChange[] {
    const [had, has] = [this.#before, this.#after].map((side) => side.entries.get(id)) as [
      ShownIn,
      ShownIn,
    ];
    const ways = new Map<string, EntryChange & { readonly documents: string[] }>();
    for (const [before, after] of changedKeys(had, has)) {
      const [was, is] = [this.#before.entry(id, before), this.#after.entry(id, after)];
      const difference = this.#difference(was, is);
      const way = JSON.stringify(difference);
      const title = this.#titleOf(id, is);
      const one = ways.get(way) ?? { id, title, change: "changed", ...difference, documents: [] };
      ways.set(way, one);
      for (const project of new Set([...had.keys(), ...has.keys()])) {
        const [from, to] = [had.get(project), has.get(project)];
        if ((from?.key ?? before) !== before || (to?.key ?? after) !== after) continue;
        one.documents.push(...(from?.paths ?? []), ...(to?.paths ?? []));
      }
    }
    return Array.from(ways.values(), (one) => ({
      ...one,
      documents: [...new Set(one.documents)].sort(byCodeUnit),
    })).sort((a, b) => byCodeUnit(a.documents[0] ?? "", b.documents[0] ?? ""));
  }

  #difference(before: ServedEntry, after: ServedEntry) {
    const { contentModelKey } = after;
    const isSame = contentModelKey === before.contentModelKey;
    const fields = modelNamed(this.#definitions, contentModelKey)?.fields ?? [];
    return {
      contentModelKey,
      ...(!isSame && { contentModelKeyBefore: before.contentModelKey }),
      fields: compareFields(this.#definitions, fields, before.data ?? {}, after.data ?? {}),
    };
  }

  #titleOf(id: string, { contentModelKey, data }: ServedEntry): string {
    return asLine(servedTitle(this.#definitions, contentModelKey, data ?? {}) ?? id);
  }
}

const keyOf = (entry: JsonObject): EntryKey => sha256(JSON.stringify(entry));

/** The keys before and after of an entry, for each way in which it changed. */
function changedKeys(had: ShownIn, has: ShownIn): (readonly [EntryKey, EntryKey])[] {
  const pairs = [...has].flatMap(([project, { key }]) => {
    const before = had.get(project)?.key;
    return before === undefined || before === key ? [] : [[before, key] as const];
  });
  // It may have moved to documents of another project.
  const told = new Set(pairs.flat());
  const [old, now] = [had, has].map((shown) => Array.from(shown.values(), ({ key }) => key)) as [
    EntryKey[],
    EntryKey[],
  ];
  const gone = old.find((key) => !told.has(key) && !now.includes(key));
  const come = now.filter((key) => !told.has(key) && !old.includes(key));
  const moved = gone === undefined ? [] : come.map((key) => [gone, key] as const);
  return [...new Map([...pairs, ...moved].map((pair) => [pair.join(""), pair])).values()];
}
