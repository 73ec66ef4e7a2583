import { canonicalJson } from "../../documents/canonical-json.ts";
import { isJsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";

/** A value of one side; undefined where it is absent. */
export type Side = JsonValue | undefined;

export function isEqual(a: Side, b: Side): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || canonicalJson(a) === canonicalJson(b);
}

/** The members by which the same target or asset is recognized on two sides, or any element. */
const POINTER_NAMES = ["contentEntryId", "assetId"];
const NAMES = ["id", "key", ...POINTER_NAMES, "_key"];

/** Equal for one element on two sides, changed or not; undefined when it has no name. */
export function identityOf(value: JsonValue): string | undefined {
  return namedBy(NAMES, value);
}

/** Equal for elements that may be one, changed: by identity, blocks of one definition, or type. */
export function sortOf(value: JsonValue): string {
  return sortBy(NAMES, value);
}

/** The same of a member's value, whose own members may be locales: `id` is Indonesian (B2). */
export function sortOfMember(value: JsonValue): string {
  return sortBy(POINTER_NAMES, value);
}

function sortBy(names: readonly string[], value: JsonValue): string {
  const block = isJsonObject(value) ? ownMember(value, "contentBlockId") : undefined;
  if (typeof block === "string") return `contentBlockId ${block}`;
  const type = Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
  return namedBy(names, value) ?? type;
}

function namedBy(names: readonly string[], value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const name = names.find((one) => typeof ownMember(value, one) === "string");
  return name === undefined ? undefined : `${name} ${value[name]}`;
}
