import { queryOf, type ReferenceField } from "../fields/reference.ts";
import { acceptedOf } from "../fields/shared-schemas.ts";
import { type Conditions, MAXIMUM_LIMIT, type Sort, sortKeys } from "../workspace/conditions.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { jsonPointer } from "../workspace/json.ts";
import type { ProblemPlace } from "../workspace/problem.ts";
import type { Model } from "../workspace/records.ts";
import { collectionsOf } from "./collection-definitions.ts";

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

type Definitions = Pick<Draft, "models" | "blocks" | "projects">;

/** All searches of a draft. */
export function searchesOf(draft: Definitions): Search[] {
  const { models, blocks, projects } = draft;
  const ofFields = (kind: "model" | "block", { id, fields }: Model) =>
    fields.flatMap((field, index): Search[] => {
      const query = queryOf(field);
      if (query === undefined) return [];
      const { where = {}, sort = [], limit = MAXIMUM_LIMIT } = query;
      return [
        {
          models: acceptedOf(models, (field as ReferenceField).models),
          where,
          sort,
          keys: new Set([...Object.keys(where), ...sortKeys(sort).map(({ key }) => key)]),
          query: { field, beside: fields, limit },
          placeOf: (...path) => ({
            kind,
            id,
            path: jsonPointer(["fields", index, "query", ...path]),
          }),
        },
      ];
    });
  return [
    ...models.flatMap((model) => ofFields("model", model)),
    ...blocks.flatMap((block) => ofFields("block", block)),
    ...projects.flatMap((one) => collectionsOf(draft, one).definitions.map(({ search }) => search)),
  ];
}

/** The fields of the searched models that are asked for. */
export function askedFields({ models, keys }: Search): FieldDefinition[] {
  return models.flatMap(({ fields }) => fields.filter(({ key }) => keys.has(key)));
}

/** Equal for searches that find the same in the same entries. */
export function searchKey(search: Search): string {
  const { models, where, sort, query } = search;
  const own = query && [query.limit, query.beside.map(({ key, repeatable }) => [key, repeatable])];
  return JSON.stringify([models.map(({ id }) => id), askedFields(search), where, sort, own]);
}
