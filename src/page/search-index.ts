import { ByteHolder, type HeldBytes, heldIncludes } from "../documents/held-bytes.ts";
import { type Draft, type EntryHead, withData } from "../workspace/draft.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { DraftState } from "./draft-state.ts";
import { titleOf } from "./entry-summary.ts";
import { eachText, folded } from "./search-text.ts";

/** An entry as it is searched. Its bytes are its id and texts, folded, one a line. */
export interface IndexedEntry extends HeldBytes {
  readonly head: EntryHead;
  readonly title: string;
  /** Folded. */
  readonly name: string;
}

/** After how many entries the clock is read. */
const AT_ONCE = 100;
/** Those that were read are put in order with each search, and before they are so much of all that a search is delayed. */
const ORDERED_AGAIN = 4;

/**
 * H38: the texts of a draft's entries, outside of V8's heap. Of another state of the draft, only the
 * entries that have changed are read.
 */
export class SearchIndex {
  /** How many texts it has read by now. */
  reads = 0;
  /** In the order in which their bytes are held. */
  #entries = new Map<string, IndexedEntry>();
  /** In order of the titles. */
  #inOrder: readonly IndexedEntry[] = [];
  /** Those that were read since `#inOrder` was made. */
  #added: IndexedEntry[] = [];
  /** Those in `#inOrder` and `#added` that are no more. */
  readonly #gone = new Set<IndexedEntry>();
  #holder = new ByteHolder();
  #definitions = "";
  #draft: Draft | undefined;
  /** The entries of the draft whose texts may be others. */
  #left: Iterator<EntryHead> | undefined;

  /** Whether it has the texts of all entries of the draft as they are. */
  get isComplete(): boolean {
    return this.#draft !== undefined && this.#left === undefined;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Reads what has changed, for so many milliseconds at most; the next update goes on. */
  update(state: DraftState, within = Number.POSITIVE_INFINITY): void {
    const { draft } = state;
    if (this.#draft !== draft) {
      this.#forget(state);
      this.#left = draft.entries.values();
      this.#draft = draft;
    }
    const until = performance.now() + within;
    const languages = state.languages.titles();
    let count = 0;
    while (this.#left !== undefined) {
      const { value: head, done } = this.#left.next();
      if (done) {
        this.#left = undefined;
        if (this.#entries.size > draft.entries.size) this.#keep((id) => draft.entries.has(id));
      } else if (this.#entries.get(head.id)?.head !== head) {
        this.#added.push(this.#read(state, head, languages));
        count += 1;
        if (count % AT_ONCE === 0 && performance.now() > until) break;
      }
    }
    if (this.#added.length > this.#inOrder.length / ORDERED_AGAIN) this.#putInOrder();
  }

  #read(
    { draft, models }: DraftState,
    head: EntryHead,
    languages: readonly Language[],
  ): IndexedEntry {
    const entry = withData(draft, head);
    const title = titleOf(entry, models.get(entry.modelId), languages);
    const texts = [head.id];
    eachText(entry.data, (text) => texts.push(text));
    const held = this.#holder.addText(folded(texts.join("\n")));
    const indexed = { ...held, head, title, name: folded(title) };
    // At its end, as the bytes are.
    this.#remove(head.id);
    this.#entries.set(head.id, indexed);
    this.reads += 1;
    return indexed;
  }

  /** Those that have every word, in order of the titles. */
  with(words: readonly string[]): readonly IndexedEntry[] {
    const [first, ...others] = words.map((word) => Buffer.from(word));
    this.#putInOrder();
    if (first === undefined) return this.#inOrder;
    const found = new Set<IndexedEntry>();
    for (const entry of this.#entries.values()) {
      if (heldIncludes(entry, first) && others.every((word) => heldIncludes(entry, word))) {
        found.add(entry);
      }
    }
    return this.#inOrder.filter((entry) => found.has(entry));
  }

  /** Merges those that were read, in order, with the others: to sort 100,000 takes 500 ms. */
  #putInOrder(): void {
    if (this.#added.length + this.#gone.size === 0) return;
    const kept = (list: readonly IndexedEntry[]) =>
      this.#gone.size === 0 ? list : list.filter((one) => !this.#gone.has(one));
    const others = kept(this.#inOrder);
    const read = kept(this.#added).toSorted(byName);
    const merged: IndexedEntry[] = [];
    let at = 0;
    for (const one of read) {
      const place = placeOf(one, others, at);
      while (at < place) merged.push(others[at++] as IndexedEntry);
      merged.push(one);
    }
    while (at < others.length) merged.push(others[at++] as IndexedEntry);
    this.#inOrder = merged;
    this.#added = [];
    this.#gone.clear();
  }

  /** Forgets all if they may have other titles. */
  #forget({ draft, languages }: DraftState): void {
    const definitions = JSON.stringify([draft.models, languages.titles()]);
    if (definitions === this.#definitions) return;
    this.#keep(() => false);
    this.#holder = new ByteHolder();
    this.#definitions = definitions;
  }

  #keep(isKept: (id: string) => boolean): void {
    for (const id of this.#entries.keys()) if (!isKept(id)) this.#remove(id);
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#gone.add(entry);
    this.#entries.delete(id);
  }
}

function byName(a: IndexedEntry, b: IndexedEntry): number {
  return byCodeUnit(a.name, b.name) || byCodeUnit(a.head.id, b.head.id);
}

/** Before which of these, in order, an entry belongs; not before `from`. */
function placeOf(entry: IndexedEntry, inOrder: readonly IndexedEntry[], from: number): number {
  let [low, high] = [from, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byName(inOrder[middle] as IndexedEntry, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
