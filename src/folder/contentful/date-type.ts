import { fieldType } from "../../fields/registry.ts";
import type { JsonValue } from "../../workspace/json.ts";

/**
 * The type that fits all values of a date field. Contentful accepts dates without time, seconds or
 * zone, and values are served as stored, so a field with other forms becomes a text.
 */
export function dateType(values: readonly JsonValue[]): "date" | "date-time" | "text" {
  for (const type of ["date-time", "date"] as const) {
    const { hasShape, brokenConstraint } = fieldType(type);
    const fits = (value: JsonValue) =>
      hasShape(value) && brokenConstraint?.({ key: "", type }, value) === undefined;
    if (values.every(fits)) return type;
  }
  return "text";
}
