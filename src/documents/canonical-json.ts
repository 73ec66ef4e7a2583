import stringify from "fast-json-stable-stringify";
import type { JsonObject, JsonValue } from "../workspace/json.ts";

/**
 * F2: members sorted by code unit, no space, no final newline.
 *
 * Values that are in that order already, as rendered entries are, go to `JSON.stringify`, which is
 * faster than sorting.
 */
export function canonicalJson(value: JsonValue): string {
  return isInOrder(value) ? JSON.stringify(value) : stringify(value);
}

/** Whether every object in the value has its members in canonical order. */
function isInOrder(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).every(isInOrder);
  let last = "";
  const object = value as JsonObject;
  for (const name of Object.keys(object)) {
    if (name < last || !isInOrder(object[name] as JsonValue)) return false;
    last = name;
  }
  return true;
}

/**
 * F2, for documents that people compare: the same, indented by two spaces, with a final newline, as
 * UTF-8. `JSON.stringify` would put members such as "10" first. It is written in batches, since a
 * manifest may have a million lines.
 */
export function indentedCanonicalJson(value: JsonValue): Buffer {
  const batches: Buffer[] = [];
  let text = "";
  indent(value, "", (piece) => {
    text += piece;
    if (text.length < BATCH) return;
    batches.push(Buffer.from(text));
    text = "";
  });
  batches.push(Buffer.from(`${text}\n`));
  return Buffer.concat(batches);
}

/** Characters that are encoded together. */
const BATCH = 64 * 1024;

function indent(value: JsonValue, margin: string, write: (piece: string) => void): void {
  const inner = `${margin}  `;
  if (typeof value !== "object" || value === null) {
    write(JSON.stringify(value));
  } else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      write(`${index === 0 ? "[" : ","}\n${inner}`);
      indent(element, inner, write);
    }
    write(value.length === 0 ? "[]" : `\n${margin}]`);
  } else {
    const names = Object.keys(value).sort();
    for (const [index, name] of names.entries()) {
      write(`${index === 0 ? "{" : ","}\n${inner}${JSON.stringify(name)}: `);
      indent((value as JsonObject)[name] as JsonValue, inner, write);
    }
    write(names.length === 0 ? "{}" : `\n${margin}}`);
  }
}
