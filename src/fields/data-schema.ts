import type { FieldDefinition } from "../workspace/field.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Definitions, JsonSchema } from "./field-type.ts";
import { fieldType } from "./registry.ts";

/** S2, S3: the schema of data with these fields, which is at this place in its document. */
export function dataSchema(
  fields: readonly FieldDefinition[],
  definitions: Definitions,
  at: string,
  title?: string,
): JsonSchema {
  const required = fields.filter(isAlwaysServed).map(({ key }) => key);
  return {
    ...(title !== undefined && { title }),
    ...objectSchema(fields, at, required.sort(), (field, place) =>
      fieldSchema(field, definitions, place),
    ),
  };
}

function objectSchema(
  fields: readonly FieldDefinition[],
  at: string,
  required: readonly string[],
  schemaOf: (field: FieldDefinition, at: string) => JsonSchema,
): JsonSchema {
  const properties = fields.map((field) => [
    field.key,
    schemaOf(field, `${at}/properties/${field.key}`),
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

/** S3. */
function isAlwaysServed(field: FieldDefinition): boolean {
  return field.repeatable || (field.required === true && !fieldType(field.type).canVanish);
}

function fieldSchema(field: FieldDefinition, definitions: Definitions, at: string): JsonSchema {
  const type = fieldType(field.type);
  const { name, description } = field;
  const texts = {
    ...(name !== undefined && { title: name }),
    ...(description !== undefined && { description }),
  };
  const value = type.schema(field, definitions, field.repeatable ? `${at}/items` : at);
  if (!field.repeatable) return { ...texts, ...value };
  return {
    ...texts,
    type: "array",
    items: value,
    ...(field.minItems !== undefined && !type.canVanish && { minItems: field.minItems }),
    ...(field.maxItems !== undefined && { maxItems: field.maxItems }),
  };
}

/** Definitions, and the languages of the projects, whose locales are proposed (G7b). */
interface StoredDefinitions extends Definitions {
  readonly languages: readonly Language[];
}

/**
 * G7: the schema of stored data with these fields, for editors, which is at this place in its
 * document. It refers to `#/$defs/assetId`,
 * `#/$defs/entryIds/<model id>` and `#/$defs/blocks/<block id>`.
 */
export function storedDataSchema(
  fields: readonly FieldDefinition[],
  definitions: StoredDefinitions,
  at: string,
): JsonSchema {
  const required = fields.filter((field) => field.required === true).map(({ key }) => key);
  return objectSchema(fields, at, required, (field, place) =>
    storedFieldSchema(field, definitions, place),
  );
}

function storedFieldSchema(
  field: FieldDefinition,
  definitions: StoredDefinitions,
  at: string,
): JsonSchema {
  const words = { title: field.name ?? field.key, description: descriptionOf(field) };
  if (field.localized !== true) return storedValueSchema(field, words, definitions, at);
  const place = `${at}/additionalProperties`;
  const { languages } = definitions;
  const locales = [...new Set(languages.flat())].sort(byCodeUnit);
  return {
    ...words,
    type: "object",
    properties: Object.fromEntries(locales.map((locale) => [locale, { $ref: place }])),
    // G7b, B3: each language has a value.
    ...(field.required === true &&
      languages.length > 0 && {
        allOf: languages.map((language) => ({
          anyOf: language.map((locale) => ({ required: [locale] })),
        })),
      }),
    additionalProperties: storedValueSchema(field, words, definitions, place),
  };
}

/** Of a field as it is without `localized`. */
function storedValueSchema(
  field: FieldDefinition,
  words: JsonSchema,
  definitions: StoredDefinitions,
  at: string,
): JsonSchema {
  const type = fieldType(field.type);
  const place = field.repeatable ? `${at}/items` : at;
  const value = (type.storedSchema ?? type.schema)(field, definitions, place);
  if (!field.repeatable) return { ...words, ...value };
  const { minItems, maxItems } = field;
  return {
    ...words,
    type: "array",
    items: { ...words, ...value },
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

/** "Headline: text, required, maxLength 80" */
function descriptionOf(field: FieldDefinition) {
  const { key, name, type, required, repeatable, localized, ...options } = field;
  const facts = [
    type,
    ...(required ? ["required"] : []),
    ...(repeatable ? ["repeatable"] : []),
    ...(localized ? ["localized"] : []),
    ...Object.entries(options).map(([option, value]) => `${option} ${[value].flat().join(", ")}`),
  ];
  return `${name ?? key}: ${facts.join(", ")}`;
}
