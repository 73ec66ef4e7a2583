import type { SchemaModel } from "./schema-model.ts";

export interface TypeNames {
  readonly models: ReadonlyMap<string, string>;
  readonly blocks: ReadonlyMap<string, string>;
}

/** Names that the generated file declares itself or uses from TypeScript. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "Asset AssetFile Block BlockKey Blocks Entry ExperienceId ExperienceKey FeatureKey FeatureValues " +
    "HtmlAsset Json ListName MissingAsset ModelKey Models Object Pointer ProjectFields Record RequiredPointer RichText Schema StepKey " +
    "StepModels UnknownEntry"
  ).split(" "),
);

/**
 * Phase 2: the model `blog-post` becomes `BlogPost`, the block `hero` becomes `HeroBlock`. Names
 * that collide, such as those of `blog-post` and `blogPost`, are all replaced by their exact keys:
 * `Model$blog$post`, `Model$blogPost`. (No other name has a `$`.) So names do not depend on order (T3).
 */
export function nameTypes({ models, blocks }: SchemaModel, reserved = RESERVED): TypeNames {
  const wanted = [
    ...models.map(({ key }) => ({ kind: "Model", key, name: pascal(key) })),
    ...blocks.map(({ key }) => ({ kind: "Block", key, name: `${pascal(key)}Block` })),
  ];
  const uses = Map.groupBy(wanted, ({ name }) => name);
  const names = wanted.map(({ kind, key, name }) => {
    const isUnique = uses.get(name)?.length === 1 && !reserved.has(name);
    return { kind, key, name: isUnique ? name : `${kind}$${key.replaceAll("-", "$")}` };
  });
  const named = (kind: string) =>
    new Map(names.flatMap((one) => (one.kind === kind ? [[one.key, one.name] as const] : [])));
  return { models: named("Model"), blocks: named("Block") };
}

/** The names of the definitions of a flat document, by key. */
export type FlatNames = Readonly<Record<"model" | "block" | "entry" | "pointer", Naming>>;
type Naming = (key: string) => string;

/** Names that a flat document declares beside those of types. */
const FLAT = ["Experience", "ExperienceContent", "Problem", "ProjectConfig", "Step"];

/**
 * T7: the names of types, with `.` for `$`, which OpenAPI has not in names. The entry of `BlogPost` is
 * `BlogPostEntry`; when that is taken, or `BlogPost` is, it is `Entry.blog.post`.
 */
export function flatNames(model: SchemaModel): FlatNames {
  const reserved = new Set([...RESERVED, ...FLAT]);
  const { models, blocks } = nameTypes(model, reserved);
  const taken = new Set([...models.values(), ...blocks.values(), ...reserved]);
  const own = (names: ReadonlyMap<string, string>) => (key: string) =>
    (names.get(key) ?? "").replaceAll("$", ".");
  const derived = (kind: string) => (key: string) => {
    const name = `${models.get(key)}${kind}`;
    return name.includes("$") || taken.has(name) ? `${kind}.${key.replaceAll("-", ".")}` : name;
  };
  return {
    model: own(models),
    block: own(blocks),
    entry: derived("Entry"),
    pointer: derived("Pointer"),
  };
}

function pascal(key: string): string {
  return key
    .split(/[-_]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}
