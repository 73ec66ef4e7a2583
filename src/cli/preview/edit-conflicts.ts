import { canonicalJson } from "../../documents/canonical-json.ts";
import { sha256 } from "../../documents/version-id.ts";
import type { DraftState } from "../../page/draft-state.ts";
import { type Conflict, valueAt, withValueAt } from "../../page/edited.ts";
import { storedValue as comparedValue } from "../../page/stored-changes.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  pathIn,
} from "../../workspace/json.ts";
import { editedField } from "./edited-field.ts";
import { storedValue } from "./typed-values.ts";

type Path = readonly string[];

/**
 * H81: stored data as it is when a form is opened, with hashes in place of its values: of the fields that the form has
 * in each locale, and of what is around it in lists.
 *
 * @param path of what has the fields
 */
export function seenValues(value: JsonValue, path: Path, depth = 2): JsonValue {
  const [segment, ...below] = path;
  const inner = (one: JsonValue, name: string) => {
    if (segment === undefined) return seenValues(one, [], depth - 1);
    return name === segment ? seenValues(one, below) : hashOf(one);
  };
  if (isList(value) && segment !== undefined) {
    return value.map((one, index) => inner(one, String(index)));
  }
  if (!isJsonObject(value) || (segment === undefined && depth === 0)) return hashOf(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one, name)]));
}

/** A null is as a value that is not there. */
const hashOf = (value: JsonValue) => (value === null ? null : sha256(canonicalJson(value)));

/** Whether a value is as it was seen. */
function isAsSeen(was: JsonValue, now: JsonValue): boolean {
  if (isList(was)) {
    if (!isList(now) || was.length !== now.length) return false;
    return was.every((one, index) => isAsSeen(one, now[index] ?? null));
  }
  if (!isJsonObject(was)) return was === hashOf(now);
  const names = Object.keys(was);
  if (!isJsonObject(now) || names.length !== Object.keys(now).length) return false;
  return names.every((name) => {
    const value = ownMember(now, name);
    return value !== undefined && isAsSeen(was[name] as JsonValue, value);
  });
}

/**
 * H81: the changes of a request whose values are other ones now than when its form was opened, and not those that
 * it would write.
 */
export function conflictsIn(state: DraftState, record: JsonObject, body: JsonObject) {
  const was = ownMember(body, "was") ?? null;
  const data = record.data as JsonObject;
  const changes = [(ownMember(body, "changes") ?? []) as readonly JsonValue[]].flat();
  const { fields = [] } = state.models.get(String(record.modelId)) ?? {};
  return changes.flatMap((change) => {
    const { path: place = "", value = null } = isJsonObject(change) ? change : {};
    const path = pathIn(String(place));
    const field = editedField({ fields, data, path: [] }, path, state.blocks)?.field;
    // It is refused.
    if (field === undefined) return [];
    const now = valueAt(data, path) ?? null;
    const mine = storedValue(field, value, { blocks: state.blocks, path, faults: [] });
    if (hashOf(now) === hashOf(mine)) return [];
    const before = valueAt(was, path) ?? null;
    if (isAsSeen(before, now) && isInSameBlocks(was, data, path)) return [];
    const shown = (): Conflict => ({
      path: String(place),
      change: comparedValue(state, record, ["data", ...path], now, mine),
    });
    return [{ name: field.name ?? field.key, shown }];
  });
}

/**
 * H81b: an index of a list may have come to mean another block: it is the same one where what else it has is, or all others
 * of its list are, and it is of the same kind.
 */
function isInSameBlocks(was: JsonValue, now: JsonValue, path: Path): boolean {
  return path.every((segment, at) => {
    const [before, after] = [was, now].map((data) => valueAt(data, path.slice(0, at)) ?? null);
    if (!isList(after)) return true;
    if (!isList(before)) return false;
    const [index, below] = [Number(segment), path.slice(at + 1)];
    const [old, own] = [before, after].map((list) => list[index] ?? null) as [JsonValue, JsonValue];
    if (isAsSeen(without(old, below), without(own, below))) return true;
    const isOfKind = isAsSeen(kindOf(old), kindOf(own));
    return isOfKind && isAsSeen(before.toSpliced(index, 1), after.toSpliced(index, 1));
  });
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value);

const kindOf = (block: JsonValue) => valueAt(block, ["contentBlockId"]) ?? null;

/** A block without a value in it. */
function without(block: JsonValue, path: Path): JsonValue {
  const isThere = isJsonObject(block) && isJsonObject(valueAt(block, path.slice(0, -1)) ?? null);
  return isThere ? withValueAt(block, path, null, true) : block;
}
