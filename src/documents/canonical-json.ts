import stringify from "fast-json-stable-stringify";
import type { JsonValue } from "../workspace/json.ts";

/** F2: members sorted by code unit, no space, no final newline. */
export function canonicalJson(value: JsonValue): string {
  return stringify(value);
}

/**
 * F2, for documents that are read in diffs: the same, indented by two spaces. Member names must
 * not look like array indices (keys by I2 never do), as objects put those first.
 */
export function indentedCanonicalJson(value: JsonValue): string {
  return JSON.stringify(JSON.parse(canonicalJson(value)), null, 2);
}
