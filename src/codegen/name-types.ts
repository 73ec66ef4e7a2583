import type { SchemaModel } from "./schema-model.ts";

export interface TypeNames {
  readonly models: ReadonlyMap<string, string>;
  readonly blocks: ReadonlyMap<string, string>;
}

/** Names that the generated file declares itself or uses from TypeScript. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "Asset AssetFile Block BlockKey Blocks Entry ExperienceKey FeatureKey FeatureValues HtmlAsset " +
    "Json MissingAsset ModelKey Models Object Pointer ProjectFields Record RichText Schema StepKey " +
    "StepModels UnknownEntry"
  ).split(" "),
);

/**
 * Phase 2: the model `blog-post` becomes `BlogPost`, the block `hero` becomes `HeroBlock`. Names
 * that collide, such as those of `blog-post` and `blogPost`, are all replaced by their exact keys:
 * `Model$blog$post`, `Model$blogPost`. (No other name has a `$`.) So names do not depend on order (T3).
 */
export function nameTypes({ models, blocks }: SchemaModel): TypeNames {
  const wanted = [
    ...models.map(({ key }) => ({ kind: "Model", key, name: pascal(key) })),
    ...blocks.map(({ key }) => ({ kind: "Block", key, name: `${pascal(key)}Block` })),
  ];
  const uses = Map.groupBy(wanted, ({ name }) => name);
  const names = wanted.map(({ kind, key, name }) => {
    const isUnique = uses.get(name)?.length === 1 && !RESERVED.has(name);
    return { kind, key, name: isUnique ? name : `${kind}$${key.replaceAll("-", "$")}` };
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
