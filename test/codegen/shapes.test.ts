import { describe, expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { type Fields, schemaDocument } from "./schema-sample.ts";

/** The generated lines for the fields of a model `subject`; there are also models `page`, `shop` and two blocks. */
function linesOf(fields: Fields): string[] {
  const models = { page: {}, shop: {}, subject: fields };
  const schema = schemaDocument({ models, blocks: ["hero", "quote"] });
  const types = generateTypes([{ document: schema }], { constants: false });
  const [, body = ""] = /export interface Subject \{\n(.*?)^\}/ms.exec(types) ?? [];
  return body.split("\n").slice(0, -1);
}

const STRING = ["text", "date", "date-time", "iso-date", "url", "email"];

describe.each([
  ...STRING.map((type) => [type, {}, "string", "string[]"] as const),
  ["text", { minLength: 2, maxLength: 3, pattern: "^a" }, "string", "string[]"],
  ["number", { minimum: 1, maximum: 2 }, "number", "number[]"],
  ["integer", {}, "number", "number[]"],
  ["boolean", {}, "boolean", "boolean[]"],
  ["json", {}, "Json", "Json[]"],
  ["asset", {}, "Asset", "Asset[]"],
  ["html-asset", {}, "HtmlAsset", "HtmlAsset[]"],
  ["select", { options: ["red", "", "a|b"] }, '"red" | "" | "a|b"', '("red" | "" | "a|b")[]'],
  ["select", { options: ["one"] }, '"one"', '"one"[]'],
  ["content-block", {}, "Block", "Block[]"],
  ["reference", {}, "Pointer", "Pointer[]"],
  ["reference", { models: ["shop"] }, 'Pointer<"shop">', 'Pointer<"shop">[]'],
  ["reference", { models: ["gone"] }, "Pointer<never>", "Pointer<never>[]"],
  [
    "reference",
    { models: ["shop", "gone", "page"] },
    'Pointer<"page" | "shop">',
    'Pointer<"page" | "shop">[]',
  ],
  ["rich-text", {}, "RichText<Pointer | Asset | Block>", "RichText<Pointer | Asset | Block>[]"],
  [
    "rich-text",
    { models: ["shop"], blocks: [], nodeTypes: ["p"], marks: [] },
    'RichText<Pointer<"shop"> | Asset>',
    'RichText<Pointer<"shop"> | Asset>[]',
  ],
] as const)("a field of type %s with %j", (type, options, single, list) => {
  const definition = { type, ...options };

  it(`has type ${single}, optional unless it is required`, () => {
    expect(linesOf({ a: definition, b: { ...definition, required: true } })).toEqual([
      `  a?: ${single};`,
      // V6, S3: the definition of a single block can be deleted. T12: targets cannot.
      type === "content-block"
        ? `  b?: ${single};`
        : `  b: ${single.replace(/^Pointer(?!<never>)/, "RequiredPointer")};`,
    ]);
  });

  it(`has type ${list} if it is repeatable, and is never optional (V2)`, () => {
    expect(linesOf({ a: { ...definition, repeatable: true } })).toEqual([`  a: ${list};`]);
  });
});

it("T12: a required reference is a RequiredPointer, unless it is in a list or its models are gone", () => {
  const of = (more: object) => ({ type: "reference", required: true, ...more });
  const gone = of({ models: ["gone"] });
  const fields = { a: of({}), b: of({ models: ["shop"] }), c: gone, d: of({ repeatable: true }) };
  expect(linesOf(fields)).toEqual([
    "  a: RequiredPointer;",
    '  b: RequiredPointer<"shop">;',
    "  c: Pointer<never>;",
    "  d: Pointer[];",
  ]);
});

it("T5, V4c: an asset with or without texts has the type of the client", () => {
  for (const assetTexts of [false, true]) {
    const models = { subject: { a: { type: "asset" } } };
    const types = generateTypes([{ document: schemaDocument({ models, assetTexts }) }], {
      constants: false,
    });
    expect(types).toContain("  a?: Asset;\n");
    expect(types).toContain('import type { Asset } from "@svc-publish/client";\n');
    expect(types).not.toContain("interface AssetFile");
  }
});

it.each([
  ["top", 'Block<"hero">'],
  [undefined, "Block"],
  ["none", "never"],
])("a content-block field takes the blocks of its category %s", (category, type) => {
  const a = { type: "content-block", ...(category && { category }) };
  const categories = { hero: "top" };
  const schema = schemaDocument({ models: { m: { a } }, blocks: ["hero", "quote"], categories });
  expect(generateTypes([{ document: schema }], { constants: false })).toContain(`  a?: ${type};\n`);
});

it("blocks are discriminated by contentBlockKey, and their data has no type of its own", () => {
  const fields = { id: { type: "text" }, content: { type: "text" } };
  const types = generateTypes([{ document: schemaDocument({ blocks: { note: fields } }) }], {
    constants: false,
  });
  expect(types).toContain('  contentBlockId: string;\n  contentBlockKey: "note";\n  data: {\n');
  expect(types).not.toContain("import");
});

it.each([
  ["a text flag serves the keys of its variants", { red: {}, blue: {} }, '"blue" | "red"'],
  [
    "false is a value",
    { blue: {}, green: {}, off: { value: false } },
    /^(?=.*"blue")(?=.*"green")(?=.*false)[^|]*\|[^|]*\|[^|]*$/,
  ],
  ["a text flag can serve false only", { off: { value: false } }, "false"],
  ["a text flag without variants serves nothing", {}, "never"],
] as const)("the values of a feature are literal types: %s", (_title, variants, expected) => {
  const texts = {
    flag: Object.entries(variants).map(([key, value]) => ({
      id: key,
      key,
      name: key,
      ...(value as { value?: false }),
    })),
  };
  const types = generateTypes([{ document: schemaDocument({ features: ["plain"], texts }) }], {
    constants: false,
  });
  const [, values] = /^ {2}flag: (.*);$/m.exec(types) ?? [];
  expect(values).toMatch(
    typeof expected === "string" ? new RegExp(`^${expected.replaceAll("|", "\\|")}$`) : expected,
  );
  expect(types).toContain("  plain: boolean;\n");
});

it("steps map to the models of their layout entries; steps without an entry are only keys (S7)", () => {
  const sample = { models: ["page"], steps: ["page", "empty", "b-c"], experiences: ["tour"] };
  const types = generateTypes([{ document: schemaDocument(sample) }], { constants: false });
  expect(types).toContain('export interface StepModels {\n  page: "page";\n}\n');
  expect(types).toContain('export type StepKey = "b-c" | "empty" | "page";\n');
  expect(types).toContain('export type ExperienceKey = "tour";\n');
});

it("project fields have their own interface", () => {
  const fields = {
    title: { type: "text", required: true },
    tags: { type: "text", repeatable: true },
  };
  const types = generateTypes([{ document: schemaDocument({ fields }) }], { constants: false });
  expect(types).toContain(
    "export interface ProjectFields {\n  tags: string[];\n  title: string;\n}\n",
  );
});
