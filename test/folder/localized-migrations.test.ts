import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { migrateFolder, readDefinitions } from "../../src/folder/migrate/migrate-folder.ts";
import { migrationNamed } from "../../src/folder/migrate/migrations.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const localized = { localized: true };
const TITLE = { key: "title", type: "text", required: true, ...localized };
const TONES = {
  key: "tones",
  type: "select",
  options: ["calm", "loud"],
  repeatable: true,
  ...localized,
};
const PARTS = { key: "parts", type: "content-block", repeatable: true };
const LOCAL_PARTS = { ...PARTS, key: "local", ...localized };
const TREE = { key: "tree", type: "rich-text", ...localized };
const SLUG = { key: "slug", type: "text" };
const FIELDS = [TITLE, TONES, PARTS, LOCAL_PARTS, TREE, SLUG];

const quote = (said: object | string, more = {}) => ({
  contentBlockId: "b1",
  data: { said, ...more },
});
const QUOTE = quote({ de: "Ja", en: "Yes" });

const DATA = {
  title: { de: "Haus", en: "House" },
  tones: { de: ["loud"], en: ["calm", "loud"], fr: null },
  parts: [QUOTE],
  local: { de: [QUOTE, quote({ de: "Nein" })], en: [] },
  tree: { de: [{ content: [QUOTE] }], en: { said: { de: 1 } } },
  slug: "house",
};

const PROJECT = { id: "p", name: "P", steps: [], experiences: [] };
const FILES = {
  "workspace.json": { id: "w", name: "W", fields: [PARTS] },
  "projects.json": [
    { ...PROJECT, locale: "en", fallbackLocales: ["de"], fields: { parts: [QUOTE] } },
  ],
  "models.json": [{ id: "m", key: "page", name: "Page", fields: FIELDS }],
  "blocks.json": [
    {
      id: "b1",
      key: "quote",
      name: "Quote",
      fields: [{ key: "said", type: "text", ...localized }],
    },
  ],
  "entries.json": [{ id: "a", modelId: "m", data: DATA }],
} satisfies Files;

/** The files that a migration changes, with their new texts. */
async function migrated(files: Files, name: string, ...args: string[]) {
  const folder = workspaceFolder(files);
  const migration = await migrationNamed(name, args)(readDefinitions(folder));
  return new Map((await migrateFolder(folder, migration)).map(({ file, after }) => [file, after]));
}

/** The files after a migration, as values. */
async function filesAfter(files: Files, name: string, ...args: string[]) {
  const changed = await migrated(files, name, ...args);
  const texts = [...changed].map(([file, text]) => [file, JSON.parse(text)]);
  // biome-ignore lint/suspicious/noExplicitAny: tests access records without types
  return { ...files, ...Object.fromEntries(texts) } as any;
}

/** The data of the only entry after a migration. */
async function dataAfter(name: string, ...args: string[]) {
  return (await filesAfter(FILES, name, ...args))["entries.json"][0].data;
}

describe("M5, B2: migrations reach the value of each locale", () => {
  it("M5: an option is renamed in each locale, and stays in null ones", async () => {
    const data = await dataAfter("rename-option", "page", "tones", "loud", "bold");
    const tones = { de: ["bold"], en: ["calm", "bold"], fr: null };
    expect(data).toEqual({ ...DATA, tones });
    expect(Object.keys(data.tones)).toEqual(["de", "en", "fr"]);
  });

  it("M5: fields of blocks are renamed and removed in localized block and rich-text fields", async () => {
    const renamed = (said: object) => ({ contentBlockId: "b1", data: { text: said } });
    const [both, one] = [renamed(QUOTE.data.said as object), renamed({ de: "Nein" })];
    const files = await filesAfter(FILES, "rename-field", "quote", "said", "text");
    expect(files["entries.json"][0].data).toEqual({
      ...DATA,
      parts: [both],
      local: { de: [both, one], en: [] },
      tree: { de: [{ content: [both] }], en: { said: { de: 1 } } },
    });
    expect(files["projects.json"][0].fields).toEqual({ parts: [both] });
    const data = await dataAfter("remove-field", "quote", "said");
    expect(JSON.stringify(data.local)).toBe(
      '{"de":[{"contentBlockId":"b1","data":{}},{"contentBlockId":"b1","data":{}}],"en":[]}',
    );
  });

  it("M5: a localized value moves into a block with all its locales, and stays localized", async () => {
    const files = await filesAfter(
      FILES,
      ...(["move-field-into-block", "page", "title", "parts", "quote"] as const),
    );
    const { title, ...rest } = DATA;
    expect(files["entries.json"][0].data).toEqual({
      ...rest,
      parts: [QUOTE, { contentBlockId: "b1", data: { title } }],
    });
    const { required: _, ...moved } = TITLE;
    expect(files["blocks.json"][0].fields).toEqual([
      ...(FILES["blocks.json"][0]?.fields ?? []),
      moved,
    ]);
  });

  it("M1a: nothing moves into a localized block field, nor into a field that is localized otherwise", async () => {
    const move = (field: string, blocks: string, ...as: string[]) =>
      migrated(FILES, "move-field-into-block", "page", field, blocks, "quote", ...as);
    await expect(move("title", "local")).rejects.toThrow('"local" is localized');
    await expect(move("slug", "local")).rejects.toThrow('"local" is localized');
    await expect(move("slug", "parts", "said")).rejects.toThrow('another field "said"');
  });
});

