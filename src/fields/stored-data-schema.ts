import type { FieldDefinition } from "../workspace/field.ts";
import type { Definitions, JsonSchema } from "./field-type.ts";
import { fieldType } from "./registry.ts";

/**
 * G7: the schema of stored data with these fields, for editors, which is at this place in its
 * document. It refers to `#/$defs/assetId`,
 * `#/$defs/entryIds/<model id>` and `#/$defs/blocks/<block id>`.
 */
export function storedDataSchema(
  fields: readonly FieldDefinition[],
  definitions: Definitions,
  at: string,
): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map((field) => [
        field.key,
        storedFieldSchema(field, definitions, `${at}/properties/${field.key}`),
      ]),
    ),
    required: fields.filter(({ required }) => required === true).map(({ key }) => key),
    additionalProperties: false,
  };
}

function storedFieldSchema(
  field: FieldDefinition,
  definitions: Definitions,
  at: string,
): JsonSchema {
  const type = fieldType(field.type);
  const place = field.repeatable ? `${at}/items` : at;
  const value = (type.storedSchema ?? type.schema)(field, definitions, place);
  const words = { title: field.name ?? field.key, description: descriptionOf(field) };
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
function descriptionOf({ key, name, type, required, repeatable, ...options }: FieldDefinition) {
  const facts = [
    type,
    ...(required ? ["required"] : []),
    ...(repeatable ? ["repeatable"] : []),
    ...Object.entries(options).map(([option, value]) => `${option} ${[value].flat().join(", ")}`),
  ];
  return `${name ?? key}: ${facts.join(", ")}`;
}
