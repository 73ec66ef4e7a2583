import { parseRecipe } from "../documents/recipe.ts";
import { SvcError } from "../workspace/errors.ts";
import type { EntryKey, ServedEntry, ShownEntries } from "./shown-entries.ts";

/** The start of the recipe of a content document; in older stores it is one text. */
const BEGIN = `["{\\"content\\":[",[`;

/** Whether the recipe of a content document lists the texts of its entries. */
export function isOfEntries(recipe: string): boolean {
  return recipe.startsWith(BEGIN);
}

/**
 * The entries of a content document, by the numbers of their texts.
 *
 * @throws Error when the recipe does not list entries.
 */
export function shownBy(recipe: string): ShownEntries {
  const [, content, , references] = parseRecipe(recipe);
  if (typeof content === "object" && typeof references === "object") return { content, references };
  throw new Error("the recipe of a document does not list its entries");
}

/** The size of the cache: many documents show the same entries. */
const CACHED = 1000;

/** Reads entries by the numbers of their texts. */
export function entryReader(textOf: (text: number) => Buffer): (key: EntryKey) => ServedEntry {
  /** Least recently used first. */
  const known = new Map<EntryKey, ServedEntry>();
  return (key) => {
    const entry = known.get(key) ?? readEntry(textOf, Number(key));
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.size > CACHED ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return entry;
  };
}

/** @throws SvcError `store-damaged` when the text is missing or is not an entry. */
function readEntry(textOf: (text: number) => Buffer, text: number): ServedEntry {
  let cause: unknown;
  try {
    const entry = JSON.parse(textOf(text).toString());
    if (typeof entry.id === "string") return entry;
  } catch (error) {
    if (error instanceof SvcError) throw error;
    cause = error;
  }
  throw new SvcError("store-damaged", "the store is damaged: the text of an entry is not valid", {
    hint: "restore it from a backup, or import the workspace folder into a new store",
    cause,
  });
}