describe("M5d: localize-field and delocalize-field", () => {
  const plain = { key: "said", type: "text" };
  const PLAIN = {
    ...FILES,
    "blocks.json": [{ id: "b1", key: "quote", name: "Quote", fields: [plain] }],
    "projects.json": [{ ...PROJECT, locale: "de", fields: { parts: [quote("Ja")] } }],
    "entries.json": `[
  { "id": "a", "modelId": "m", "data": { "slug": "h\\u0061us", "parts": [] } },
  { "id": "b", "modelId": "m", "data": {
    "slug": null,
    "local": { "de": [${JSON.stringify(quote("Nein"))}], "en": [${JSON.stringify(quote(""))}] }
  } },
  { "id": "c", "modelId": "m", "data": {} }
]`,
  };

  it("M5d: each value becomes that of the only locale of the projects; null and none stay", async () => {
    const changed = await migrated(PLAIN, "localize-field", "page", "slug");
    expect([...changed.keys()]).toEqual(["models.json", "entries.json"]);
    expect(JSON.parse(changed.get("models.json") ?? "")[0].fields.at(-1)).toEqual({
      ...SLUG,
      ...localized,
    });
    expect(changed.get("entries.json")).toBe(
      PLAIN["entries.json"].replace('"h\\u0061us"', '{ "de": "haus" }'),
    );
  });

  it("M5: of a block: wherever it is, in blocks of each locale too", async () => {
    const files = await filesAfter(PLAIN, "localize-field", "quote", "said");
    expect(files["blocks.json"][0].fields).toEqual([{ ...plain, ...localized }]);
    expect(files["projects.json"][0].fields.parts).toEqual([quote({ de: "Ja" })]);
    expect(files["entries.json"][1].data.local).toEqual({
      de: [quote({ de: "Nein" })],
      en: [quote({ de: "" })],
    });
  });

  it("M5d: delocalize-field is the way back: the files have their values again", async () => {
    for (const [name, key] of [
      ["quote", "said"],
      ["page", "slug"],
    ] as const) {
      const folder = workspaceFolder(PLAIN);
      const before = readDefinitions(folder);
      const there = await migrationNamed("localize-field", [name, key])(before);
      const texts = new Map<string, string>();
      for (const { file, before, after } of await migrateFolder(folder, there)) {
        texts.set(file, before);
        writeFileSync(join(folder, file), after);
      }
      const back = await migrationNamed("delocalize-field", [name, key])(readDefinitions(folder));
      const returned = await migrateFolder(folder, back);
      expect(returned.map(({ file }) => file)).toEqual([...texts.keys()]);
      for (const { file, after } of returned) {
        expect(JSON.parse(after)).toEqual(JSON.parse(texts.get(file) ?? ""));
      }
    }
  });

  it("M1a: delocalize-field is refused where another locale has a value; a missing one leaves none", async () => {
    const back = (files: Files, ...locale: string[]) =>
      filesAfter(files, "delocalize-field", "page", "title", ...locale);
    await expect(back(FILES, "de")).rejects.toThrow('"a" has a value in "en" under "title"');
    const entry = (title: object) => ({
      ...FILES,
      "entries.json": [{ id: "a", modelId: "m", data: { title, slug: "x" } }],
    });
    const dataOf = async (title: object) =>
      (await back(entry(title), "de"))["entries.json"][0].data;
    expect(await dataOf({ en: null, de: "" })).toEqual({ title: "", slug: "x" });
    expect(await dataOf({ en: null })).toEqual({ slug: "x" });
    expect(await dataOf({})).toEqual({ slug: "x" });
    await expect(back(entry({ fr: "x" }), "de")).rejects.toThrow('in "fr"');
    const [model] = (await back(entry({}), "de"))["models.json"];
    const { localized: _, ...rest } = TITLE;
    expect(model.fields[0]).toEqual(rest);
  });

  it("M1: the locale is one that projects have, and named when there are several", async () => {
    const localize = (files: Files, ...locale: string[]) =>
      migrated(files, "localize-field", "page", "slug", ...locale);
    await expect(localize(FILES)).rejects.toThrow("several locales");
    await expect(localize(FILES, "fr")).rejects.toThrow('no project has the locale "fr"');
    expect((await localize(FILES, "de")).get("entries.json")).toContain('"slug":{"de":"house"}');
    await expect(localize({ ...FILES, "projects.json": [PROJECT] }, "de")).rejects.toThrow(
      "no project has a locale",
    );
    await expect(migrated(FILES, "localize-field", "page", "title", "de")).rejects.toThrow(
      '"title" is localized already',
    );
    await expect(migrated(FILES, "delocalize-field", "page", "slug", "de")).rejects.toThrow(
      '"slug" is not localized',
    );
  });

  it("M5d: a field with a query is refused", async () => {
    const related = { key: "related", type: "reference", repeatable: true, query: {} };
    const model = { id: "page", key: "page", name: "Page", fields: [related] };
    await expect(
      migrated({ ...FILES, "models.json": [model] }, "localize-field", "page", "related", "de"),
    ).rejects.toThrow('"related" has a query');
  });
});
