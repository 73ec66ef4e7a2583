import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch } from "diff";
import { describe, expect, it } from "vitest";
import {
  migrateFolder,
  readDefinitions,
  unifiedDiff,
} from "../../src/folder/migrate/migrate-folder.ts";
import { migrationNamed } from "../../src/folder/migrate/migrations.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const TEXT = { key: "title", name: "Title", type: "text", required: true };
const COLOUR = { key: "colour", type: "select", options: ["red", "blue"] };
const COLOURS = { ...COLOUR, key: "colours", repeatable: true };
const PARTS = { key: "parts", type: "content-block", repeatable: true };
const ONE = { key: "one", type: "content-block", category: "wide" };
const RAW = { key: "raw", type: "json" };
const LINK = { key: "link", type: "reference", models: ["page", "post"] };
const TREE = { key: "tree", type: "rich-text", models: ["page"] };
const FIELDS = [TEXT, COLOUR, COLOURS, PARTS, ONE, RAW, TREE, LINK];

const HERO = { contentBlockId: "b1", data: { title: "in hero", colour: "red" } };
const ROW = { contentBlockId: "b2", data: { parts: [HERO, { contentBlockId: "gone", data: {} }] } };
const FILES = {
  "workspace.json": { id: "w", name: "W", fields: [PARTS, LINK] },
  "models.json": [
    { id: "m1", key: "page", name: "Page", fields: FIELDS },
    { id: "m2", key: "post", name: "Post", fields: FIELDS },
  ],
  "blocks/hero.json": { id: "b1", key: "hero", name: "Hero", fields: [TEXT, COLOUR, LINK] },
  "blocks/row.json": { id: "b2", key: "row", name: "Row", category: "wide", fields: [PARTS] },
  "blocks/page.json": { id: "b3", key: "post", name: "Post", fields: [COLOUR] },
  "projects.json": [
    {
      id: "p",
      name: "P",
      fields: { parts: [ROW], title: "a" },
      experiences: [],
      steps: [
        { id: "s1", key: "page", name: "page", layoutName: "page", layoutContentId: "page" },
        { id: "s2", key: "b", name: "b", layoutName: "Page" },
      ],
    },
  ],
  "entries.ndjson": [
    {
      id: "a",
      modelId: "m1",
      data: { title: "A", colours: ["blue", "red", 1], raw: { title: 1 } },
    },
    { id: "b", modelId: "m2", data: { title: "B", colour: "red", parts: [ROW, HERO] } },
    { id: "c", modelId: "m1", data: { colour: null, title: null, one: HERO, stray: [HERO] } },
    { id: "d", modelId: "gone", data: { title: "D" } },
    { id: "e", modelId: "m2", data: { tree: [{ title: 1, content: [HERO, { embed: ROW }] }] } },
  ]
    .map((entry) => JSON.stringify(entry))
    .join("\n"),
} satisfies Files;

/** The changed lines of each file, without white space at the beginning. */
async function migrated(files: Files, name: string, ...args: string[]) {
  const folder = workspaceFolder(files);
  const migration = await migrationNamed(name, args)(readDefinitions(folder));
  return new Map((await migrateFolder(folder, migration)).map(({ file, after }) => [file, after]));
}

/** The files after the migration, as values. */
async function valuesAfter(name: string, ...args: string[]) {
  const changed = await migrated(FILES, name, ...args);
  const valueIn = (file: keyof typeof FILES) =>
    // biome-ignore lint/suspicious/noExplicitAny: tests access records without types
    JSON.parse(changed.get(file) ?? JSON.stringify(FILES[file])) as any;
  const lines = (changed.get("entries.ndjson") ?? FILES["entries.ndjson"]).split("\n");
  return {
    files: [...changed.keys()],
    models: valueIn("models.json"),
    hero: valueIn("blocks/hero.json"),
    project: valueIn("projects.json")[0],
    workspace: valueIn("workspace.json"),
    data: lines.map((line) => JSON.parse(line).data),
  };
}

/** The data of the entries before. */
// biome-ignore lint/suspicious/noExplicitAny: tests access records without types
const unchanged: any[] = FILES["entries.ndjson"].split("\n").map((line) => JSON.parse(line).data);

async function refused(name: string, ...args: string[]): Promise<string> {
  const error = await migrated(FILES, name, ...args).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(SvcError);
  return (error as SvcError).message;
}

