import { canonicalJson } from "../documents/canonical-json.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  pathIn,
} from "../workspace/json.ts";
import { alignLists, likenessOf } from "./align-lists.ts";
import { type Definitions, placeOf } from "./names.ts";
import { isRichText } from "./shown-values.ts";

/** One difference between two JSON values. */
export interface ValueChange {
  /** JSON Pointer, into the value after; into the value before for what was removed. */
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** D1b: a difference between two records. */
export interface FieldChange extends ValueChange {
  /** Where the path leads, in names that authors know. */
  readonly place: readonly string[];
}

/** The differences between two records, in the order of their fields. */
export function compareFields(
  definitions: Definitions,
  fields: readonly FieldDefinition[],
  before: JsonObject,
  after: JsonObject,
): FieldChange[] {
  const keys = fields.map(({ key }) => key);
  const rank = ({ path }: ValueChange) => {
    const at = keys.indexOf(pathIn(path)[0] ?? "");
    return at < 0 ? keys.length : at;
  };
  return compareValues(before, after)
    .map((one) => {
      const data = one.change === "removed" ? before : after;
      return { ...one, place: placeOf(definitions, fields, data, one.path) };
    })
    .sort((a, b) => rank(a) - rank(b));
}

type Path = readonly (string | number)[];

/**
 * The differences between two JSON values: objects by member; lists by the identity of their elements,
 * so that inserting an element at the front is one change.
 */
export function compareValues(before: JsonValue, after: JsonValue): ValueChange[] {
  return compareAt(before, after, [], []);
}

/** `from` and `to`: the paths of the values, before and after. */
function compareAt(before: JsonValue, after: JsonValue, from: Path, to: Path): ValueChange[] {
  const isWhole = to.length > 0 && [before, after].every(isOneValue);
  if (!isWhole && Array.isArray(before) && Array.isArray(after)) {
    return compareLists(before, after, from, to);
  }
  if (!isWhole && isJsonObject(before) && isJsonObject(after)) {
    // Another block is one change, not one for each member.
    const isOther = to.length > 0 && likenessOf(before) !== likenessOf(after);
    return isOther ? [changed(before, after, to)] : compareObjects(before, after, from, to);
  }
  return canonicalJson(before) === canonicalJson(after) ? [] : [changed(before, after, to)];
}

/** D1a: a rich text, a pointer or an asset. */
function isOneValue(value: JsonValue): boolean {
  if (isRichText(value)) return true;
  if (!isJsonObject(value)) return false;
  const { contentEntryId, id, fileName } = value;
  return [contentEntryId, fileName && id].some((name) => typeof name === "string");
}
function compareObjects(
  before: JsonObject,
  after: JsonObject,
  from: Path,
  to: Path,
): ValueChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].sort(byCodeUnit).flatMap((name) => {
    const [was, is] = [before[name] as JsonValue, after[name] as JsonValue];
    if (!Object.hasOwn(after, name)) return removed(was, [...from, name]);
    if (!Object.hasOwn(before, name)) return added(is, [...to, name]);
    return compareAt(was, is, [...from, name], [...to, name]);
  });
}

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  from: Path,
  to: Path,
): ValueChange[] {
  if (isReordered(before, after)) return [changed(before, after, to)];
  return alignLists(before, after).flatMap(([index, place]) => {
    const [was, is] = [before[index ?? 0] as JsonValue, after[place ?? 0] as JsonValue];
    if (index === undefined) return place === undefined ? [] : added(is, [...to, place]);
    if (place === undefined) return removed(was, [...from, index]);
    return compareAt(was, is, [...from, index], [...to, place]);
  });
}

/** Whether the same elements are in another order, which is one change of the list. */
function isReordered(before: readonly JsonValue[], after: readonly JsonValue[]): boolean {
  if (before.length !== after.length) return false;
  const [was, is] = [before.map(canonicalJson), after.map(canonicalJson)];
  return was.join() !== is.join() && was.toSorted().join() === is.toSorted().join();
}

function removed(before: JsonValue, path: Path): ValueChange {
  return { path: jsonPointer(path), change: "removed", before };
}

function added(after: JsonValue, path: Path): ValueChange {
  return { path: jsonPointer(path), change: "added", after };
}

function changed(before: JsonValue, after: JsonValue, path: Path): ValueChange {
  return { path: jsonPointer(path), change: "changed", before, after };
}
