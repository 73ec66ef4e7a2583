import { parseJsonText } from "../../folder/json-text.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
} from "../../workspace/json.ts";
import type { Block } from "../../workspace/records.ts";

type Blocks = ReadonlyMap<string, Block>;

/** H59: a text of a `json` field that is none. */
export interface JsonFault {
  readonly path: string;
  readonly message: string;
}

/** H59: data as a form has it: the values of `json` fields are texts, in blocks too. */
export function typedData(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  blocks: Blocks,
): JsonObject {
  return new Mapping(blocks, (value) =>
    value === null ? null : JSON.stringify(value, null, 2),
  ).data(fields, data, []);
}

/** The value to store for one that a form gave: of JSON its text has, in a list what was given of what was added. */
export function storedValue(
  field: FieldDefinition,
  given: JsonValue,
  { blocks, path, faults }: { blocks: Blocks; path: readonly string[]; faults: JsonFault[] },
): JsonValue {
  const parse = (value: JsonValue, at: readonly string[]) => {
    const text = String(value ?? "");
    if (text.trim() === "") return null;
    const parsed = parseJsonText(text);
    if ("value" in parsed) return parsed.value;
    for (const { message, line, column } of parsed.faults) {
      const place = line ? `line ${line}, column ${column}: ` : "";
      faults.push({ path: jsonPointer(at), message: place + message });
    }
    return value;
  };
  return new Mapping(blocks, parse, isGiven).value(field, given, path);
}

/** A pointer that was added to a list and not chosen is none, nor is what was emptied. */
function isGiven({ type }: FieldDefinition, value: JsonValue): boolean {
  return value !== null && (type === "text" || value !== "");
}

/** Other values of `json` fields, and shorter lists. */
class Mapping {
  readonly #blocks: Blocks;
  readonly #json: (value: JsonValue, path: readonly string[]) => JsonValue;
  readonly #isKept: (field: FieldDefinition, value: JsonValue) => boolean;

  constructor(
    blocks: Blocks,
    json: (value: JsonValue, path: readonly string[]) => JsonValue,
    isKept: (field: FieldDefinition, value: JsonValue) => boolean = () => true,
  ) {
    this.#blocks = blocks;
    this.#json = json;
    this.#isKept = isKept;
  }

  /** The value of a field in one locale. */
  value(field: FieldDefinition, value: JsonValue, path: readonly string[]): JsonValue {
    if (field.type === "json") return this.#json(value, path);
    if (!field.repeatable || !Array.isArray(value)) return this.#one(field, value, path);
    return (value as readonly JsonValue[])
      .filter((one) => this.#isKept(field, one))
      .map((one, index) => this.#one(field, one, [...path, String(index)]));
  }

  #one({ type }: FieldDefinition, value: JsonValue, path: readonly string[]): JsonValue {
    if (type !== "content-block" || !isJsonObject(value)) return value;
    const block = this.#blocks.get(String(value.contentBlockId));
    if (block === undefined || !isJsonObject(value.data)) return value;
    return { ...value, data: this.data(block.fields, value.data, [...path, "data"]) };
  }

  data(fields: readonly FieldDefinition[], data: JsonObject, path: readonly string[]): JsonObject {
    return withMembers(data, (key, stored) => {
      const field = fields.find((one) => one.key === key);
      if (field === undefined) return stored;
      if (!field.localized) return this.value(field, stored, [...path, key]);
      if (!isJsonObject(stored)) return stored;
      return withMembers(stored, (locale, one) => this.value(field, one, [...path, key, locale]));
    });
  }
}

function withMembers(
  object: JsonObject,
  change: (name: string, value: JsonValue) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(name, value)]),
  );
}
