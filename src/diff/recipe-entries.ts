import { parseRecipe } from "../documents/recipe.ts";
import { SvcError } from "../workspace/errors.ts";
import type { EntryKey, ServedEntry, ShownEntries } from "./shown-entries.ts";

/** How the recipe of a content document begins; that of an older store's is one text. */
const BEGIN = `["{\\"content\\":[",[`;

/** Whether a content document is put together from the texts of its entries. */
export function isOfEntries(recipe: string): boolean {
  return recipe.startsWith(BEGIN);
}

/**
 * What a content document shows, by the numbers of the texts.
 *
 * @throws Error when it is not put together from entries.
 */
export function shownBy(recipe: string): ShownEntries {
  const [, content, , references] = parseRecipe(recipe);
  if (typeof content === "object" && typeof references === "object") return { content, references };
  throw new Error("a document is not put together from entries");
}

/** So many entries are remembered, since many documents show them. */
const REMEMBERED = 1000;

/** Reads entries by the numbers of their texts. */
export function entryReader(textOf: (text: number) => Buffer): (key: EntryKey) => ServedEntry {
  /** In the order in which they were asked for last. */
  const known = new Map<EntryKey, ServedEntry>();
  return (key) => {
    const entry = known.get(key) ?? readEntry(textOf, Number(key));
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.size > REMEMBERED ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return entry;
  };
}

/** @throws SvcError `store-damaged` when the text is not there, or no entry. */
function readEntry(textOf: (text: number) => Buffer, text: number): ServedEntry {
  let cause: unknown;
  try {
    const entry = JSON.parse(textOf(text).toString());
    if (typeof entry.id === "string") return entry;
  } catch (error) {
    if (error instanceof SvcError) throw error;
    cause = error;
  }
  throw new SvcError("store-damaged", "the store is damaged: an entry is not as it was served", {
    hint: "restore it from a backup, or import the workspace folder into a new store",
    cause,
  });
}
