import fc from "fast-check";
import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { randomRuns } from "../support/random-runs.ts";
import { schemaDocument } from "./schema-sample.ts";
import { compile, compileUse } from "./type-checking.ts";

const text = (parts: Parameters<typeof schemaDocument>[0]) =>
  generateTypes([{ document: schemaDocument(parts) }], { constants: false });

/** The type names of models and blocks, by key. */
function namesOf(types: string) {
  const members = (name: string): Record<string, string> => {
    const [, body = ""] =
      new RegExp(`^export interface ${name} \\{\\n(.*?)^\\}`, "ms").exec(types) ?? [];
    return Object.fromEntries(
      [...body.matchAll(/^ {2}"?([\w-]+)"?: (\S+);$/gm)].map(([, key = "", type = ""]) => [
        key,
        type,
      ]),
    );
  };
  return { models: members("Models"), blocks: members("Blocks") };
}

it.each([
  ["page", "Page"],
  ["blogPost", "BlogPost"],
  ["blog-post", "BlogPost"],
  ["blog_post", "BlogPost"],
  ["FAQ", "FAQ"],
  ["x", "X"],
  ["top-10-list", "Top10List"],
])("the type of the model %s is %s, that of a block %1$s has the suffix Block", (key, name) => {
  expect(namesOf(text({ models: [key], blocks: [key] }))).toEqual({
    models: { [key]: name },
    blocks: { [key]: `${name}Block` },
  });
});

it("T3: names that collide after casing are distinguished by their keys, not by numbers", async () => {
  const models = ["blog-post", "blogPost", "BlogPost", "blog_post", "blog-Post", "other"];
  const types = text({ models });
  expect(namesOf(types).models).toEqual({
    "blog-post": "Model$blog$post",
    blogPost: "Model$blogPost",
    BlogPost: "Model$BlogPost",
    blog_post: "Model$blog_post",
    "blog-Post": "Model$blog$Post",
    other: "Other",
  });
  expect(compile(new Map([["types.ts", types]]))).toEqual([]);
});

it("T3: a name depends only on colliding keys, not on others or on their order", () => {
  const blocks = ["hero", "blog-post"];
  const models = ["blogPost", "blog-post", "heroBlock", "page"];
  const names = namesOf(text({ models, blocks }));
  const backwards = { models: models.toReversed(), blocks: blocks.toReversed() };
  expect(text(backwards)).toBe(text({ models, blocks }));
  const more = { models: ["aaa", ...models, "zzz"], blocks: ["aaa", ...blocks, "zzz"] };
  expect(namesOf(text(more))).toMatchObject(names);
});

it("any keys compile, each to a unique name without a counter", async () => {
  const words = ["a", "A", "b", "-", "_", "1", "block", "Block", "Model", "Foo"];
  const key = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    .map((drawn) => drawn.join(""))
    .filter((drawn) => /^[A-Za-z]/.test(drawn));
  const keys = fc.uniqueArray(key, { maxLength: 30 });
  const files = new Map<string, string>();
  fc.assert(
    fc.property(keys, keys, (models, blocks) => {
      const types = text({ models, blocks });
      const names = namesOf(types);
      expect(Object.keys(names.models).sort()).toEqual(models.toSorted());
      const all = [...Object.values(names.models), ...Object.values(names.blocks)];
      expect(new Set(all).size).toBe(models.length + blocks.length);
      if (files.size < 20) files.set(`types-${files.size}.ts`, types);
    }),
    { numRuns: randomRuns(100) },
  );
  expect(compile(files)).toEqual([]);
});

/** Names that the generated file declares, and names of TypeScript and JavaScript. */
const TAKEN = (
  "asset asset-file block blocks block-key entry experience-key feature-key " +
  "feature-values html-asset json missing-asset model-key models pointer " +
  "project-fields record schema step-key step-models unknown-entry step array object " +
  "string number boolean function promise symbol readonly partial constructor toString " +
  "valueOf prototype arguments undefined class interface export never any unknown " +
  "Infinity NaN globalThis"
).split(" ");

it.each([false, true])(
  "keys that the file or the language use compile (constants: %s)",
  async (constants) => {
    const fields = { a: { type: "text" }, j: { type: "json" }, h: { type: "html-asset" } };
    const parts = { models: TAKEN, blocks: TAKEN, features: TAKEN, steps: TAKEN, fields };
    const types = generateTypes([{ document: schemaDocument(parts) }], { constants });
    const use = [
      'import type { Entry, Block, Json, Schema } from "./types.ts";\n',
      ...TAKEN.map((key, index) => {
        const data = '{ a: "", j: [null, { b: 1 }], h: { id: "", content: null } }';
        return `export const e${index}: Entry<"${key}"> & { contentModelKey: Schema["steps"]["${key}"] } =
        { id: "", contentModelKey: "${key}", data: ${data} };
      export const b${index}: Block<"${key}"> = { contentBlockId: "", contentBlockKey: "${key}", data: ${data} };
      export const f${index}: Schema["features"]["${key}"] = false;\n`;
      }),
      "export const json: Json = {};\n",
    ].join("");
    expect(compileUse(types, use)).toEqual([]);
  },
);
