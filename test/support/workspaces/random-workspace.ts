import fc from "fast-check";
import type { FieldDefinition } from "../../../src/workspace/field.ts";
import type { Block, Feature, Model, Project } from "../../../src/workspace/records.ts";
import type { Parts } from "../test-bed.ts";
import { withLists } from "./lists.ts";
import { Random } from "./random.ts";
import { randomData, type World } from "./random-data.ts";
import { randomFields } from "./random-fields.ts";
import { heldAsset } from "./small-workspace.ts";

/** The fixed part of a random workspace. */
export interface RandomWorkspace
  extends Required<Omit<Parts, "previewToken" | "assetBaseUrl" | "assetTexts" | "import">> {}

const MODEL_KEYS = ["article", "constructor", "id"];
const BLOCK_KEYS = ["hero", "toString", "id"];
const FEATURE_KEYS = ["beta", "constructor"];
const ENTRY_IDS = ["m", "Z", "a.b", "a-b", "_x", "e10", "e9", "B", "zz", "b", "A", "-"];

const HTML = heldAsset("page", "page.html", "\ufeff<p>Grüße 𝐀</p>\r\n", "text/html");
const PHOTO = heldAsset("photo", "été #1.png", "not an image");
const FILES = new Map([HTML.file, PHOTO.file]);
const ASSETS = [
  {
    id: "film",
    fileName: "film.mp4",
    mimeType: "video/mp4",
    sizeBytes: null,
    width: 640,
    height: null,
    url: "https://media.example/film.mp4",
  },
  { ...HTML.asset, versions: [{ ...HTML.asset, id: "v1" }] },
  { ...PHOTO.asset, width: 3 },
];

/** Another workspace of the store, to whose entries pointers refer. */
export const NEIGHBOUR: Parts = {
  id: "neighbour",
  models: [{ id: "mdl-article", key: "article", name: "Theirs", fields: [] }],
  entries: [{ id: "foreign", modelId: "mdl-article", data: {} }],
};

type Filled = World & { readonly fields: readonly FieldDefinition[] };

/**
 * Complete workspaces `w`, with cycles, long chains, dangling ids and pointers into the neighbour, most
 * with queries and collections. A draft that is not `faulty` has warnings at most (P2, P3).
 */
export function randomWorkspace(kind: { faulty: boolean }): fc.Arbitrary<RandomWorkspace> {
  return mostlyWithLists(plainWorkspace(kind), kind);
}

export function mostlyWithLists(
  workspaces: fc.Arbitrary<RandomWorkspace>,
  { faulty }: { faulty: boolean },
): fc.Arbitrary<RandomWorkspace> {
  return fc
    .tuple(workspaces, fc.option(fc.nat(), { freq: 3 }))
    .map(([parts, seed]) => (seed === null ? parts : withLists(parts, new Random(seed), faulty)));
}

/** The same without queries and collections. */
export function plainWorkspace({ faulty }: { faulty: boolean }): fc.Arbitrary<RandomWorkspace> {
  const definitions = fc.record({
    models: fc
      .oneof(fc.constant(MODEL_KEYS), fc.subarray(MODEL_KEYS))
      .chain((keys) => fc.tuple(...keys.map(randomModel))),
    blocks: fc.subarray(BLOCK_KEYS).chain((keys) => fc.tuple(...keys.map(randomBlock))),
    fields: randomFields,
    entryIds: fc.oneof(
      fc.shuffledSubarray(ENTRY_IDS, { minLength: 1 }),
      fc.shuffledSubarray(ENTRY_IDS, { minLength: ENTRY_IDS.length }),
    ),
  });
  return definitions.chain(({ entryIds, ...defined }) => {
    const modelIds = ["mdl-gone", ...defined.models.flatMap(({ id }) => Array(5).fill(id))];
    const entries = entryIds.map((id) =>
      fc.record({ id: fc.constant(id), modelId: pick(modelIds) }),
    );
    return fc.tuple(...entries).chain((placed) => filled({ ...defined, entries: placed, faulty }));
  });
}

