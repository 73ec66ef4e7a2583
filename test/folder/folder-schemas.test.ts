import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import jsonc from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { getLanguageService, TextDocument } from "vscode-json-languageservice";
import { folderSchemas, withSchemas } from "../../src/folder/schemas/folder-schemas.ts";
import { readVocabulary } from "../../src/folder/schemas/vocabulary.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { KINDS, type Kind } from "../../src/workspace/records.ts";
import { FIELD_EXAMPLES } from "../fields/field-examples.ts";
import { NEIGHBOUR, STARTER, STOREFRONT } from "../support/cli-bed.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

type FileKind = Kind | "workspace";

function schemasOf(folder: string): Map<FileKind, JsonObject> {
  return folderSchemas(readVocabulary(folder));
}

/** The violations of the schema of a kind by a value. */
function violations(folder: string): (kind: FileKind, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
  addFormats.default(ajv);
  ajv.addVocabulary(["enumDescriptions"]);
  const schemas = schemasOf(folder);
  return (kind, value) => {
    const schema = schemas.get(kind);
    if (schema === undefined) throw new Error(`no schema of ${kind}`);
    // Compiled once.
    const validate = ajv.compile(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

/** A language server with the schemas and the settings that the command writes. */
function editorOf(folder: string) {
  const service = getLanguageService({
    schemaRequestService: (uri) => Promise.reject(new Error(`${uri} is requested`)),
  });
  const settings = JSON.parse(withSchemas("", "content"))["json.schemas"];
  const schemas = [...schemasOf(folder)].map(([kind, schema]) => {
    const { fileMatch } = settings.find(({ url }: { url: string }) =>
      url.endsWith(`/.svc/${kind}.schema.json`),
    );
    return { uri: `file:///site/content/.svc/${kind}.schema.json`, fileMatch, schema };
  });
  service.configure({ validate: true, schemas });
  const open = (path: string, text: string) => {
    const document = TextDocument.create(`file:///site/content/${path}`, "json", 1, text);
    return { document, parsed: service.parseJSONDocument(document) };
  };
  /** What is proposed at the `|` of a text. */
  const complete = async (path: string, marked: string) => {
    const { document, parsed } = open(path, marked.replace("|", ""));
    const position = document.positionAt(marked.indexOf("|"));
    const { items = [] } = (await service.doComplete(document, position, parsed)) ?? {};
    return items.map(({ label, documentation }) => [label, documentation] as const);
  };
  const labels = async (path: string, marked: string) =>
    (await complete(path, marked))
      .map(([label]) => label.replaceAll('"', ""))
      .sort()
      .join(" ");
  const hover = async (path: string, marked: string) => {
    const { document, parsed } = open(path, marked.replace("|", ""));
    const position = document.positionAt(marked.indexOf("|"));
    return JSON.stringify((await service.doHover(document, position, parsed))?.contents);
  };
  const diagnose = async (path: string, text: string) => {
    const { document, parsed } = open(path, text);
    return (await service.doValidation(document, parsed)).map(({ message }) => message);
  };
  return { complete, labels, hover, diagnose };
}

/** The JSON files of a workspace folder with their kinds. */
function filesOf(folder: string): (readonly [FileKind, unknown])[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => path.endsWith(".json") && path !== "svc.config.json")
    .map((path) => [
      path.split(/[/.]/)[0] as FileKind,
      JSON.parse(readFileSync(join(folder, path), "utf8")),
    ]);
}

const WORKSPACE: Files = {
  "models/page.json": {
    id: "mdl-page",
    key: "page",
    name: "Page",
    fields: [
      { key: "title", name: "Headline", type: "text", required: true, maxLength: 80 },
      { key: "tone", type: "select", options: ["calm", "loud"] },
      { key: "picture", type: "asset" },
      { key: "author", type: "reference", models: ["author"] },
      { key: "body", type: "content-block", category: "text", repeatable: true },
    ],
  },
  "models/author.json": {
    id: "mdl-author",
    key: "author",
    name: "Author",
    fields: [{ key: "bio", type: "text" }],
  },
  "blocks.json": [
    {
      id: "blk-quote",
      key: "quote",
      name: "Quote",
      category: "text",
      fields: [{ key: "quoted", type: "text" }],
    },
    { id: "blk-map", key: "map", name: "Map", category: "place", fields: [] },
  ],
  "assets.json": [{ id: "hero", fileName: "hero.png", url: "https://a.example/hero.png" }],
  "entries/a.json": { id: "ann", modelId: "mdl-author", data: {} },
  "entries/p.json": { id: "home", modelId: "mdl-page", data: { title: "x" } },
};
const PAGE = (data: string) => `{ "id": "x", "modelId": "mdl-page", "data": { ${data} } }`;

describe("G7: what an editor proposes", () => {
  const pageEditor = () => editorOf(workspaceFolder(WORKSPACE));
  const entry = "entries/deep/x.json";

  it("G7: the fields of the entry's model, with their names and options", async () => {
    const editor = pageEditor();
    expect(await editor.labels(entry, PAGE('"|"'))).toBe("author body picture title tone");
    const author = '{ "id": "x", "modelId": "mdl-author", "data": { "|" } }';
    expect(await editor.labels(entry, author)).toBe("bio");
    expect(await editor.hover(entry, PAGE('"ti|tle": "x"'))).toContain(
      "Headline: text, required, maxLength 80",
    );
  });

  it("G7a: the options of a select, and the ids of models, assets, entries and blocks", async () => {
    const editor = pageEditor();
    expect(await editor.labels(entry, PAGE('"tone": |'))).toBe("calm loud");
    expect(await editor.labels(entry, '{ "modelId": | }')).toBe("mdl-author mdl-page");
    expect(await editor.complete(entry, '{ "modelId": | }')).toContainEqual(['"mdl-page"', "Page"]);
    expect(await editor.complete(entry, PAGE('"picture": { "assetId": | }'))).toEqual([
      ['"hero"', "hero.png"],
    ]);
    expect(await editor.labels(entry, PAGE('"author": { "contentEntryId": | }'))).toBe("ann");
    expect(await editor.labels(entry, PAGE('"body": [{ "contentBlockId": | }]'))).toBe("blk-quote");
    const quote = '"body": [{ "contentBlockId": "blk-quote", "data": { "|" } }]';
    expect(await editor.labels(entry, PAGE(quote))).toBe("quoted");
  });

  it("G7: the same in a file with an array, and the members of models and projects", async () => {
    const editor = pageEditor();
    expect(await editor.labels("entries.json", `[${PAGE('"tone": |')}]`)).toBe("calm loud");
    const model = (field: string) => `{ "fields": [${field}] }`;
    expect(await editor.labels("models/m.json", model('{ "type": "text", "|" }'))).toBe(
      "description format key localized maxItems maxLength minItems minLength name pattern repeatable required title unique",
    );
    expect(await editor.labels("models/m.json", model('{ "type": | }'))).toContain("reference");
    expect(await editor.labels("projects/p.json", '{ "steps": [{ "layoutContentId": | }] }')).toBe(
      "ann home",
    );
  });

  it("G7: faults are marked where they are", async () => {
    const editor = pageEditor();
    expect(await editor.diagnose(entry, PAGE('"title": "x"'))).toEqual([]);
    expect(await editor.diagnose(entry, PAGE('"titel": "x"'))).toEqual([
      expect.stringContaining("title"),
      expect.stringContaining("titel"),
    ]);
    const later = '"title": "x", "picture": { "assetId": "later" }';
    expect(await editor.diagnose(entry, PAGE(later))).toEqual([]);
    expect(await editor.diagnose(entry, PAGE('"title": "x", "tone": "odd"'))).toHaveLength(1);
  });
});

describe("G7: the schemas", () => {
  it.each([STARTER, NEIGHBOUR])("G7: the workspace folder %s is valid", (folder) => {
    const faultsOf = violations(folder);
    expect(filesOf(folder).flatMap(([kind, value]) => faultsOf(kind, value))).toEqual([]);
    expect(filesOf(folder).length).toBeGreaterThan(2);
    for (const kind of schemasOf(folder).keys()) {
      expect(() => faultsOf(kind, {}), `${kind} compiles`).not.toThrow();
    }
  });

  it("G7: the storefront is valid but for nulls, and what svc check reports", () => {
    const faultsOf = violations(STOREFRONT);
    const all = filesOf(STOREFRONT).flatMap(([kind, value]) => faultsOf(kind, value));
    expect(all.filter((text) => !text.includes("must match")).sort()).toEqual([
      "/data must NOT have additional properties",
      "/data/portrait must be object",
      "/data/sections/1/contentBlockId must be equal to one of the allowed values",
      "/data/summary must be string",
      "/fields/theme must NOT be valid",
      "/modelId must be equal to one of the allowed values",
    ]);
  });

  it.each(Object.entries(FIELD_EXAMPLES))(
    "G7: a %s field takes the values that are served, and no others",
    (type, examples) => {
      for (const { options, served, wrong, breaking = [] } of examples) {
        const field = { key: "f", type, ...options };
        const folder = workspaceFolder({
          "models.json": [{ id: "m", key: "m", name: "M", fields: [field] }],
        });
        const faultsOf = violations(folder);
        const isValid = (f: unknown) =>
          faultsOf("entries", { id: "e", modelId: "m", data: { f } }).length === 0;
        const naming = ["asset", "html-asset", "content-block", "reference", "rich-text"];
        if (!naming.includes(type)) {
          for (const { stored } of served.filter((one) => one.stored !== null)) {
            expect(isValid(stored), JSON.stringify(stored)).toBe(true);
          }
          for (const { stored } of breaking) {
            expect(isValid(stored), JSON.stringify(stored)).toBe(false);
          }
        }
        for (const value of wrong) expect(isValid(value), JSON.stringify(value)).toBe(false);
      }
    },
  );

  it("G7: definitions with faults are left out, and the others stay", () => {
    const folder = workspaceFolder({
      ...WORKSPACE,
      "models/broken.json": "{",
      "models/odd.json": { id: "odd", key: "odd", name: "O", fields: [{ key: "a", type: "?" }] },
    });
    const vocabulary = readVocabulary(folder);
    expect(vocabulary.faulty).toBe(1);
    expect(vocabulary.models.map(({ id }) => id)).toEqual(["mdl-author", "mdl-page"]);
    expect(folderSchemas(vocabulary).size).toBe(KINDS.length + 1);
  });

  it("G7, S11: what fields share stands once, so schemas grow with the number of fields", () => {
    const sizeOf = (count: number) => {
      const keys = Array.from({ length: count }, (_, index) => `m${index + 100}`);
      const fields = [
        { key: "any", type: "reference" },
        { key: "each", type: "reference", models: keys.slice(1) },
        { key: "text", type: "rich-text", nodeTypes: ["doc"] },
        { key: "block", type: "content-block" },
      ];
      // What a field accepts is in its description.
      const records = keys.map((key) => ({
        id: key,
        key,
        name: key,
        fields: fields.filter(({ key }) => key !== "each"),
      }));
      const first = { ...records[0], fields };
      const folder = workspaceFolder({
        "models.json": [first, ...records.slice(1)],
        "blocks.json": records,
      });
      return JSON.stringify(schemasOf(folder).get("entries")).length;
    };
    const [few, some, many] = [sizeOf(20), sizeOf(40), sizeOf(60)];
    expect(many - some).toBeLessThan(1.1 * (some - few));
  });

  it("G7a: more than 10,000 entries are not proposed", () => {
    const lines = Array.from({ length: 10_001 }, (_, n) =>
      JSON.stringify({ id: `e${n}`, modelId: "mdl-author", data: {} }),
    );
    const { "models/page.json": page = {}, "models/author.json": author = {} } = WORKSPACE;
    const sizes = [lines.slice(1), lines].map((some) => {
      const files = { "models.json": [page, author], "entries.ndjson": some.join("\n") };
      return JSON.stringify(schemasOf(workspaceFolder(files)).get("entries")).length;
    });
    expect(sizes[0]).toBeGreaterThan(60_000);
    expect(sizes[1]).toBeLessThan(20_000);
  });
});

describe("G7, B2: localized fields", () => {
  const localized = { type: "text", localized: true };
  const FILES: Files = {
    "projects.json": [
      { id: "at", locale: "de-AT", fallbackLocales: ["de"] },
      { id: "en", locale: "en" },
      { id: "none", fallbackLocales: [7] },
    ].map((project) => ({ name: "P", steps: [], experiences: [], ...project })),
    "blocks.json": [
      { id: "quote", key: "quote", name: "Quote", fields: [{ key: "said", ...localized }] },
    ],
    "models.json": [
      {
        id: "m",
        key: "m",
        name: "M",
        fields: [
          { key: "title", ...localized, required: true, maxLength: 3, name: "Headline" },
          { key: "tags", ...localized, repeatable: true, minItems: 1 },
          { key: "body", type: "rich-text", localized: true, nodeTypes: ["p"] },
          { key: "parts", type: "content-block", repeatable: true },
          { key: "slug", type: "text", unique: true },
        ],
      },
    ],
  };
  const entry = (data: object) => ({ id: "e", modelId: "m", data });
  const TITLE = { de: "a", en: "b" };

  it("G7b, B2: each locale has a value as a field that is not localized, unknown ones too", () => {
    const faultsOf = violations(workspaceFolder(FILES));
    const ofData = (data: object) =>
      faultsOf("entries", entry({ title: TITLE, ...data })).filter(
        (text) => !text.includes("must match"),
      );
    const said = (value: unknown) => ({
      parts: [{ contentBlockId: "quote", data: { said: value } }],
    });
    for (const data of [
      { tags: { de: ["a"], fr: ["b"] }, slug: "x" },
      { body: { "de-AT": [{ type: "p", content: [{ type: "p" }] }] } },
      { tags: {}, ...said({ en: "yes" }) },
    ]) {
      expect(ofData(data)).toEqual([]);
    }
    expect(ofData({ title: { ...TITLE, fr: "long" } })).toEqual([
      "/data/title/fr must NOT have more than 3 characters",
    ]);
    expect(ofData({ tags: ["a"] })).toEqual(["/data/tags must be object"]);
    expect(ofData({ tags: { de: "a", en: [] } })).toEqual(["/data/tags/de must be array"]);
    expect(ofData({ tags: { en: [] } })).toEqual([
      "/data/tags/en must NOT have fewer than 1 items",
    ]);
    expect(ofData({ body: { de: { type: "q" } } }).length).toBeGreaterThan(0);
    expect(ofData(said("no"))).not.toEqual([]);
    expect(ofData({ slug: { de: "x" } })).toEqual(["/data/slug must be string"]);
  });

  it("G7b, B3: a required field has a value in each language, of a fallback too", () => {
    const faultsOf = violations(workspaceFolder(FILES));
    const isValid = (title: object) => faultsOf("entries", entry({ title })).length === 0;
    expect(isValid(TITLE)).toBe(true);
    expect(isValid({ "de-AT": "a", en: "b" })).toBe(true);
    expect(isValid({ de: "a", "de-AT": "a" })).toBe(false);
    expect(isValid({ en: "b" })).toBe(false);
    const { "projects.json": _, ...withoutProjects } = FILES;
    const anywhere = violations(workspaceFolder(withoutProjects));
    expect(anywhere("entries", entry({ title: {} }))).toEqual([]);
    expect(anywhere("entries", entry({}))).not.toEqual([]);
  });

  it("G7b: an editor proposes the locales of the projects, and marks languages without a value", async () => {
    const editor = editorOf(workspaceFolder(FILES));
    const text = (data: string) => `{ "id": "e", "modelId": "m", "data": { ${data} } }`;
    expect(await editor.labels("entries/e.json", text('"title": { "|" }'))).toBe("de de-AT en");
    expect(await editor.hover("entries/e.json", text('"title": { "d|e": "a" }'))).toContain(
      "Headline: text, required, localized, maxLength 3",
    );
    expect(await editor.diagnose("entries/e.json", text('"title": { "de": "a" }'))).toEqual([
      'Missing property "en".',
    ]);
  });
});

describe("G8: .vscode/settings.json", () => {
  it("G8: the schemas are added once, for *.jsonc files too (W3), and everything else stays", () => {
    const text = `{
  // mine
  "editor.tabSize": 2,
  "json.schemas": [
    { "fileMatch": ["a.json"], "url": "./a.schema.json" } // mine too
  ]
}
`;
    const once = withSchemas(text, "content");
    expect(withSchemas(once, "content")).toBe(once);
    expect(once).toContain('// mine\n  "editor.tabSize": 2,');
    expect(once).toContain("// mine too");
    expect(jsonc.parse(once)["json.schemas"][0]).toEqual({
      fileMatch: ["a.json"],
      url: "./a.schema.json",
    });
    expect(once.match(/\.svc\/entries\.schema\.json/g)).toHaveLength(1);
    const own = JSON.parse(withSchemas("", "."))["json.schemas"];
    expect(own).toHaveLength(KINDS.length + 1);
    expect(own).toContainEqual({
      fileMatch: ["entries.json", "entries/**/*.json", "entries.jsonc", "entries/**/*.jsonc"],
      url: "./.svc/entries.schema.json",
    });
  });
});
