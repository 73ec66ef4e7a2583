import stringify from "fast-json-stable-stringify";
import type { JsonObject, JsonValue } from "../workspace/json.ts";

/**
 * F2: members sorted by code unit, no space, no final newline.
 *
 * What is in that order already, as served entries are made, is left to `JSON.stringify`: a fifth
 * of the time of `svc check`.
 */
export function canonicalJson(value: JsonValue): string {
  return isInOrder(value) ? JSON.stringify(value) : stringify(value);
}

/** Whether every object in the value has its members in canonical order. */
function isInOrder(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).every(isInOrder);
  let last = "";
  for (const [name, member] of Object.entries(value)) {
    if (name < last || !isInOrder(member)) return false;
    last = name;
  }
  return true;
}

/**
 * F2, for documents that are read in diffs: the same, indented by two spaces. (`JSON.stringify`
 * indents, but cannot sort: an object has names such as "10" first, whatever order it was made in.)
 */
export function indentedCanonicalJson(value: JsonValue, margin = ""): string {
  if (typeof value !== "object" || value === null) return canonicalJson(value);
  const inner = `${margin}  `;
  const [open, close, parts] = Array.isArray(value)
    ? ["[", "]", value.map((element) => indentedCanonicalJson(element, inner))]
    : ["{", "}", members(value as JsonObject, inner)];
  if (parts.length === 0) return open + close;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}

function members(object: JsonObject, margin: string): string[] {
  return Object.keys(object)
    .sort()
    .map((name) => {
      const member = indentedCanonicalJson(object[name] as JsonValue, margin);
      return `${JSON.stringify(name)}: ${member}`;
    });
}
