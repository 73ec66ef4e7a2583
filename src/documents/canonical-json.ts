import stringify from "fast-json-stable-stringify";
import type { JsonObject, JsonValue } from "../workspace/json.ts";

/**
 * F2: members sorted by code unit, no space, no final newline.
 *
 * What is in that order already, as served entries are made, is left to `JSON.stringify`, which
 * takes less time than sorting.
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
 * F2, for documents that are read in diffs: the same, indented by two spaces, with a final newline,
 * as UTF-8. (`JSON.stringify` indents, but cannot sort: an object has names such as "10" first,
 * whatever order it was made in.) It is made by pieces, since a manifest may have a million lines.
 */
export function indentedCanonicalJson(value: JsonValue): Buffer {
  const batches: Buffer[] = [];
  let text = "";
  for (const piece of indented(value, "")) {
    text += piece;
    if (text.length < BATCH) continue;
    batches.push(Buffer.from(text));
    text = "";
  }
  batches.push(Buffer.from(`${text}\n`));
  return Buffer.concat(batches);
}

/** Characters that become bytes together. */
const BATCH = 64 * 1024;

function* indented(value: JsonValue, margin: string): Generator<string> {
  if (typeof value !== "object" || value === null) return yield canonicalJson(value);
  const isList = Array.isArray(value);
  const members = isList ? value.entries() : sortedMembers(value as JsonObject);
  const inner = `${margin}  `;
  let before = isList ? "[" : "{";
  for (const [name, member] of members) {
    yield `${before}\n${inner}${isList ? "" : `${JSON.stringify(name)}: `}`;
    yield* indented(member, inner);
    before = ",";
  }
  const close = isList ? "]" : "}";
  yield before === "," ? `\n${margin}${close}` : before + close;
}

function* sortedMembers(object: JsonObject): Generator<[string, JsonValue]> {
  for (const name of Object.keys(object).sort()) yield [name, object[name] as JsonValue];
}
