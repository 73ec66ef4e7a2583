import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oddProject } from "./odd-project.ts";
import { compileIn, run, runBlock, Tools } from "./tools.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents and loaded tools are read freely
type Any = any;

const project = oddProject();
const entriesOf = (json: Any): Any[] => [...(json.content ?? []), ...(json.references ?? [])];

let tools: Tools;
beforeAll(() => {
  tools = new Tools();
});
afterAll(() => tools?.remove());

/** Sources by language, with what declares a type in its grammar. */
const LANGUAGES = {
  swift: ["Content.swift", "class_declaration"],
  kotlin: ["Content.kt", "class_declaration"],
  go: ["content.go", "type_spec"],
  python: ["content.py", "class_definition"],
} as const;

describe("T10: of a project with every type of field", () => {
  const { schema, documents } = project;
  let folder = "";
  beforeAll(() => {
    folder = tools.project(project);
  });
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  const load = (file: string) => import(join(folder, file));
  const definitions = () => JSON.parse(read("content.schema.json")).$defs;

  it("quicktype writes Swift, Kotlin, Go and Python with all models and fields, and Python reads every document", async () => {
    const { status, printed } = runBlock(folder, /quicktype/);
    expect(status, printed).toBe(0);
    for (const [language, [file, type]] of Object.entries(LANGUAGES)) {
      const types = await declaredTypes(tools.folder, language, read(file), type);
      for (const [name, { properties }] of Object.entries<Any>(definitions())) {
        // Of what has no member, Kotlin has no class.
        if (Object.keys(properties ?? {}).length === 0) continue;
        const text = types.get(plain(name));
        expect(text, `${language}: ${name}`).toBeDefined();
        const missing = Object.keys(properties).filter((key) => !text?.includes(key));
        expect(missing, `${language}: ${name}`).toEqual([]);
      }
    }
    readInPython(folder, documents);
  });

  it("json-schema-to-zod writes code that compiles, parses every entry and refuses a broken one", async () => {
    const { status, printed } = runBlock(folder, /zod\.mjs/);
    expect(status, printed).toBe(0);
    expect(compileIn(folder, "content.zod.ts")).toBe("");
    const code = await load("content.zod.ts");
    const { z } = await load("node_modules/zod/index.js");
    const whole = z.fromJSONSchema(JSON.parse(read("content.schema.json")));
    for (const { type, json } of documents) {
      for (const parser of [code[type], whole]) expect(parser.parse(json)).toEqual(json);
      for (const entry of entriesOf(json)) {
        expect(code.Entry.parse(entry)).toEqual(entry);
        for (const [what, wrong] of Object.entries(broken(entry, schema))) {
          expect(code.Entry.safeParse(wrong).success, what).toBe(false);
        }
      }
    }
  });

  it("openapi-typescript writes types that compile, to which every document conforms", () => {
    const { status, printed } = runBlock(folder, /openapi-typescript/);
    expect(status, printed).toBe(0);
    const values = documents.map(
      ({ type, json }, index) =>
        `export const d${index}: components["schemas"]["${type}"] = ${JSON.stringify(json)};\n`,
    );
    const path = `/projects/${JSON.parse(JSON.stringify(schema)).$id.split("/")[1]}/experiences/{id}/content`;
    const use = `import type { components, paths } from "./openapi.ts";
${values.join("")}
type Get = paths["${path}"]["get"];
type Content = Get["responses"]["200"]["content"]["application/json"];
export const entry = (content: Content) => content.content[0]?.contentModelKey;
export const code = (problem: Get["responses"]["404"]["content"]["application/problem+json"]): string => problem.code;
export const asked: Get["parameters"] = { path: { id: "x" }, query: { preview_token: "y" } };
// @ts-expect-error: an experience has an id
export const unasked: Get["parameters"] = { path: {} };
// @ts-expect-error: no model has this key
export const other: Content["content"][0]["contentModelKey"] = "no such model";
`;
    writeFileSync(join(folder, "use.ts"), use);
    expect(compileIn(folder, "openapi.ts", "use.ts")).toBe("");
  });

  it("Redocly's linter finds nothing in the OpenAPI document", () => {
    const { status, printed } = runBlock(folder, /redocly/);
    expect(printed).toContain("Your API description is valid");
    expect(printed).not.toMatch(/You have|[Ww]arning was/);
    expect(status).toBe(0);
  });
});

it("T10: what is broken does not parse, and is a warning of Redocly's linter", async () => {
  const broken = declaredTypes(tools.folder, "swift", "struct { let }", "class_declaration");
  await expect(broken).rejects.toThrow("swift");
  const folder = tools.project({ ...project, name: "broken" });
  const { paths: _, ...rest } = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8"));
  writeFileSync(join(folder, "openapi.json"), JSON.stringify({ ...rest, paths: {} }));
  expect(runBlock(folder, /redocly/).printed).toMatch(/You have \d+ warning/);
});

/** What quicktype keeps of a name in each language. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The texts of the types of a source, by plain name; fails when it does not parse. */
async function declaredTypes(folder: string, language: string, source: string, type: string) {
  const require = createRequire(join(folder, "package.json"));
  const { Parser, Language } = require(
    join(folder, "node_modules/web-tree-sitter/tree-sitter.cjs"),
  );
  await Parser.init();
  const parser = new Parser();
  const wasm = require.resolve(`tree-sitter-wasms/out/tree-sitter-${language}.wasm`);
  parser.setLanguage(await Language.load(wasm));
  const { rootNode } = parser.parse(source);
  expect(rootNode.hasError, language).toBe(false);
  const types = new Map<string, string>();
  for (const node of rootNode.descendantsOfType(type)) {
    const named =
      node.childForFieldName("name") ??
      node.namedChildren.find((one: Any) => /identifier/.test(one.type));
    const name = plain(named.text);
    types.set(name, `${types.get(name) ?? ""}${node.text}`);
  }
  return types;
}

/** Where Python is there. */
function readInPython(folder: string, documents: readonly { type: string; json: unknown }[]): void {
  if (spawnSync("python3", ["--version"]).error !== undefined) return;
  const script = `import content, json, sys
for document in json.load(sys.stdin):
    read = getattr(content, document["type"]).from_dict(document["json"])
    assert read.to_dict().keys() == document["json"].keys()
    for entry in document["json"].get("content", []) + document["json"].get("references", []):
        assert content.Entry.from_dict(entry).id == entry["id"]
`;
  const { status, printed } = run(folder, "python3", ["-c", script], JSON.stringify(documents));
  expect(status, printed).toBe(0);
}

/** What is wrong with the entry, by what is changed. */
function broken(entry: Any, schema: Any): Record<string, unknown> {
  const { required = [] } = schema.$defs.contentModels[entry.contentModelKey] ?? {};
  const [first] = required;
  const { [first]: _, ...without } = entry.data;
  return {
    "an unknown model": { ...entry, contentModelKey: "no such model" },
    "no id": { ...entry, id: undefined },
    "a member too many": { ...entry, data: { ...entry.data, "no such field": 1 } },
    ...(first !== undefined && {
      "a field is missing": { ...entry, data: without },
      "a field is of another type": { ...entry, data: { ...entry.data, [first]: { a: 1 } } },
    }),
  };
}
