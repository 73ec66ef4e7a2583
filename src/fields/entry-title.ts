import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonValue } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import { valueIn } from "./localized.ts";

const USUAL_KEYS = /^(?:title|name|headline|heading|label|question)$/i;

/** Characters of a title that no field is marked for, and of one that is shown in a list. */
const MAXIMUM_LENGTH = 120;

/** W6c: the fields of a model of which the first with a text says what an entry is called. */
export function titleFields(fields: readonly FieldDefinition[]): readonly FieldDefinition[] {
  const single = fields.filter(({ repeatable }) => !repeatable);
  const texts = single.filter(({ type }) => type === "text");
  const marked = single.filter(({ title }) => title);
  const usual = texts.filter(({ key, title }) => !title && USUAL_KEYS.test(key));
  return marked.length + usual.length > 0 ? [...marked, ...usual] : texts;
}

/** W6c: of data whose model is not known, the members that are probably titles. */
export function titleMembers(data: Readonly<Record<string, JsonValue>>): FieldDefinition[] {
  return Object.keys(data).flatMap((key) => (USUAL_KEYS.test(key) ? { key, type: "text" } : []));
}

/** W6c: what an entry is called, by some of these fields; undefined: by its id. */
export function titleBy(
  fields: readonly FieldDefinition[],
  valuesOf: (field: FieldDefinition) => Iterable<JsonValue | undefined>,
): string | undefined {
  for (const field of fields) {
    for (const value of valuesOf(field)) {
      if (typeof value !== "string" || value.trim() === "") continue;
      return field.title ? value : asLine(value);
    }
  }
  return undefined;
}

/** W6a: the stored values of a field, in the order in which titles are looked for. */
export function titleValues(
  { localized }: FieldDefinition,
  stored: JsonValue | undefined,
  languages: readonly Language[],
): readonly (JsonValue | undefined)[] {
  if (!localized) return [stored];
  if (stored === undefined || !isJsonObject(stored)) return [];
  return [
    ...languages.map((language) => valueIn(stored, language)?.value),
    ...Object.values(stored),
  ];
}

/** A text as one line with room in a list. */
export function asLine(text: string): string {
  const line = text
    .trim()
    .slice(0, 4 * MAXIMUM_LENGTH)
    .replace(/\s+/g, " ");
  return line.length <= MAXIMUM_LENGTH
    ? line
    : `${[...line].slice(0, MAXIMUM_LENGTH - 1).join("")}…`;
}
