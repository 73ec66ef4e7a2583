import { TextIndex } from "./text-index.ts";
import {
  countOf,
  LINE,
  OpenPack,
  type Pack,
  PLACES,
  packOf,
  type TextNumber,
} from "./text-packs.ts";

/** Stores packs. */
export interface PackStore {
  /** Returns the number of the pack. */
  add(pack: Pack): number;
  /** @throws when there is no such pack. */
  get(number: number): Pack;
  /** Every pack without its texts. */
  all(): Iterable<{ readonly number: number; readonly contents: Uint8Array }>;
}

/** How many bytes of opened packs are cached. */
const HELD = 16 * 1024 * 1024;

/** Reads texts by their numbers, with a cache of opened packs. */
export class Texts {
  readonly #store: PackStore;
  /** Least recently used first. */
  readonly #open = new Map<number, OpenPack>();
  #held = 0;
  /** The text that was read last. */
  #last: { readonly text: TextNumber; readonly bytes: Buffer } | undefined;
  #index: TextIndex | undefined;

  constructor(store: PackStore) {
    this.#store = store;
  }

  /** The size of a text in bytes of UTF-8. */
  sizeOf(text: TextNumber): number {
    return this.read(text).length;
  }

  copy(text: TextNumber, target: Buffer, at: number): void {
    this.read(text).copy(target, at);
  }

  /** The text as UTF-8, valid until the next text is read. */
  read(text: TextNumber): Buffer {
    if (this.#last?.text === text) return this.#last.bytes;
    this.#last = undefined;
    const bytes = this.#pack(packOf(text)).text(text % PLACES);
    this.#last = { text, bytes };
    return bytes;
  }

  /** Stores a pack. Returns the number of each of its texts: an earlier one, if it has one. */
  add(pack: Pack): readonly TextNumber[] {
    const { index } = this;
    return addTo(index, this.#store.add(pack) * PLACES, pack.contents);
  }

  /** Drops the index, which is large, and which other processes may make out of date. */
  forgetIndex(): void {
    this.#index = undefined;
  }

  /** All stored texts by their hashes. */
  get index(): TextIndex {
    if (this.#index !== undefined) return this.#index;
    const index = new TextIndex();
    for (const { number, contents } of this.#store.all()) addTo(index, number * PLACES, contents);
    this.#index = index;
    return index;
  }

  #pack(number: number): OpenPack {
    let pack = this.#open.get(number);
    if (pack === undefined) {
      pack = new OpenPack(this.#store.get(number));
      this.#held += pack.size;
    } else this.#open.delete(number);
    this.#open.set(number, pack);
    for (const [other, oldest] of this.#open) {
      if (this.#held <= HELD || other === number) break;
      this.#open.delete(other);
      this.#held -= oldest.size;
      oldest.close();
    }
    return pack;
  }
}

/** Returns the numbers that the texts have then. */
function addTo(index: TextIndex, first: TextNumber, contents: Uint8Array): TextNumber[] {
  const lines = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
  return Array.from({ length: countOf(contents) }, (_, place) =>
    index.add(first + place, lines, place * LINE),
  );
}
