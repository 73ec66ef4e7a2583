import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { NEIGHBOUR, randomWorkspace } from "../support/workspaces/random-workspace.ts";
import { type Sample, schemaDocument } from "./schema-sample.ts";
import { draftProjects, fixtureProjects, type ServedProject } from "./served-projects.ts";

// biome-ignore lint/suspicious/noExplicitAny: parts of generated documents are read freely
type Any = any;

function flat(document: JsonValue, config?: JsonValue): Any {
  const text = generateTypes([{ document, config }], { constants: false, format: "json-schema" });
  return JSON.parse(text);
}

/** Compiles the flat document in ajv's strict mode, and tells what it refuses of the project. */
function refused({ schema, documents }: Pick<ServedProject, "schema" | "documents">) {
  // Fields may be named like inherited members (`toString`).
  const ajv = new Ajv2020({ strict: true, ownProperties: true }).addSchema(flat(schema), "flat");
  const root = ajv.getSchema("flat");
  const own = (type: string) => ajv.getSchema(`flat#/$defs/${type}`);
  if (root === undefined) throw new Error("the root does not compile");
  const wrong = documents.flatMap(({ type, json }) =>
    root(json) && own(type)?.(json) ? [] : [{ type, errors: own(type)?.errors, json }],
  );
  return { wrong, root };
}

const projects = fixtureProjects();
const web = projects.find(({ name }) => name === "storefront-prj-web-published");

it("T6: every document of the fixtures is valid by the root and by its own definition", () => {
  const ids = web?.documents.map(({ json }) => (json as Any).experienceId);
  expect(ids).toEqual(expect.arrayContaining(["article-northfell-way-day-1", "journal-1"]));
  for (const project of projects) {
    const { wrong, root } = refused(project);
    expect(wrong, project.name).toEqual([]);
    for (const other of [{}, [], null, "", { id: "", versionId: null }, project.schema]) {
      expect(root(other), JSON.stringify(other).slice(0, 80)).toBe(false);
    }
  }
});

it("T6: every document of random workspaces is valid by the root", () => {
  const random = randomWorkspace({ faulty: false });
  const property = fc.property(random, (parts: Parts) => {
    for (const project of draftProjects(new TestBed(NEIGHBOUR, parts), "random", "w")) {
      expect(refused(project).wrong).toEqual([]);
    }
  });
  fc.assert(property, { numRuns: randomRuns(20) });
});

/** A change of the entry `product` of the storefront that its types do not allow. */
const WRONG: Readonly<Record<string, object>> = {
  "a required field is missing": { sku: undefined },
  "a number is a text": { price: "420" },
  "a select has an unknown value": { type: "kayak" },
  "a field too many": { discount: 1 },
  "a pointer leads to another model": {
    guarantee: { contentEntryId: "a", contentModelKey: "article" },
  },
  "an asset lacks a member": { photos: [{ id: "a", url: "/a" }] },
  "an integer has a fraction": { weightGrams: 1.5 },
};

it("T6: a wrong value of a field is refused", () => {
  const found = web?.documents.find(({ json }) => entriesOf(json).some(isProduct));
  if (web === undefined || found === undefined) throw new Error("no product");
  const { root } = refused(web);
  for (const [title, change] of Object.entries(WRONG)) {
    const copy = structuredClone(found.json);
    Object.assign(entriesOf(copy).find(isProduct).data, change);
    expect(root(JSON.parse(JSON.stringify(copy))), title).toBe(false);
  }
});

const entriesOf = (json: Any): Any[] => [...(json.content ?? []), ...(json.references ?? [])];
const isProduct = (entry: Any) => entry.contentModelKey === "product";

const ALL_TYPES = [
  "text date date-time iso-date url email number integer boolean json asset html-asset reference",
  "rich-text content-block",
].flatMap((names) => names.split(" "));

/** A workspace with each field type, single and repeatable. */
const EVERYTHING: Sample = {
  models: {
    page: {
      ...Object.fromEntries(ALL_TYPES.map((type, index) => [`f${index}`, { type }])),
      ...Object.fromEntries(ALL_TYPES.map((type, i) => [`g${i}`, { type, repeatable: true }])),
      one: { type: "reference", models: ["shop"] },
      two: { type: "reference", models: ["shop", "page"] },
      few: { type: "rich-text", models: ["shop"], blocks: [], nodeTypes: ["p"], marks: [] },
      none: { type: "content-block", category: "none", repeatable: true },
      never: { type: "content-block", category: "none" },
      kind: { type: "select", options: ["a", "b"], name: "Kind ::warning::x" },
    },
    shop: {},
    third: {},
  },
  blocks: { hero: { a: { type: "content-block" } }, quote: {} },
  features: ["beta"],
  texts: { colour: [{ id: "r", key: "red", name: "Red" }], empty: [] },
  steps: ["page"],
  experiences: ["tour"],
};

