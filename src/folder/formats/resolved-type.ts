import type { FieldDefinition } from "../../workspace/field.ts";

/** A field of a model or a block, and how its values are stored. */
export interface ResolvedField {
  readonly definition: FieldDefinition;
  /** Whether a value is stored as a whole, as JSON. */
  readonly isWhole: boolean;
}

/** A type of an export, as a model or a block. */
export interface ResolvedType {
  readonly id: string;
  readonly key: string;
  /** By the name of the member. */
  readonly fields: ReadonlyMap<string, ResolvedField>;
}
