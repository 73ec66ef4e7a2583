import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import { compareValues, type ValueChange } from "./compare-values.ts";

/** How the entries of one content document changed. */
export interface ContentChange {
  /** Ids of entries that the document shows and did not show before, and so on. */
  readonly entriesAdded: readonly string[];
  readonly entriesRemoved: readonly string[];
  readonly entriesChanged: readonly string[];
  /** Ids of entries that are behind a step now and were only pointed at, or the other way round. */
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
  /** The file paths of the documents that show it, before and after. */
  readonly documents: string[];
}

interface Served {
  readonly id: string;
  readonly contentModelKey: string | null;
  readonly data: JsonObject;
}

/**
 * The difference of two content documents of one address. Changed entries are added to `entries`,
 * each once.
 */
export function compareContents(
  path: string,
  before: JsonObject,
  after: JsonObject,
  entries: Map<string, EntryChange>,
): ContentChange {
  const [had, has] = [entriesOf(before), entriesOf(after)];
  const kept = [...has.keys()].filter((id) => had.has(id));
  const [wasBehind, isBehind] = [behindSteps(before), behindSteps(after)];
  const entriesChanged = kept.filter((id) => {
    const [was, is] = [had.get(id) as Served, has.get(id) as Served];
    if (JSON.stringify(was) === JSON.stringify(is)) return false;
    const known = entries.get(id);
    if (known !== undefined) known.documents.push(path);
    else entries.set(id, { ...compareEntries(was, is), documents: [path] });
    return true;
  });
  return {
    entriesAdded: [...has.keys()].filter((id) => !had.has(id)),
    entriesRemoved: [...had.keys()].filter((id) => !has.has(id)),
    entriesChanged,
    entriesMoved: kept.filter((id) => wasBehind.has(id) !== isBehind.has(id)),
    reordered: isReordered(before, after),
  };
}

function compareEntries(before: Served, after: Served): Omit<EntryChange, "documents"> {
  const { id, contentModelKey } = after;
  const isSame = contentModelKey === before.contentModelKey;
  return {
    id,
    contentModelKey,
    ...(!isSame && { contentModelKeyBefore: before.contentModelKey }),
    fields: compareValues(before.data, after.data),
  };
}

/** The ids of `content[]`. */
function behindSteps({ content }: JsonObject): Set<string> {
  return new Set(list(content).map((entry) => (isJsonObject(entry) ? String(entry.id) : "")));
}

function entriesOf(document: JsonObject): Map<string, Served> {
  const all = [...list(document.content), ...list(document.references)] as unknown as Served[];
  return new Map(all.map((entry) => [entry.id, entry]));
}

/** Whether the entries of `content[]` that both have stand in another order. */
function isReordered(before: JsonObject, after: JsonObject): boolean {
  const [had, has] = [behindSteps(before), behindSteps(after)];
  const kept = [...has].filter((id) => had.has(id));
  return kept.join(" ") !== [...had].filter((id) => has.has(id)).join(" ");
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
