import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonObject, JsonValue } from "../workspace/json.ts";
import type { Block, Model } from "../workspace/records.ts";
import type { Serving } from "./serving.ts";

export type JsonSchema = JsonObject;

/** What a schema may name: the definitions of the document it stands in. */
export interface Definitions {
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
}

/**
 * A type of field: what may be authored, what is stored, what is served and the schema of that,
 * side by side. `repeatable` and absent values are handled once, in `data.ts`.
 */
export interface FieldType<
  F extends FieldDefinition = FieldDefinition,
  V extends JsonValue = JsonValue,
> {
  readonly name: string;
  /** The JSON Schema of each option that a definition of this type may have. */
  readonly options: { readonly [option: string]: JsonSchema };
  readonly requiredOptions?: readonly string[];
  /** What is wrong with the options together, where a schema cannot say it; undefined: nothing. */
  optionFault?(field: F): string | undefined;
  /** The shape of a stored value, in words: "a string" (V3). */
  readonly shape: string;
  /** V3: a stored value of another shape is never served. */
  hasShape(value: JsonValue): value is V;
  /** V3: which constraint a value of the right shape breaks ("is longer than …"). */
  brokenConstraint?(field: F, value: V): string | undefined;
  /**
   * The served value, its members in canonical order (F2); undefined when nothing is served.
   * Absent: the stored value itself.
   */
  serve?(field: F, value: V, serving: Serving): JsonValue | undefined;
  /** The JSON Schema of one served value; it says what `brokenConstraint` checks. */
  schema(field: F, definitions: Definitions): JsonSchema;
  /**
   * Rule 2 of the value shapes: elements of this type can vanish although they are stored, so the
   * schema can promise neither a single value nor a least number of them.
   */
  readonly canVanish?: boolean;
  /** Values lead out of their entry: to another one, or to a file that is published. */
  readonly isLink?: boolean;
  /** Values have whatever members they have, in whatever order. */
  readonly isOpaque?: boolean;
}

export function isString(value: JsonValue): value is string {
  return typeof value === "string";
}

export function isNumber(value: JsonValue): value is number {
  return typeof value === "number";
}

/** The options of a definition that are JSON Schema keywords as they stand. */
export function keywords<F extends FieldDefinition>(
  field: F,
  names: readonly (keyof F & string)[],
): JsonSchema {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = field[name] as JsonValue | undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
