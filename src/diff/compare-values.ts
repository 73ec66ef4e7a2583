import { diffArrays } from "diff";
import { canonicalJson } from "../documents/canonical-json.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
} from "../workspace/json.ts";

/** One difference between two JSON values. */
export interface ValueChange {
  /** JSON Pointer, into the value after; into the value before for what was removed. */
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

type Path = readonly (string | number)[];

/**
 * The differences between two JSON values: objects by member; lists by what their elements are,
 * so that an element inserted at the front changes one place.
 */
export function compareValues(before: JsonValue, after: JsonValue, path: Path = []): ValueChange[] {
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path);
  if (isJsonObject(before) && isJsonObject(after)) return compareObjects(before, after, path);
  if (canonicalJson(before) === canonicalJson(after)) return [];
  return [{ path: jsonPointer(path), change: "changed", before, after }];
}

function compareObjects(before: JsonObject, after: JsonObject, path: Path): ValueChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].sort(byCodeUnit).flatMap((name) => {
    const here = [...path, name];
    if (!Object.hasOwn(after, name)) return removed(before[name] as JsonValue, here);
    if (!Object.hasOwn(before, name)) return added(after[name] as JsonValue, here);
    return compareValues(before[name] as JsonValue, after[name] as JsonValue, here);
  });
}

/** Lists that differ in more places than this are compared place by place. */
const MOST_EDITS = 1000;

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: Path,
): ValueChange[] {
  const parts = diffArrays(before.map(identity), after.map(identity), {
    maxEditLength: MOST_EDITS,
  }) ?? [
    { removed: true, added: false, count: before.length },
    { removed: false, added: true, count: after.length },
  ];
  const changes: ValueChange[] = [];
  let from = 0;
  let to = 0;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] as (typeof parts)[number];
    const next = parts[index + 1];
    const isReplaced = part.removed && next?.added;
    // What stands where something was taken away is the same place changed, as far as it goes.
    const both = isReplaced
      ? Math.min(part.count, next.count)
      : part.removed || part.added
        ? 0
        : part.count;
    const gone = part.removed ? part.count : both;
    const come = isReplaced ? next.count : part.added ? part.count : both;
    for (let n = 0; n < Math.max(gone, come); n += 1) {
      const [old, now] = [before[from + n] as JsonValue, after[to + n] as JsonValue];
      if (n < both) changes.push(...compareValues(old, now, [...path, to + n]));
      else if (n < gone) changes.push(removed(old, [...path, from + n]));
      else changes.push(added(now, [...path, to + n]));
    }
    from += gone;
    to += come;
    if (isReplaced) index += 1;
  }
  return changes;
}

/** What makes an element of a list the same one: its id, what it points at, or all that it is. */
function identity(value: JsonValue): string {
  if (isJsonObject(value)) {
    for (const name of ["id", "contentEntryId"]) {
      if (Object.hasOwn(value, name) && typeof value[name] === "string") {
        return `${name} ${value[name]}`;
      }
    }
  }
  return canonicalJson(value);
}

function removed(before: JsonValue, path: Path): ValueChange {
  return { path: jsonPointer(path), change: "removed", before };
}

function added(after: JsonValue, path: Path): ValueChange {
  return { path: jsonPointer(path), change: "added", after };
}
