/**
 * A field of a model, of a block or of a project, as authored. The options of each type are in its
 * file in `fields/`.
 */
export interface FieldDefinition {
  readonly key: string;
  readonly name?: string;
  /** W6b: for authors and readers of the schema. */
  readonly description?: string;
  readonly type: string;
  /** W6: its value is the title of an entry, before any other field's. */
  readonly title?: boolean;
  readonly required?: boolean;
  readonly repeatable?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** V10: of fields of models only. */
  readonly unique?: boolean;
  /** B2: of fields of models and blocks only. */
  readonly localized?: boolean;
}
