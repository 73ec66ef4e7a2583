import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonObject, JsonValue } from "../workspace/json.ts";
import type { ProblemArguments } from "../workspace/problem.ts";
import type { UnboundedReason } from "../workspace/problem-catalogue.ts";
import type { Block, Model, Workspace } from "../workspace/records.ts";
import type { BrokenConstraint, ValueShape } from "../workspace/value-messages.ts";
import type { Renderer } from "./renderer.ts";
import type { SharedSchemas } from "./shared-schemas.ts";

export type JsonSchema = JsonObject;

export interface Definitions {
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly workspace?: Pick<Workspace, "assetTexts">;
}

/** What the schemas of fields are made from. */
export interface SchemaContext extends Definitions {
  readonly shared: SharedSchemas;
}

/** A name in an option of a field that does not exist. */
interface UnknownName extends Pick<ProblemArguments["option-unknown"], "option" | "name"> {
  readonly path: readonly (string | number)[];
  readonly known: readonly string[];
}

/**
 * A type of field: its options, its stored values, its served values and their schema, side by
 * side. `repeatable` and absent values are handled once, in `record-renderer.ts`.
 */
export interface FieldType<
  F extends FieldDefinition = FieldDefinition,
  V extends JsonValue = JsonValue,
> {
  readonly name: string;
  /** The JSON Schema of each option that a definition of this type may have. */
  readonly options: { readonly [option: string]: JsonSchema };
  readonly requiredOptions?: readonly string[];
  /** What is wrong with the options together, which their schemas cannot say; undefined: nothing. */
  optionFault?(field: F): string | undefined;
  /** P3: why the time that values are tested in has no known bound; undefined: it has one. */
  unboundedPattern?(field: F): UnboundedReason | undefined;
  /** P3: the names in its options that do not exist, each with its path in the definition. */
  unknownNames?(field: F, definitions: Definitions): readonly UnknownName[];
  readonly shape: ValueShape;
  /** V3a: a stored value of another shape is never served. */
  hasShape(value: JsonValue): value is V;
  /** Whether a value of the right shape is none where the field is required. */
  isEmpty?(value: V): boolean;
  /** V3b: the constraint that a value of the right shape breaks; undefined: none. */
  brokenConstraint?(field: F, value: V): BrokenConstraint | undefined;
  /**
   * The served value, its members in canonical order (F2); undefined when nothing is served.
   * Absent: the stored value itself.
   */
  render?(field: F, value: V, renderer: Renderer): JsonValue | undefined;
  /** The JSON Schema of one served value, with the constraints of `brokenConstraint`. */
  schema(field: F, context: SchemaContext): JsonSchema;
  /** The JSON Schema of one stored value, for editors (G7); absent: that of a served one. */
  storedSchema?(field: F, context: SchemaContext): JsonSchema;
  /**
   * Rule 2 of the value shapes: a stored value of this type may not be served, so the schema can
   * promise neither a single value nor `minItems`.
   */
  readonly canVanish?: boolean;
  /** V10: a field of this type may be `unique`. */
  readonly canBeUnique?: true;
  readonly holdsBlocks?: true;
}

export function isString(value: JsonValue): value is string {
  return typeof value === "string";
}

export function isNumber(value: JsonValue): value is number {
  return typeof value === "number";
}

/** The options of a definition that are JSON Schema keywords of the same name. */
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
