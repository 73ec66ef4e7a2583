/**
 * A field of a model, of a block or of a project, as authored: what every type has. The options
 * of a type stand in that type's file in `fields/`.
 */
export interface FieldDefinition {
  readonly key: string;
  readonly name?: string;
  readonly type: string;
  readonly required?: boolean;
  readonly repeatable?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
}
