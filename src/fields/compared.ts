import type { Scalar } from "../workspace/conditions.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonValue } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import { valueIn } from "./localized.ts";
import { queryOf } from "./reference.ts";
import { fieldType } from "./registry.ts";

/** How the values of a field are compared; undefined: not at all (Q3). */
export type Compared = "text" | "number" | "boolean" | "date" | "reference";

export function comparedAs(field: FieldDefinition): Compared | undefined {
  const { type } = field;
  if (DATES.has(type)) return "date";
  if (type === "reference") return queryOf(field) === undefined ? "reference" : undefined;
  return COMPARED[fieldType(type).shape];
}

const DATES: ReadonlySet<string> = new Set(["date", "date-time", "iso-date"]);

const COMPARED: { readonly [shape: string]: Compared | undefined } = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
};

const NONE: readonly never[] = [];

/** Q3: the values of a comparable field that are served in a language, each once. */
export function scalarsOf(
  field: FieldDefinition,
  stored: JsonValue | undefined,
  language: Language,
): readonly Scalar[] {
  const value = field.localized ? valueIn(stored, language)?.value : stored;
  if (value === undefined || value === null || comparedAs(field) === undefined) return NONE;
  const type = fieldType(field.type);
  const scalar = (one: JsonValue) =>
    (isJsonObject(one) ? one.contentEntryId : one) as unknown as Scalar;
  if (!field.repeatable) return type.hasShape(value) ? [scalar(value)] : NONE;
  if (!Array.isArray(value)) return NONE;
  return [...new Set(value.filter((one) => type.hasShape(one)).map(scalar))];
}