const KEYWORDS = new Set(
  "$ref additionalProperties anyOf const description enum items maxItems properties required type".split(
    " ",
  ),
);

it.each(["json-schema", "openapi"] as const)(
  "T6a: %s has no words that general tools stumble over",
  (format) => {
    const schema = schemaDocument(EVERYTHING);
    const text = generateTypes([{ document: schema }], { constants: false, format });
    expect(text).not.toMatch(/x-svc-|::warning/);
    const { $defs, components } = JSON.parse(text);
    const found = new Set<string>();
    const walk = (one: Any): void => {
      for (const [word, value] of Object.entries<Any>(one)) {
        found.add(word);
        if (word === "properties") Object.values(value).forEach(walk);
        if (word === "items" && typeof value === "object") walk(value);
        if (word === "anyOf") value.forEach(walk);
      }
    };
    Object.values($defs ?? components.schemas).forEach(walk);
    expect([...found].filter((word) => !KEYWORDS.has(word))).toEqual([]);
    expect(found.size).toBe(KEYWORDS.size);
  },
);

it("T6: each model, block and pointer has a definition, and shared shapes have one each", () => {
  const { $defs, anyOf } = flat(schemaDocument(EVERYTHING));
  expect(anyOf).toEqual([{ $ref: "#/$defs/ProjectConfig" }, { $ref: "#/$defs/ExperienceContent" }]);
  expect(Object.keys($defs)).toEqual(
    (
      "Asset AssetFile Block Entry Experience ExperienceContent ExperienceKey HeroBlock " +
      "HtmlAsset MissingAsset Page PageEntry PagePointer Pointer ProjectConfig ProjectFields QuoteBlock " +
      "RichText Shop ShopEntry ShopPointer Step StepKey Third ThirdEntry ThirdPointer UnknownEntry"
    ).split(" "),
  );
  expect($defs.ShopEntry.properties.contentModelKey).toEqual({ type: "string", const: "shop" });
  expect($defs.HeroBlock.properties.contentBlockKey).toEqual({ type: "string", const: "hero" });
  const { one, two, few, never, none, kind } = $defs.Page.properties;
  expect([one, few]).toEqual([{ $ref: "#/$defs/ShopPointer" }, { $ref: "#/$defs/RichText" }]);
  expect(two.properties.contentModelKey).toEqual({ type: "string", enum: ["page", "shop"] });
  expect([never, none.maxItems, kind.description]).toEqual([undefined, 0, "Kind ::warning::x"]);
  expect($defs.RichText.anyOf.map(({ type }: Any) => type)).toEqual(["object", "array"]);
});

it("T7: definitions are named as the types, and exactly where a name is taken", () => {
  const models = ["page", "page-entry", "step", "blog-post", "blogPost", "hero-block-data", "x_y"];
  const { $defs } = flat(schemaDocument({ models, blocks: ["hero", "problem"] }));
  const names = Object.keys($defs).filter((name) => /page|step|blog|hero|x|problem/i.test(name));
  expect(names.filter((name) => !name.endsWith("Pointer") && !name.startsWith("Pointer"))).toEqual(
    [
      ..."Entry.blog.post Entry.blogPost Entry.page Entry.step HeroBlock HeroBlockData".split(" "),
      ..."HeroBlockDataEntry Model.blog.post Model.blogPost Model.step Page PageEntry".split(" "),
      ..."PageEntryEntry ProblemBlock Step XY XYEntry".split(" "),
      "Experience ExperienceContent".split(" "),
    ]
      .flat()
      .sort(),
  );
  expect($defs["Entry.page"].properties.data).toEqual({ $ref: "#/$defs/Page" });
  expect($defs.PageEntryEntry.properties.contentModelKey.const).toBe("page-entry");
  expect($defs["Model.step"].description).toBe("step");
});