describe("M5a: rename-field", () => {
  it("M5: of a model: the definition and the entries of this model", async () => {
    const { files, models, data } = await valuesAfter("rename-field", "page", "title", "headline");
    expect(files).toEqual(["models.json", "entries.ndjson"]);
    expect(models[0].fields[0]).toEqual({ ...TEXT, key: "headline" });
    expect(models[1]).toEqual(FILES["models.json"][1]);
    expect(Object.keys(data[0])).toEqual(["headline", "colours", "raw"]);
    expect(data[0]).toMatchObject({ headline: "A", raw: { title: 1 } });
    expect(data.slice(1)).toEqual([
      unchanged[1],
      { colour: null, headline: null, one: HERO, stray: [HERO] },
      ...unchanged.slice(3),
    ]);
  });

  it("M5, V11a: of a block: in entries, blocks, rich text and project fields, not in other data", async () => {
    const { hero, project, data } = await valuesAfter("rename-field", "hero", "title", "text");
    const renamed = { contentBlockId: "b1", data: { text: "in hero", colour: "red" } };
    const row = { ...ROW, data: { parts: [renamed, ROW.data.parts[1]] } };
    expect(hero.fields[0].key).toBe("text");
    expect(project.fields).toEqual({ parts: [row], title: "a" });
    expect(data[1]).toEqual({ ...unchanged[1], parts: [row, renamed] });
    expect(data[2]).toEqual({ ...unchanged[2], one: renamed });
    expect(data[4]).toEqual({ tree: [{ title: 1, content: [renamed, { embed: row }] }] });
  });

  it("M1a: is refused when something would be lost, or is not there", async () => {
    expect(await refused("rename-field", "page", "title", "link")).toContain("already has a field");
    expect(await refused("rename-field", "page", "title", "stray")).toContain(
      '"c" already has data',
    );
    expect(await refused("rename-field", "page", "title", "a b")).toContain("cannot be the key");
    expect(await refused("rename-field", "page", "titel", "b")).toContain('no field "titel"');
    expect(await refused("rename-field", "pages", "title", "b")).toContain("no model or block");
    expect(await refused("rename-field", "post", "title", "b")).toContain("a model and a block");
    expect(await refused("rename-field", "block:page", "title", "b")).toContain(
      "no model or block",
    );
    const { files } = await valuesAfter("rename-field", "block:post", "colour", "b");
    expect(files).toEqual(["blocks/page.json"]);
  });
});

it("M1: many records in one file take time in proportion", async () => {
  const records = Array.from({ length: 6000 }, (_, at) => ({
    id: `e${at}`,
    modelId: "m1",
    data: { title: "x".repeat(100) },
  }));
  const lines = records.map((record) => JSON.stringify(record)).join("\n");
  const { "entries.ndjson": _, ...others } = FILES;
  for (const entries of [{ "entries.ndjson": lines }, { "entries.json": records }]) {
    const start = process.threadCpuUsage();
    const changed = await migrated({ ...others, ...entries }, "rename-field", "page", "title", "x");
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(4000);
    expect([...changed.values()].join("").match(/"x":/g)).toHaveLength(6000);
  }
});

describe("M5b: rename-model", () => {
  it("M5b, V11: the key, in fields with models and layout names too; ids and entries stay", async () => {
    const { files, models, hero, project, workspace, data } = await valuesAfter(
      "rename-model",
      "page",
      "article",
    );
    expect(files).not.toContain("entries.ndjson");
    expect(data).toEqual(unchanged);
    expect(models[0]).toMatchObject({ id: "m1", key: "article", name: "Page" });
    const models_ = ["article", "post"];
    for (const { fields } of [...models, hero, workspace]) {
      expect(fields.at(-1)).toEqual({ ...LINK, models: models_ });
    }
    for (const { fields } of models) {
      expect(fields.at(-2)).toEqual({ ...TREE, models: ["article"] });
    }
    const [step, other] = FILES["projects.json"][0]?.steps ?? [];
    expect(project.steps).toEqual([{ ...step, layoutName: "article" }, other]);
  });

  it("M1a: is refused for a key that is taken or cannot be one", async () => {
    expect(await refused("rename-model", "page", "post")).toContain("already a model");
    expect(await refused("rename-model", "page", "title")).toContain("JSON Schema keyword");
    expect(await refused("rename-model", "hero", "x")).toContain("no model or block");
    expect(await refused("rename-model", "page", "1")).toContain("cannot be the key");
  });
});

describe("M5a: rename-option", () => {
  it("M5: in the options, in single values and in lists", async () => {
    const one = await valuesAfter("rename-option", "model:post", "colour", "red", "crimson");
    expect(one.models[1].fields[1].options).toEqual(["crimson", "blue"]);
    expect(one.data).toEqual([
      unchanged[0],
      { ...unchanged[1], colour: "crimson" },
      unchanged[2],
      ...unchanged.slice(3),
    ]);
    const many = await valuesAfter("rename-option", "page", "colours", "red", "crimson");
    expect(many.data[0].colours).toEqual(["blue", "crimson", 1]);
    const block = await valuesAfter("rename-option", "hero", "colour", "red", "crimson");
    expect(block.data[1].parts[1].data.colour).toBe("crimson");
    expect(block.data[1].colour).toBe("red");
  });

  it("M1a: is refused for another field, and for an option that is there or is not", async () => {
    expect(await refused("rename-option", "page", "title", "a", "b")).toContain("no option");
    expect(await refused("rename-option", "page", "colour", "a", "b")).toContain("no option");
    expect(await refused("rename-option", "page", "colour", "red", "blue")).toContain(
      "already has",
    );
  });
});

