import { byCodeUnit, type JsonObject, type JsonValue } from "../workspace/json.ts";
import { compareValues, type ValueChange } from "./compare-values.ts";

/** How the entries of one content document changed, by their ids. */
export interface ContentChange {
  readonly entriesAdded: readonly string[];
  readonly entriesRemoved: readonly string[];
  readonly entriesChanged: readonly string[];
  /** Behind a step now and only pointed at before, or the other way round. */
  readonly entriesMoved: readonly string[];
  /** The entries behind the steps stand in another order. */
  readonly reordered: boolean;
}

/** How an entry changed. It is served the same in all documents that show it. */
export interface EntryChange {
  readonly id: string;
  /** As it is now. */
  readonly contentModelKey: string | null;
  /** There when it was of another model. */
  readonly contentModelKeyBefore?: string | null;
  /** Paths are into `data`. */
  readonly fields: readonly ValueChange[];
  /** The file paths of the documents that differ and show it, before or after, in order. */
  readonly documents: readonly string[];
}

interface Served {
  readonly id: string;
  readonly contentModelKey: string | null;
  readonly data: JsonObject;
}

/** Compares content documents one by one, and tells each entry that changed once for all. */
export class ContentComparison {
  readonly #changes = new Map<string, { readonly change: EntryChange; readonly paths: string[] }>();
  /** Entries that some document shows no more, and the paths of those documents. */
  readonly #gone = new Map<string, { readonly was: Served; readonly paths: string[] }>();

  /** The documents of a path that both sides have. */
  compare(path: string, before: JsonObject, after: JsonObject): ContentChange {
    const [had, has] = [new Entries(before), new Entries(after)];
    const kept = [...has.all.keys()].filter((id) => had.all.has(id));
    const removed = [...had.all.keys()].filter((id) => !has.all.has(id));
    for (const id of removed) this.#isGone(path, had.all.get(id) as Served);
    const order = (one: Entries, other: Entries) =>
      [...one.behindSteps].filter((id) => other.behindSteps.has(id)).join(" ");
    return {
      entriesAdded: [...has.all.keys()].filter((id) => !had.all.has(id)),
      entriesRemoved: removed,
      entriesChanged: kept.filter((id) =>
        this.#compareEntry(path, had.all.get(id) as Served, has.all.get(id) as Served),
      ),
      entriesMoved: kept.filter((id) => had.behindSteps.has(id) !== has.behindSteps.has(id)),
      reordered: order(had, has) !== order(has, had),
    };
  }

  /** A document that is there no more: its entries may be in others. */
  remove(path: string, before: JsonObject): void {
    for (const entry of new Entries(before).all.values()) this.#isGone(path, entry);
  }

  /** Whether entries are known that may be in documents where they were not before. */
  get hasMoving(): boolean {
    return this.#gone.size + this.#changes.size > 0;
  }

  /** A document that shows entries which it did not show before, once all others were seen. */
  add(path: string, after: JsonObject, isNew: (id: string) => boolean): void {
    for (const [id, is] of new Entries(after).all) {
      if (!isNew(id)) continue;
      const known = this.#changes.get(id);
      const gone = this.#gone.get(id);
      if (known !== undefined) known.paths.push(path);
      else if (gone !== undefined) this.#compareEntry(path, gone.was, is);
    }
  }

  /** In order of the ids. */
  changes(): EntryChange[] {
    return [...this.#changes.values()]
      .map(({ change, paths }) => {
        const all = [...paths, ...(this.#gone.get(change.id)?.paths ?? [])];
        return { ...change, documents: [...new Set(all)].sort(byCodeUnit) };
      })
      .sort((a, b) => byCodeUnit(a.id, b.id));
  }

  #isGone(path: string, was: Served): void {
    const known = this.#gone.get(was.id);
    if (known === undefined) this.#gone.set(was.id, { was, paths: [path] });
    else known.paths.push(path);
  }

  #compareEntry(path: string, before: Served, after: Served): boolean {
    if (JSON.stringify(before) === JSON.stringify(after)) return false;
    const known = this.#changes.get(after.id);
    if (known !== undefined) known.paths.push(path);
    else this.#changes.set(after.id, { change: compareEntries(before, after), paths: [path] });
    return true;
  }
}

function compareEntries(before: Served, after: Served): EntryChange {
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

/** What a content document shows. */
class Entries {
  readonly all: ReadonlyMap<string, Served>;
  /** The ids of `content[]`, in order. */
  readonly behindSteps: ReadonlySet<string>;

  constructor({ content, references }: JsonObject) {
    const [behind, reached] = [list(content), list(references)];
    this.all = new Map([...behind, ...reached].map((entry) => [entry.id, entry]));
    this.behindSteps = new Set(behind.map(({ id }) => id));
  }
}

/** The documents have been proven against their schema when they were frozen. */
function list(value: JsonValue | undefined): readonly Served[] {
  return (value ?? []) as unknown as readonly Served[];
}
