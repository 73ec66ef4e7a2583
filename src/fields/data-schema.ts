import type { FieldDefinition } from "../workspace/field.ts";
import { byCodeUnit, isJsonObject } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { JsonSchema, SchemaContext } from "./field-type.ts";
import { queryOf } from "./reference.ts";
import { fieldType } from "./registry.ts";

/** S2, S3: the schema of data with these fields. */
export function dataSchema(
  fields: readonly FieldDefinition[],
  context: SchemaContext,
  title?: string,
): JsonSchema {
  const required = fields.filter(isAlwaysServed).map(({ key }) => key);
  return {
    ...(title !== undefined && { title }),
    ...objectSchema(fields, required.sort(), (field) => fieldSchema(field, context)),
  };
}

function objectSchema(
  fields: readonly FieldDefinition[],
  required: readonly string[],
  schemaOf: (field: FieldDefinition) => JsonSchema,
): JsonSchema {
  const properties = fields.map((field) => [field.key, schemaOf(field)]);
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

function fieldSchema(field: FieldDefinition, context: SchemaContext): JsonSchema {
  const type = fieldType(field.type);
  const { name, description } = field;
  const texts = {
    ...(name !== undefined && { title: name }),
    ...(description !== undefined && { description }),
  };
  const value = type.schema(field, context);
  if (!field.repeatable) return { ...texts, ...value };
  return {
    ...texts,
    type: "array",
    items: value,
    ...(field.minItems !== undefined && !type.canVanish && { minItems: field.minItems }),
    ...(field.maxItems !== undefined && { maxItems: field.maxItems }),
  };
}

/** With the languages of the projects, whose locales are proposed (G7b). */
interface StoredContext extends SchemaContext {
  readonly languages: readonly Language[];
}

/**
 * G7: the schema of stored data with these fields, for editors, which is at this place in its
 * document. It refers to `#/$defs/assetId`,
 * `#/$defs/entryIds/<model id>` and `#/$defs/blocks/<block id>`.
 */
export function storedDataSchema(
  fields: readonly FieldDefinition[],
  context: StoredContext,
  at: string,
): JsonSchema {
  const required = fields.filter((field) => field.required === true).map(({ key }) => key);
  return objectSchema(fields, required, (field) =>
    storedFieldSchema(field, context, `${at}/properties/${field.key}`),
  );
}

function storedFieldSchema(field: FieldDefinition, context: StoredContext, at: string): JsonSchema {
  const words = { title: field.name ?? field.key, description: descriptionOf(field) };
  // Q2.
  if (queryOf(field) !== undefined) return { ...words, type: "null" };
  if (field.localized !== true) return storedValueSchema(field, words, context);
  const place = `${at}/additionalProperties`;
  const { languages } = context;
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
    additionalProperties: storedValueSchema(field, words, context),
  };
}

/** Of a field as it is without `localized`. */
function storedValueSchema(
  field: FieldDefinition,
  words: JsonSchema,
  context: StoredContext,
): JsonSchema {
  const type = fieldType(field.type);
  const value = (type.storedSchema ?? type.schema)(field, context);
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
    ...Object.entries(options).map(([option, value]) => `${option} ${wordsOf(value)}`),
  ];
  return `${name ?? key}: ${facts.join(", ")}`;
}

function wordsOf(value: unknown): string {
  return isJsonObject(value) ? JSON.stringify(value) : [value].flat().join(", ");
}
