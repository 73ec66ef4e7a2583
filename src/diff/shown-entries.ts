import type { JsonObject, JsonValue } from "../workspace/json.ts";

/** An entry as documents show it. */
export interface ServedEntry {
  readonly id: string;
  readonly contentModelKey: string | null;
  readonly data: JsonObject;
}

/** The JSON of an entry: entries with the same key are equal. */
export type EntryKey = string;

/** The entries of a content document, each once. */
export interface ShownEntries {
  /** Of the steps, in their order. */
  readonly content: readonly EntryKey[];
  /** Reached from `content`. */
  readonly references: readonly EntryKey[];
}

/** The entries of a parsed document. */
export function shownIn({ content, references }: JsonObject): ShownEntries {
  return { content: texts(content), references: texts(references) };
}

/** The entry with a key. */
export function shownEntry(key: EntryKey): ServedEntry {
  return JSON.parse(key);
}

function texts(entries: JsonValue | undefined): string[] {
  return ((entries ?? []) as readonly JsonValue[]).map((entry) => JSON.stringify(entry));
}

/** The places of the entries of a document: `content` first. */
export class Places {
  readonly all: ReadonlyMap<EntryKey, number>;
  readonly #contentCount: number;

  constructor({ content, references }: ShownEntries) {
    this.all = new Map([...content, ...references].map((key, place) => [key, place]));
    this.#contentCount = content.length;
  }

  isContent(place: number): boolean {
    return place < this.#contentCount;
  }
}