describe("M5a: remove-field", () => {
  it("M5: the definition and its values", async () => {
    const { models, data } = await valuesAfter("remove-field", "page", "title");
    expect(models[0].fields).toEqual(FIELDS.slice(1));
    const { title: _, ...rest } = unchanged[0];
    expect(data[0]).toEqual(rest);
    expect(Object.keys(data[2])).toEqual(["colour", "one", "stray"]);
    expect(data[1]).toEqual(unchanged[1]);
  });
});

describe("M5c: move-field-into-block", () => {
  it("M5c: a value is the last block of a list, and its definition moves, not required", async () => {
    const { models, hero, data } = await valuesAfter(
      "move-field-into-block",
      "model:post",
      "colours",
      "parts",
      "hero",
      "tones",
    );
    expect(models[1].fields).toEqual(FIELDS.filter((field) => field !== COLOURS));
    expect(hero.fields.at(-1)).toEqual({ ...COLOURS, key: "tones" });
    expect(data).toEqual(unchanged);
    const page = await valuesAfter("move-field-into-block", "page", "title", "parts", "hero");
    expect(page.hero).toEqual(FILES["blocks/hero.json"]);
    const { title, ...rest } = unchanged[0];
    const block = { contentBlockId: "b1", data: { title } };
    expect(page.data[0]).toEqual({ ...rest, parts: [block] });
    // Null is no value.
    const { title: _, ...others } = unchanged[2];
    expect(page.data[2]).toEqual(others);
    const colour = await valuesAfter(
      "move-field-into-block",
      "model:post",
      "colour",
      "parts",
      "hero",
    );
    expect(colour.data[1].parts).toEqual([
      ...unchanged[1].parts,
      { contentBlockId: "b1", data: { colour: "red" } },
    ]);
    const row = await valuesAfter("move-field-into-block", "page", "title", "parts", "row");
    expect(row.models[0].fields).toEqual(FIELDS.slice(1));
  });

  it("M5c: into a single field, if that is empty", async () => {
    const { data } = await valuesAfter(
      "move-field-into-block",
      "model:post",
      "title",
      "one",
      "row",
    );
    const { title, ...rest } = unchanged[1];
    expect(data[1]).toEqual({ ...rest, one: { contentBlockId: "b2", data: { title } } });
    const into = ["model:page", "colour", "one", "row"];
    expect((await valuesAfter("move-field-into-block", ...into)).data[2].one).toEqual(HERO);
    expect(await refused("move-field-into-block", "page", "raw", "colour", "row")).toContain(
      "no content-block field",
    );
    expect(await refused("move-field-into-block", "page", "raw", "one", "hero")).toContain(
      'category "wide"',
    );
    expect(
      await refused("move-field-into-block", "page", "colours", "parts", "hero", "colour"),
    ).toContain("another field");
    const files = {
      ...FILES,
      "entries.ndjson": JSON.stringify({ id: "c", modelId: "m1", data: { title: "x", one: HERO } }),
    };
    const args = ["move-field-into-block", "page", "title", "one", "row"] as const;
    await expect(migrated(files, ...args)).rejects.toThrow('"c" already has a value in "one"');
  });
});

it("M2: all forms of files are changed in place, whatever their style", async () => {
  const one = { id: "m1", key: "page", name: "Page", fields: [TEXT] };
  const entry = (id: string) =>
    `{"id":"${id}", "modelId":"m1","data":{ "title" : "\\u0041","n":1.0}}`;
  const files = {
    "models/deep/page.json": `\ufeff${JSON.stringify([one], null, "\t").slice(1, -1)}`,
    "entries.json": `[ ${entry("a")},\r\n${entry("b")}\r\n , ${entry("c")} ]`,
    "projects.ndjson": `\n${JSON.stringify({ id: "p", name: "P", steps: [], experiences: [] })}\r\n`,
  };
  const changed = await migrated(files, "rename-field", "page", "title", "headline");
  expect([...changed.keys()]).toEqual(["models/deep/page.json", "entries.json"]);
  expect(changed.get("entries.json")).toBe(
    files["entries.json"].replaceAll('"title" :', '"headline" :'),
  );
  expect(changed.get("models/deep/page.json")).toBe(
    files["models/deep/page.json"].replace('"title"', '"headline"'),
  );
  const folder = workspaceFolder(files);
  expect(readFileSync(join(folder, "entries.json"), "utf8")).toBe(files["entries.json"]);
});

it("M1: applied to the file, the diff gives the new one", async () => {
  const entries = Array.from({ length: 90 }, (_, at) => ({
    id: `e${at}`,
    modelId: at % 3 === 0 ? "m1" : "m2",
    data: { title: `Title ${at}` },
  }));
  const { "entries.ndjson": _, ...others } = FILES;
  const folder = workspaceFolder({ ...others, "entries.json": JSON.stringify(entries, null, 1) });
  const args = ["page", "title", "parts", "hero"];
  const migration = await migrationNamed("move-field-into-block", args)(readDefinitions(folder));
  const changed = await migrateFolder(folder, migration);
  expect(changed.map(({ file }) => file)).toContain("entries.json");
  for (const file of changed) {
    expect(applyPatch(file.before, unifiedDiff(file))).toBe(file.after);
  }
});
