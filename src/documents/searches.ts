import type { Conditions, Sort } from "../workspace/conditions.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import type { ProblemPlace } from "../workspace/problem.ts";
import type { Model } from "../workspace/records.ts";

/** What looks for entries by their values: a query, or a collection. */
export interface Search {
  /** Whose entries are found. */
  readonly models: readonly Model[];
  readonly where: Conditions;
  readonly sort: Sort;
  /** The fields of found entries that are asked for. */
  readonly keys: ReadonlySet<string>;
  readonly query?: SearchingField;
  /** The place of its member `where` or `sort`, or of what is in it. */
  readonly placeOf: (...path: (string | number)[]) => ProblemPlace;
}

/** A field with a query. */
export interface SearchingField {
  readonly field: FieldDefinition;
  /** All fields of its record. */
  readonly beside: readonly FieldDefinition[];
  readonly limit: number;
}

/** The fields of the searched models that are asked for. */
export function askedFields({ models, keys }: Search): FieldDefinition[] {
  return models.flatMap(({ fields }) => fields.filter(({ key }) => keys.has(key)));
}
