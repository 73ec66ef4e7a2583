import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { type Sample, schemaDocument } from "./schema-sample.ts";
import { compile, compileUse } from "./type-checking.ts";

const text = (sample: Sample) =>
  generateTypes([{ document: schemaDocument(sample) }], { constants: true });

/** Types with a model `odd` of one field, with one correct and one incorrect use. */
function harmless(types: string): Map<string, string> {
  const use = 'import type { Odd } from "./types.ts";\nexport const odd: Odd = { a: "" };\n';
  return new Map([
    ["types.ts", types],
    ["use.ts", use],
    ["not.ts", use.replace('""', "1")],
  ]);
}

it("models, blocks and fields have their names as one-line comments", () => {
  const fields = { a: { type: "text", name: "The\n first\u2028 letter" } };
  const names = { page: "A  page\r\nof ours", hero: "Grüße 𝐀" };
  const types = text({ models: { page: fields }, blocks: ["hero"], names });
  expect(types).toContain("/** A page of ours */\nexport interface Page {");
  expect(types).toContain("  /** The first letter */\n  a?: string;");
  expect(types).toContain("/** Grüße 𝐀 */\nexport interface HeroBlock {");
});

it("W6b: a field has its description behind its name", () => {
  const fields = {
    a: { type: "text", name: "A", description: "Help\nfor */ all" },
    b: { type: "asset", description: "Alone", repeatable: true },
  };
  const types = text({ models: { page: fields } });
  expect(types).toContain("  /** A: Help for *\\/ all */\n  a?: string;");
  expect(types).toContain("  /** Alone */\n  b: Asset[];");
});

const ODD_NAMES = [
  "*/ export const evil = 1; /*",
  "**/ ; /***",
  "*\n/ x",
  "*\\/ */ */",
  "// */\n*/",
  "\u0000 \u001b[31m \u0085 \u2029 ",
  "` \\u002a/ &#42;/ <script>",
  "@ts-ignore",
  "@ts-expect-error",
  "@ts-nocheck",
  "@deprecated @type {number}",
  "",
  "   ",
  "\ud800 alone",
];

it("no name of a model or field breaks out of its comment", async () => {
  const files = new Map<string, string>();
  for (const [index, name] of ODD_NAMES.entries()) {
    const fields = { a: { type: "text", required: true, name } };
    const types = text({ models: { odd: fields }, blocks: { odd: fields }, names: { odd: name } });
    expect(types.isWellFormed(), `${JSON.stringify(name)} can be read from its file`).toBe(true);
    for (const [file, contents] of harmless(types)) files.set(`name-${index}/${file}`, contents);
  }
  const errors = compile(files);
  const places = errors.map(({ file, line }) => `${file} ${line}`).sort();
  expect(places, JSON.stringify(errors)).toEqual(
    ODD_NAMES.map((_, index) => `name-${index}/not.ts 2`).sort(),
  );
});

it.each([
  ["$id", "svc:project/a\nexport const evil = 1;/schema"],
  ["$id", "svc:project/a\u2028export const evil = 1;/schema"],
  ["model", "odd {}\nexport const evil = 1; interface More"],
  ["model", "10-x"],
  ["block", "b {}; export const evil = 1; interface B"],
])(
  "a document whose %s is %j is refused, or the text has no code of its own",
  async (what, key) => {
    const document: Record<string, unknown> = schemaDocument({
      models: { odd: { a: { type: "text", required: true } } },
    });
    const { $defs } = document as unknown as { $defs: Record<string, Record<string, unknown>> };
    const definition = { type: "object", properties: {}, additionalProperties: false };
    if (what === "$id") document.$id = key;
    else
      Object.assign($defs[what === "model" ? "contentModels" : "contentBlocks"] ?? {}, {
        [key]: definition,
      });
    let types: string;
    try {
      types = generateTypes([{ document: document as JsonObject }], { constants: true });
    } catch (error) {
      expect(error).toMatchObject({ code: "schema-invalid", hint: expect.any(String) });
      return;
    }
    const errors = compile(harmless(types));
    expect(errors).toEqual([expect.objectContaining({ file: "not.ts", line: 2 })]);
    expect(types.split(/[\n\r\u2028\u2029]/)).not.toContainEqual(
      expect.stringMatching(/^\W*export const evil/),
    );
  },
);

it("keys that are not identifiers are quoted, others are not", () => {
  const fields = { "b-c": { type: "text" }, b_c: { type: "text" }, class: { type: "text" } };
  const types = text({
    models: { "a-1": fields },
    features: ["x-y"],
    steps: ["s-1", "s1"],
    fields,
  });
  expect(types).toContain('  "b-c"?: string;\n');
  expect(types).toContain("  b_c?: string;\n");
  expect(types).toContain("  class?: string;\n");
  expect(types).toContain('  "a-1": A1;\n');
  expect(types).toContain('  "x-y": boolean;\n');
  expect(types).toContain('export type StepKey = "s-1" | "s1";\n');
});

it("fields named like inherited members (toString) work, required and optional", async () => {
  const keys = [
    "constructor",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "prototype",
    "length",
    "then",
  ];
  const of = (required: boolean) =>
    Object.fromEntries(keys.map((key) => [key, { type: "number", required }]));
  const types = text({ models: { full: of(true), loose: of(false) } });
  const values = Object.fromEntries(keys.map((key) => [key, 1]));
  const use = `import type { Full, Loose, Entry } from "./types.ts";
export const full: Full = ${JSON.stringify(values)};
export const loose: Loose = ${JSON.stringify(values)};
export const empty: Loose = {};
export const entry: Entry<"loose"> = { id: "", contentModelKey: "loose", data: {} };
`;
  expect(compileUse(types, use)).toEqual([]);
});
