import { canonicalJson } from "../documents/canonical-json.ts";
import { isId } from "../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import { type Definitions, servedTitle } from "./names.ts";

/** D6: an entry that went while another one came that seems to be it, by their ids. */
export interface RenamedEntry {
  readonly from: string;
  readonly to: string;
}

export interface KnownEntry {
  readonly id: string;
  /** Of the model. */
  readonly model: string | null;
  /** W6c; undefined: it has none. */
  readonly title: string | undefined;
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

/** Those of served entries that are some: anyone may have made the version. */
export function knownEntries(
  served: Iterable<{
    readonly id?: unknown;
    readonly contentModelKey?: unknown;
    readonly data?: JsonValue;
  }>,
  definitions: Definitions,
): KnownEntry[] {
  return [...served].flatMap(({ id, contentModelKey, data }) => {
    if (typeof id !== "string" || !isId(id) || !isJsonObject(data)) return [];
    const model = typeof contentModelKey === "string" ? contentModelKey : null;
    return { id, model, title: servedTitle(definitions, model, data), data };
  });
}

function keyOfData({ model, data }: KnownEntry): string | undefined {
  // Entries without values say nothing.
  if (Object.keys(data).length === 0) return undefined;
  return `${model} ${canonicalJson(data)}`;
}

function keyOfTitle({ model, title }: KnownEntry): string | undefined {
  return title && `${model} ${title}`;
}
