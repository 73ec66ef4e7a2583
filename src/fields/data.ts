import type { FieldDefinition } from "../workspace/field.ts";
import { type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Definitions, FieldType, JsonSchema } from "./field-type.ts";
import { fieldType } from "./registry.ts";
import type { Serving } from "./serving.ts";

/** The served data of an entry, a block or a project, from its stored data (V1 to V3). */
export function serveData(
  fields: readonly FieldDefinition[],
  stored: JsonObject,
  serving: Serving,
): JsonObject {
  const served: Record<string, JsonValue> = {};
  for (const field of fields) {
    serving.enter(field.key);
    const value = serveField(field, ownMember(stored, field.key), serving);
    serving.leave();
    if (value !== undefined) served[field.key] = value;
  }
  return served;
}

function serveField(
  field: FieldDefinition,
  stored: JsonValue | undefined,
  serving: Serving,
): JsonValue | undefined {
  if (stored === undefined || stored === null) {
    if (field.required) serving.report({ code: "value-missing", args: { field: field.key } });
    else if (field.repeatable) reportItemCount(field, 0, serving);
    return field.repeatable ? [] : undefined;
  }
  const type = fieldType(field.type);
  if (!field.repeatable) return serveValue(type, field, stored, serving);
  if (!Array.isArray(stored)) {
    serving.report({ code: "value-type", args: { expected: "a list" } });
    return [];
  }
  reportItemCount(field, stored.length, serving);
  const served: JsonValue[] = [];
  for (let index = 0; index < stored.length; index += 1) {
    serving.enter(index);
    const value = serveValue(type, field, stored[index], serving);
    serving.leave();
    if (value !== undefined) served.push(value);
  }
  return served;
}

/** V3, for one value. */
function serveValue(
  type: FieldType,
  field: FieldDefinition,
  stored: JsonValue,
  serving: Serving,
): JsonValue | undefined {
  if (!type.hasShape(stored)) {
    serving.report({ code: "value-type", args: { expected: type.shape } });
    return undefined;
  }
  const reason = type.brokenConstraint?.(field, stored);
  if (reason !== undefined) serving.report({ code: "value-constraint", args: { reason } });
  return type.serve === undefined ? stored : type.serve(field, stored, serving);
}

function reportItemCount(field: FieldDefinition, count: number, serving: Serving): void {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  if (count >= minItems && count <= maxItems) return;
  const reason =
    count < minItems
      ? `has ${count} items, fewer than minItems ${minItems}`
      : `has ${count} items, more than maxItems ${maxItems}`;
  serving.report({ code: "value-constraint", args: { reason } });
}

/** S2, S3: the schema of data with these fields. */
export function dataSchema(
  fields: readonly FieldDefinition[],
  definitions: Definitions,
  title?: string,
): JsonSchema {
  return {
    ...(title !== undefined && { title }),
    type: "object",
    properties: Object.fromEntries(
      fields.map((field) => [field.key, fieldSchema(field, definitions)]),
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

function fieldSchema(field: FieldDefinition, definitions: Definitions): JsonSchema {
  const type = fieldType(field.type);
  const title = field.name !== undefined && { title: field.name };
  const value = type.schema(field, definitions);
  if (!field.repeatable) return { ...title, ...value };
  return {
    ...title,
    type: "array",
    items: value,
    ...(field.minItems !== undefined && !type.canVanish && { minItems: field.minItems }),
    ...(field.maxItems !== undefined && { maxItems: field.maxItems }),
  };
}
