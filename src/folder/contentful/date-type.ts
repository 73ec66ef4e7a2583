import { fieldType } from "../../fields/registry.ts";
import type { JsonValue } from "../../workspace/json.ts";

/**
 * The type whose schema is true of the data: Contentful lets an author leave out time, seconds and
 * zone. Values are served as stored, so a field that has any other form is a text.
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
