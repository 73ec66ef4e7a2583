import { canonicalJson } from "../documents/canonical-json.ts";
import { TITLE_KEYS } from "../workspace/field.ts";
import type { JsonObject } from "../workspace/json.ts";

/** D6: an entry that went while another one came that seems to be it, by their ids. */
export interface RenamedEntry {
  readonly from: string;
  readonly to: string;
}

interface KnownEntry {
  readonly id: string;
  /** Of the model. */
  readonly model: string | null;
  /** W6: where the model has one; else a title-like key is taken. */
  readonly titleField?: string | undefined;
  readonly data: JsonObject;
}

/** D6: pairs entries that went with those that came: of the same model, with the same data, else title. */
export function renamedEntries(
  gone: Iterable<KnownEntry>,
  come: Iterable<KnownEntry>,
): RenamedEntry[] {
  const [left, found] = [new Set(come), new Map<string, string>()];
  const all = [...gone];
  for (const keyOf of [keyOfData, keyOfTitle]) {
    const byKey = new Map<string | undefined, KnownEntry>();
    for (const one of left) byKey.set(keyOf(one), one);
    for (const one of all) {
      const key = found.has(one.id) ? undefined : keyOf(one);
      const now = key === undefined ? undefined : byKey.get(key);
      if (now !== undefined && left.delete(now)) found.set(one.id, now.id);
    }
  }
  return Array.from(found, ([from, to]) => ({ from, to }));
}

function keyOfData({ model, data }: KnownEntry): string | undefined {
  // Entries without values say nothing.
  if (Object.keys(data).length === 0) return undefined;
  return `${model} ${canonicalJson(data)}`;
}

function keyOfTitle({ model, titleField, data }: KnownEntry): string | undefined {
  const key = titleField ?? Object.keys(data).find((one) => TITLE_KEYS.test(one));
  const title = key === undefined ? undefined : data[key];
  const isBlank = title == null || (typeof title === "string" && title.trim() === "");
  return isBlank ? undefined : `${model} ${key} ${canonicalJson(title)}`;
}
