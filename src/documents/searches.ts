import { queryOf, type ReferenceField } from "../fields/reference.ts";
import { acceptedOf } from "../fields/shared-schemas.ts";
import { askedKeys, DEFAULT_LIMIT } from "../workspace/conditions.ts";
import type { Draft } from "../workspace/draft.ts";
import { jsonPointer } from "../workspace/json.ts";
import type { Model } from "../workspace/records.ts";
import { collectionsOf } from "./collection-definitions.ts";
import type { Search } from "./indexed-values.ts";

type Definitions = Pick<Draft, "models" | "blocks" | "projects">;

/** All searches of a draft. */
export function searchesOf(draft: Definitions): Search[] {
  const { models, blocks, projects } = draft;
  const ofFields = (kind: "model" | "block", { id, fields }: Model) =>
    fields.flatMap((field, index): Search[] => {
      const query = queryOf(field);
      if (query === undefined) return [];
      const { where = {}, sort = [], limit = DEFAULT_LIMIT } = query;
      return [
        {
          models: acceptedOf(models, (field as ReferenceField).models),
          where,
          sort,
          keys: new Set(askedKeys(query)),
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
