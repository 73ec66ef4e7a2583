import { fieldType } from "../../fields/registry.ts";
import type { JsonValue } from "../../workspace/json.ts";

const TYPES = ["date-time", "date"] as const;

/**
 * The type that fits all values of a date field. Contentful accepts dates without time, seconds or
 * zone, and values are served as stored, so a field with other forms becomes a text.
 */
export class DateType {
  #fitting: readonly (typeof TYPES)[number][] = TYPES;

  add(value: JsonValue): void {
    if (this.#fitting.length === 0) return;
    this.#fitting = this.#fitting.filter((type) => {
      const { hasShape, brokenConstraint } = fieldType(type);
      return hasShape(value) && brokenConstraint?.({ key: "", type }, value) === undefined;
    });
  }

  get type(): "date" | "date-time" | "text" {
    return this.#fitting[0] ?? "text";
  }
}
