import type { FieldSurvey, TypeSurvey } from "./type-survey.ts";

/**
 * The category of each block, so that a field accepts few others than those it holds: blocks that
 * one field holds have one category, since a block cannot have two. None when all would have the same.
 */
export function categoriesOf(
  { models, blocks }: TypeSurvey,
  keyOf: (type: string) => string,
): Map<string, string> {
  const parents = new Map<string, string>();
  const first = (type: string): string => {
    const parent = parents.get(type) ?? type;
    if (parent === type) return type;
    const root = first(parent);
    parents.set(type, root);
    return root;
  };
  const places = new Map<string, string>();
  const join = (place: string, { blocks: held }: FieldSurvey) => {
    const [one, ...others] = held;
    if (one === undefined) return;
    for (const other of others) parents.set(first(other), first(one));
    if (!places.has(one)) places.set(one, place);
  };
  for (const types of [models, blocks]) {
    for (const [type, fields] of types) {
      for (const [name, field] of fields) join(`${type}.${name}`, field);
    }
  }
  const groups = Map.groupBy(blocks.keys(), first);
  if (groups.size < 2) return new Map();
  return new Map(
    [...groups].flatMap(([one, types]) => {
      const place = types.map((type) => places.get(type)).find((known) => known !== undefined);
      const name = types.length === 1 ? keyOf(one) : (place ?? one);
      return types.map((type) => [type, name] as const);
    }),
  );
}
