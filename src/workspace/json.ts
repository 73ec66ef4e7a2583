/** Any JSON value, as `JSON.parse` returns it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined: it is none. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * An object's own member, or undefined. `constructor` and `toString` are ordinary field keys (I3),
 * and a plain look-up would find inherited members.
 */
export function ownMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Orders two strings by code unit (`<`), never by a locale (E5, F2). */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The JSON Pointer (RFC 6901) of a path, `""` for the whole value. */
export function jsonPointer(path: readonly (string | number)[]): string {
  let pointer = "";
  for (const segment of path) {
    const isPlain = typeof segment === "number" || !/[~/]/.test(segment);
    pointer += `/${isPlain ? segment : segment.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

/** The names on the way that a JSON Pointer shows. */
export function pathIn(pointer: string): string[] {
  const names = pointer.split("/").slice(1);
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Values that are nested deeper are refused, since many JSON parsers would fail on them. */
export const MAXIMUM_NESTING = 200;

/** Whether a parsed value is nested more deeply than that. */
export function nestsTooDeep(value: JsonValue, levels = MAXIMUM_NESTING): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // `for in` takes ten times as long for a list.
  if (Array.isArray(value)) return value.some((one) => nestsTooDeep(one, levels - 1));
  // `Object.values` takes 1.4 times as long; a parsed object has no inherited members.
  const members = value as JsonObject;
  for (const name in members) {
    if (nestsTooDeep(members[name] as JsonValue, levels - 1)) return true;
  }
  return false;
}
