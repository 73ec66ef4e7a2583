import type { FieldDefinition } from "../workspace/field.ts";
import type { Definitions, JsonSchema } from "./field-type.ts";
import { fieldType } from "./registry.ts";

/** S2, S3: the schema of data with these fields, which is at this place in its document. */
export function dataSchema(
  fields: readonly FieldDefinition[],
  definitions: Definitions,
  at: string,
  title?: string,
): JsonSchema {
  return {
    ...(title !== undefined && { title }),
    type: "object",
    properties: Object.fromEntries(
      fields.map((field) => [
        field.key,
        fieldSchema(field, definitions, `${at}/properties/${field.key}`),
      ]),
    ),
    required: fields
      .filter(isAlwaysServed)
      .map(({ key }) => key)
      .sort(),
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