it("T7: every definition of any keys is a name that OpenAPI allows, and is there once", () => {
  const words = ["a", "A", "b", "-", "_", "1", "block", "Entry", "Pointer"];
  const key = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    .map((drawn) => drawn.join(""))
    .filter((drawn) => /^[A-Za-z]/.test(drawn));
  const keys = fc.uniqueArray(key, { maxLength: 12 });
  const property = fc.property(keys, keys, (models, blocks) => {
    const { $defs } = flat(schemaDocument({ models, blocks }));
    const constants = (member: string) =>
      Object.values<Any>($defs).flatMap(({ properties = {} }) => properties[member]?.const ?? []);
    expect(Object.keys($defs).filter((name) => !/^[a-zA-Z0-9._-]+$/.test(name))).toEqual([]);
    expect(constants("contentBlockKey").sort()).toEqual(blocks.toSorted());
    const isOne = models.length === 1;
    const twice = isOne ? models : models.flatMap((one) => [one, one]);
    // An entry and a pointer for each; the one pointer of a single model has its key too.
    expect(constants("contentModelKey").sort()).toEqual(
      isOne ? [...models, ...models] : twice.toSorted(),
    );
  });
  fc.assert(property, { numRuns: randomRuns(100) });
});

it("T6: a workspace without models, blocks, steps and experiences has a document", () => {
  const schema = schemaDocument({});
  const config = { id: "site", versionId: null, fields: {}, steps: [], experiences: [] };
  const { wrong } = refused({ schema, documents: [{ type: "ProjectConfig", json: config }] });
  expect(wrong).toEqual([]);
  expect(flat(schema).$defs.Entry.anyOf).toEqual([{ $ref: "#/$defs/UnknownEntry" }]);
});

it("T8: the ids of experiences are listed where the config is given", () => {
  const schema = schemaDocument(EVERYTHING);
  const config = { id: "site", experiences: [{ id: "x2" }, { id: "x.1" }, { id: "x2" }] };
  const types = (given?: JsonValue) =>
    generateTypes([{ document: schema, config: given }], { constants: false });
  expect(types()).toContain("\nexport type ExperienceId = string;\n");
  expect(types(config)).toContain('\nexport type ExperienceId = "x.1" | "x2";\n');
  expect(types({ id: "site", experiences: [] })).toContain("\nexport type ExperienceId = never;\n");
  const { $defs } = flat(schema, config);
  expect($defs.ExperienceId).toEqual({ type: "string", enum: ["x.1", "x2"] });
  const id = { $ref: "#/$defs/ExperienceId" };
  expect($defs.ExperienceContent.properties.experienceId).toEqual(id);
  expect($defs.Experience.properties.id).toEqual(id);
  for (const other of [{}, [], { ...config, id: "other" }, { id: "site", experiences: [{}] }]) {
    expect(() => types(other)).toThrow(/not the project config of "site"/);
  }
});

it("T9: OpenAPI has the three endpoints with their failures, and no definition that nothing uses", () => {
  const schema = schemaDocument({ ...EVERYTHING, projectId: "my.site" });
  const options = { constants: false, format: "openapi", url: "https://a.example/api/v1" } as const;
  const { paths, servers, components, ...rest } = JSON.parse(
    generateTypes([{ document: schema }], options),
  );
  expect([rest.openapi, servers]).toEqual(["3.1.0", [{ url: "https://a.example/api/v1" }]]);
  const base = "/projects/my.site";
  const content = `${base}/experiences/{id}/content`;
  expect(Object.keys(paths)).toEqual([base, content, `${base}/schema`]);
  for (const { get } of Object.values<Any>(paths)) {
    expect(Object.keys(get.responses)).toEqual(["200", "400", "401", "404", "default"]);
    expect(get.parameters.at(-1)).toEqual({ $ref: "#/components/parameters/previewToken" });
  }
  const { responses } = paths[content].get;
  expect(paths[content].parameters[0]).toMatchObject({ name: "id", in: "path", required: true });
  expect(responses[200].content["application/json"].schema.$ref).toMatch(/\/ExperienceContent$/);
  expect(responses[404].description).toContain(
    "`experience-content-not-published`: The experience",
  );
  expect(responses[404].content["application/problem+json"].schema.$ref).toMatch(/\/Problem$/);
  const text = JSON.stringify({ paths, components });
  for (const name of Object.keys(components.schemas)) {
    expect(text).toContain(`"#/components/schemas/${name}"`);
  }
  expect(components.schemas).not.toHaveProperty("ThirdPointer");
  expect(components.schemas.ShopEntry.properties.data.$ref).toBe("#/components/schemas/Shop");
});
