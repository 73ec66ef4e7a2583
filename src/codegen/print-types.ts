import { nameTypes, type TypeNames } from "./name-types.ts";
import { choice, comment, propertyName, TypePrinter } from "./print-type.ts";
import type { Literal, SchemaModel } from "./schema-model.ts";

export interface PrintOptions {
  /** Also constants: the lists of keys. The only run-time code. */
  readonly constants: boolean;
}

/** Phase 3: the TypeScript text. The same model always gives the same bytes. */
export function printTypes(model: SchemaModel, { constants }: PrintOptions): string {
  const names = nameTypes(model);
  const printer = new TypePrinter(model);
  const definitions = [
    ...model.models.map(
      ({ key, title, members }) =>
        `${comment(title ?? key)}export interface ${names.models.get(key)} ${printer.members(members)}\n`,
    ),
    ...model.blocks.map(
      ({ key, title, members }) =>
        `${comment(title ?? key)}export interface ${names.blocks.get(key)} ${printer.members(members, "", true)}\n`,
    ),
    `/** The values of the project's own fields. */\nexport interface ProjectFields ${printer.members(model.fields)}\n`,
  ];
  return [
    `// The types of svc:project/${model.projectId}/schema, made by \`svc types\`: change the content models, not this file.\n`,
    ...definitions,
    ...maps(model, names),
    ...[...printer.shared]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, declaration]) => declaration),
    ...keyTypes(model),
    SCHEMA,
    ...(constants ? keyLists(model) : []),
  ].join("\n");
}

/** What tells models and blocks apart by their keys. */
function maps(model: SchemaModel, names: TypeNames): string[] {
  return [
    `/** The data of an entry, by its \`contentModelKey\`. */\nexport interface Models ${body([...names.models])}\n`,
    "export type ModelKey = keyof Models;\n",
    `/** The content blocks, by their \`contentBlockKey\`. */\nexport interface Blocks ${body([...names.blocks])}\n`,
    "export type BlockKey = keyof Blocks;\n",
    `/** A content block; \`contentBlockKey\` tells which. */
export type Block<K extends BlockKey = BlockKey> = Blocks[K];
`,
    `/** An entry; \`contentModelKey\` tells of which model. */
export type Entry<K extends ModelKey = ModelKey> = {
  [P in K]: { id: string; contentModelKey: P; data: Models[P] };
}[K];
`,
    `/** An entry whose model is gone. */
export interface UnknownEntry {
  id: string;
  contentModelKey: null;
  data: Record<never, never>;
}
`,
    `/** A pointer to an entry of one of the models; without a key, to none that exists. */
export type Pointer<K extends ModelKey = ModelKey> =
  | { [P in K]: { contentEntryId: string; contentModelKey: P; data?: Models[P] } }[K]
  | { contentEntryId: string; contentModelKey?: never };
`,
    `/** What each feature flag can serve. */\nexport interface FeatureValues ${body(
      model.features.map(({ key, values }) => [key, valuesType(values)]),
    )}\n`,
    `/** The model behind the layout of each step that has an entry. */\nexport interface StepModels ${body(
      model.steps.flatMap(({ key, modelKey }) =>
        modelKey === undefined ? [] : [[key, literal(modelKey)] as const],
      ),
    )}\n`,
  ];
}

function valuesType(values: readonly Literal[]): string {
  const isBoolean = values.length === 2 && values.every((value) => typeof value === "boolean");
  return isBoolean ? "boolean" : choice(values.map(literal));
}

function keyTypes({ features, steps, experienceKeys }: SchemaModel): string[] {
  return [
    keyType(
      "FeatureKey",
      features.map(({ key }) => key),
    ),
    keyType(
      "StepKey",
      steps.map(({ key }) => key),
    ),
    keyType("ExperienceKey", experienceKeys),
  ];
}

function keyType(name: string, keys: readonly string[]): string {
  const start = `export type ${name} = `;
  return `${start}${choice(keys.map(literal), "", start.length)};\n`.replace("= \n", "=\n");
}

const SCHEMA = `/** All of it in one, for \`createClient<Schema>()\`. */
export interface Schema {
  models: Models;
  blocks: Blocks;
  fields: ProjectFields;
  features: FeatureValues;
  steps: StepModels;
  stepKey: StepKey;
  experienceKey: ExperienceKey;
}
`;

function keyLists({ models, blocks, features, steps, experienceKeys }: SchemaModel): string[] {
  const list = (name: string, keys: readonly string[]) => {
    const start = `export const ${name} = [`;
    const line = `${start}${keys.map(literal).join(", ")}] as const;\n`;
    if (line.length <= 100) return line;
    return `${start}\n${keys.map((key) => `  ${literal(key)},\n`).join("")}] as const;\n`;
  };
  return [
    list(
      "modelKeys",
      models.map(({ key }) => key),
    ),
    list(
      "blockKeys",
      blocks.map(({ key }) => key),
    ),
    list(
      "featureKeys",
      features.map(({ key }) => key),
    ),
    list(
      "stepKeys",
      steps.map(({ key }) => key),
    ),
    list("experienceKeys", experienceKeys),
  ];
}

function body(members: readonly (readonly [name: string, type: string])[]): string {
  if (members.length === 0) return "{}";
  return `{\n${members.map(([name, type]) => `  ${propertyName(name)}: ${type};\n`).join("")}}`;
}

function literal(value: Literal): string {
  return JSON.stringify(value);
}
