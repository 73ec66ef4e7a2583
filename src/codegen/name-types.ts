import type { SchemaModel } from "./schema-model.ts";

/** The names of the types of a schema's models and blocks, by their keys. */
export interface TypeNames {
  readonly models: ReadonlyMap<string, string>;
  readonly blocks: ReadonlyMap<string, string>;
}

/** What the generated file says itself, or uses of TypeScript. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...["Asset", "AssetFile", "Block", "BlockKey", "Blocks", "Entry", "ExperienceKey"],
  ...[
    "FeatureKey",
    "FeatureValues",
    "HtmlAsset",
    "Json",
    "MissingAsset",
    "ModelKey",
    "Models",
    "Object",
  ],
  ...["Pointer", "ProjectFields", "Record", "Schema", "StepKey", "StepModels", "UnknownEntry"],
]);

/**
 * Phase 2: `blog-post` is `BlogPost`, the block `hero` is `HeroBlock`. Those whose names would be
 * the same, as of `blog-post` and `blogPost`, are all named after their exact keys instead:
 * `Model$blog$post`, `Model$blogPost`. (`$` stands in no other name.) So no name depends on
 * an order, or on anything but the names that are the same.
 */
export function nameTypes({ models, blocks }: SchemaModel): TypeNames {
  const wanted = [
    ...models.map(({ key }) => ({ kind: "Model", key, name: pascal(key) })),
    ...blocks.map(({ key }) => ({ kind: "Block", key, name: `${pascal(key)}Block` })),
  ];
  const uses = Map.groupBy(wanted, ({ name }) => name);
  const names = wanted.map(({ kind, key, name }) => {
    const isFree = uses.get(name)?.length === 1 && !RESERVED.has(name);
    return { kind, key, name: isFree ? name : `${kind}$${key.replaceAll("-", "$")}` };
  });
  const named = (kind: string) =>
    new Map(names.flatMap((one) => (one.kind === kind ? [[one.key, one.name] as const] : [])));
  return { models: named("Model"), blocks: named("Block") };
}

function pascal(key: string): string {
  return key
    .split(/[-_]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}