/** The rest of the workspace, given its definitions and the ids of its entries. */
function filled(world: Filled): fc.Arbitrary<RandomWorkspace> {
  const { models, blocks, fields } = world;
  const fieldsOf = new Map(models.map((model) => [model.id, model.fields]));
  const entries = world.entries.map(({ id, modelId }, index) =>
    randomData(fieldsOf.get(modelId) ?? [], world, index).map((data) => ({ id, modelId, data })),
  );
  const records = fc.record({
    entries: fc.tuple(...entries),
    projects: fc
      .tuple(randomProject("web", world, 1), randomProject("a.second", world, 0))
      .chain(([web, second]) => pick([[web], [web], [web, second]])),
    features: fc.subarray(FEATURE_KEYS).chain((keys) => fc.tuple(...keys.map(randomFeature))),
    assets: fc.subarray(ASSETS),
  });
  const fixed = { id: "w", name: "Random", models, blocks, fields, files: FILES };
  return records.map((drawn) => ({ ...fixed, ...drawn }));
}

/** Fields, mostly with a pointer or blocks among them, so that there are long chains. */
const fieldsWithNext = fc
  .tuple(randomFields, pick(["none", "reference", "reference", "reference", "content-block"]))
  .map(([fields, type]): FieldDefinition[] => {
    if (type === "none") return fields;
    return [...fields, { key: "next", type, ...(type === "reference" && { required: true }) }];
  });

function randomModel(key: string): fc.Arbitrary<Model> {
  return fc
    .tuple(fc.string(), fieldsWithNext)
    .map(([name, fields]) => ({ id: `mdl-${key}`, key, name, fields }));
}

/** Two of the keys have a category. */
function randomBlock(key: string): fc.Arbitrary<Block> {
  const category = key === "id" ? {} : { category: "wide" };
  return fc
    .tuple(fc.string(), fieldsWithNext)
    .map(([name, fields]) => ({ id: `blk-${key}`, key, name, ...category, fields }));
}

function randomFeature(key: string): fc.Arbitrary<Feature> {
  const row = fc.tuple(pick(["b", "B", "a-1", "toString"]), pick([{}, { value: false as const }]));
  const rows = fc.uniqueArray(row, { selector: ([variantKey]) => variantKey });
  return fc.tuple(pick(["boolean", "text"] as const), rows).map(([type, drawn]) => {
    const variants = drawn.map(([id, value]) => ({ id, key: id, name: "Variant", ...value }));
    return { id: `flag-${key}`, key, name: key, type, ...(type === "text" && { variants }) };
  });
}

function randomProject(id: string, world: Filled, least: number): fc.Arbitrary<Project> {
  const target = fc.option(pick(["gone", ...world.entries.map((entry) => entry.id).slice(0, 3)]), {
    freq: 6,
  });
  const stepIds = fc.array(pick(["s0", "s0", "s1", "s2", "s3"]), { maxLength: 4 });
  const common = { name: "", layoutName: "Plain" };
  return fc.record({
    id: fc.constant(id),
    name: fc.string(),
    fields: randomData(world.fields, world, 0),
    steps: fc.array(target, { minLength: least, maxLength: 3 * least }).map((targets) =>
      targets.map((layoutContentId, index) => {
        const content = layoutContentId === null ? {} : { layoutContentId };
        return { id: `s${index}`, key: `step-${9 - index}`, ...common, ...content };
      }),
    ),
    experiences: fc
      .array(stepIds, { minLength: least, maxLength: 3 * least })
      .map((lists) =>
        lists.map((ids, i) => ({ id: `x${i}`, key: `tour-${9 - i}`, name: "", stepIds: ids })),
      ),
  });
}

function pick<T>(choices: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...choices);
}
