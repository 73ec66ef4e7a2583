import type { ValueChange } from "../../src/diff/compare-values.ts";
import { isJsonObject, type JsonValue, jsonPointer } from "../../src/workspace/json.ts";

/**
 * The value after, from the value before and what is told: what was removed is taken away, all at
 * once, then the rest is done in the order in which it is told.
 */
export function applyChanges(before: JsonValue, changes: readonly ValueChange[]): JsonValue {
  const gone = changes.filter(({ change }) => change === "removed").map(({ path }) => path);
  const root = { value: without(before, new Set(gone), []) };
  for (const { path, change, after } of changes) {
    if (change !== "removed") put(root, path, change, after as JsonValue);
  }
  return root.value;
}

/** The value that a JSON Pointer names; undefined when there is none. */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  return segmentsOf(pointer).reduce<JsonValue | undefined>(
    (at, name) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, name)
        ? (at as { [name: string]: JsonValue })[name]
        : undefined,
    value,
  );
}

/** A copy without what is at the pointers. */
function without(value: JsonValue, gone: ReadonlySet<string>, path: string[]): JsonValue {
  const kept = (name: string | number) => !gone.has(jsonPointer([...path, name]));
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((element, index) =>
      kept(index) ? [without(element, gone, [...path, String(index)])] : [],
    );
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => kept(name));
  return Object.fromEntries(
    members.map(([name, member]) => [name, without(member, gone, [...path, name])]),
  );
}

function put(
  root: { value: JsonValue },
  path: string,
  change: "added" | "changed",
  value: JsonValue,
): void {
  const names = ["value", ...segmentsOf(path)];
  const last = names.pop() as string;
  // `value` is the only member of the root, so that its own paths begin with it.
  const holder = valueAt(root, jsonPointer(names)) as JsonValue[];
  if (Array.isArray(holder) && change === "added") holder.splice(Number(last), 0, value);
  else {
    Object.defineProperty(holder, last, {
      ...{ value, enumerable: true, configurable: true, writable: true },
    });
  }
}

function segmentsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
