import { type Draft, entriesInOrder } from "../../workspace/draft.ts";
import type { JsonValue } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Entry, Model } from "../../workspace/records.ts";
import { titleOf } from "./entry-title.ts";

export interface IndexedEntry {
  readonly id: string;
  readonly modelKey: string | null;
  readonly title: string;
  /** Every text of the entry in lower case, its id first. */
  readonly folded: string;
}

/** What is searched, in order of the ids. */
export type EntryIndex = readonly IndexedEntry[];

/** Reads every entry of the draft once. */
export function indexEntries(
  draft: Draft,
  models: ReadonlyMap<string, Model>,
  languages: readonly Language[],
): EntryIndex {
  const index: IndexedEntry[] = [];
  for (const entry of entriesInOrder(draft)) {
    const model = models.get(entry.modelId);
    const folded = textOf(entry).toLowerCase();
    index.push({
      id: entry.id,
      modelKey: model?.key ?? null,
      title: titleOf(entry, model, languages),
      folded,
    });
  }
  return index;
}

/**
 * Every text of an entry, one a line, its id first: values of every kind are found by their text,
 * ids of assets and targets too.
 */
export function textOf({ id, data }: Entry): string {
  const texts = [id];
  gather(data, texts);
  return texts.join("\n");
}

function gather(value: JsonValue, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "number") texts.push(String(value));
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) gather(member, texts);
  }
}
