import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Rendering } from "../../src/documents/rendering.ts";
import { migrateFolder, readDefinitions } from "../../src/folder/migrate/migrate-folder.ts";
import { migrationNamed } from "../../src/folder/migrate/migrations.ts";
import { documentTexts, draftIn } from "../support/documents/rendered.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const TEXT = { type: "text" };
const LIST = { type: "reference", repeatable: true };
const ARTICLE = [
  { key: "slug", ...TEXT },
  { key: "heading", ...TEXT, title: true },
  { key: "mood", type: "select", options: ["calm", "loud"] },
  { key: "writer", type: "reference", models: ["person"] },
  { key: "written", type: "date" },
  {
    key: "alike",
    ...LIST,
    models: ["article"],
    query: { where: { mood: { same: "mood" } }, sort: ["-written", "heading"], limit: 2 },
  },
];
const PERSON = [
  { key: "heading", ...TEXT },
  {
    key: "pieces",
    ...LIST,
    models: ["article"],
    query: { where: { writer: "$self", mood: "calm" }, sort: "written" },
  },
];
const BOX = [
  { key: "tone", ...TEXT },
  { key: "hers", ...LIST, models: ["article"], query: { where: { writer: "ada" } } },
  {
    key: "toned",
    ...LIST,
    models: ["article"],
    query: { where: { mood: { same: "tone" } }, sort: "-slug" },
  },
];

const article = (id: string, mood: string, writer: string, day: number) => ({
  id,
  modelId: "m-article",
  data: {
    slug: `on-${id}`,
    heading: `The ${id}`,
    mood,
    writer: { contentEntryId: writer },
    written: `2026-01-0${day}`,
  },
});
const FILES = {
  "models.json": [
    { id: "m-article", key: "article", name: "Article", fields: ARTICLE },
    { id: "m-person", key: "person", name: "Person", fields: PERSON },
    {
      id: "m-page",
      key: "page",
      name: "Page",
      fields: [{ key: "boxes", type: "content-block", repeatable: true }],
    },
  ],
  "blocks.json": [{ id: "b-box", key: "box", name: "Box", fields: BOX }],
  "projects.json": [
    {
      id: "site",
      name: "Site",
      steps: [{ id: "s", key: "s", name: "S", layoutName: "page", layoutContentId: "home" }],
      experiences: [{ id: "home", key: "home", name: "Home", stepIds: ["s"] }],
      collections: [
        {
          model: "article",
          id: "a-{slug}",
          key: "a-{slug}-{mood}",
          name: "{heading}!",
          layoutName: "article",
          where: { writer: "ada", mood: "calm" },
          list: { id: "all-{page}", size: 2, sort: "-written" },
        },
        { model: "person", id: "p-{id}", layoutName: "person", except: ["bo"] },
        {
          ...{ by: "article.mood", id: "v-{value}-{page}", size: 1, sort: "-written" },
          where: { writer: "ada" },
        },
        { by: "article.writer", id: "by-{value}-{page}", size: 2, except: ["two"] },
      ],
    },
  ],
  "entries.json": [
    article("one", "calm", "ada", 1),
    article("two", "calm", "ada", 3),
    article("three", "loud", "bo", 2),
    article("four", "calm", "bo", 4),
    { id: "ada", modelId: "m-person", data: { heading: "Ada" } },
    { id: "bo", modelId: "m-person", data: { heading: "Bo" } },
    {
      id: "home",
      modelId: "m-page",
      data: { boxes: [{ contentBlockId: "b-box", data: { tone: "loud" } }] },
    },
  ],
} satisfies Files;

async function migrate(folder: string, ...[name = "", ...args]: readonly string[]) {
  const migration = await migrationNamed(name, args)(readDefinitions(folder));
  for (const { file, after } of await migrateFolder(folder, migration)) {
    writeFileSync(join(folder, file), after);
  }
}

/** The lists of a schema are in the order of what they name. */
function inAnyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(inAnyOrder(one))).sort();
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(([name, one]) => [name, inAnyOrder(one)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every document of the folder as a value, by its path. */
function documentsOf(folder: string): Record<string, unknown> {
  const texts = documentTexts(new Rendering(draftIn(folder)), "published");
  return Object.fromEntries(Array.from(texts, ([path, text]) => [path, JSON.parse(text)]));
}

describe("Q25: queries and collections follow a migration", () => {
  it.each<[string[], from: string, to: string]>([
    [["rename-field", "article", "mood", "temper"], "mood", "temper"],
    [["rename-field", "article", "writer", "creator"], "writer", "creator"],
    [["rename-field", "article", "written", "day"], "written", "day"],
    [["rename-field", "article", "heading", "caption"], "", ""],
    [["rename-field", "article", "slug", "path"], "slug", "path"],
    [["rename-field", "box", "tone", "key"], "tone", "key"],
    [["rename-option", "article", "mood", "calm", "quiet"], "calm", "quiet"],
    [["rename-model", "article", "story"], "article", "story"],
    [["rename-entry", "ada", "ada2"], "ada", "ada2"],
    [["rename-entry", "bo", "bob"], "bo", "bob"],
  ])(
    "Q25: what is published after %j is that of before but for the name",
    async (args, from, to) => {
      const folder = workspaceFolder(FILES);
      const before = documentsOf(folder);
      await migrate(folder, ...args);
      const after = documentsOf(folder);
      expect(Object.keys(before).length).toBeGreaterThan(6);
      expect(after).not.toEqual(before);
      const config = "api/v1/projects/site/index.json";
      if (from === "") return expect(after[config]).toEqual(before[config]);
      const named = (text: string) =>
        text.replaceAll(new RegExp(`(?<![a-z])${from}(?![a-z])`, "g"), to);
      const expected = JSON.parse(named(JSON.stringify(before)));
      const schema = "api/v1/projects/site/schema.json";
      expect(inAnyOrder(after[schema])).toEqual(inAnyOrder(expected[schema]));
      expect({ ...after, [schema]: 0 }).toEqual({ ...expected, [schema]: 0 });
    },
  );

  it.each<[string[], string]>([
    [["remove-field", "article", "mood"], 'the query of "article.alike" uses the field "mood"'],
    [["remove-field", "person", "pet"], 'the collection "p-{pet}" of the project "site" uses'],
    [["remove-field", "article", "slug"], 'the query of "box.toned" uses the field "slug"'],
    [["remove-field", "box", "tone"], 'the query of "box.toned" uses the field "tone"'],
    [["remove-field", "person", "note"], 'the query of "page.noted" uses the field "note"'],
    [
      ["remove-field", "person", "hue"],
      'the collection "of-{value}-{page}" of the project "site" uses',
    ],
    [["rename-field", "article", "note", "remark"], '"page.noted" asks for "note" of "person" too'],
    [["rename-field", "person", "pet", "id"], "{pet} would be the id of the entry"],
    [
      ["rename-field", "article", "hint", "nick"],
      'the query of "page.noted" has a condition of each',
    ],
  ])("Q25: %j is refused", async (args, message) => {
    const [articles, persons, pages] = FILES["models.json"];
    const noted = { where: { note: "x", hint: "y", nick: "z" } };
    const models = [
      { ...articles, fields: [...ARTICLE, { key: "note", ...TEXT }, { key: "hint", ...TEXT }] },
      {
        ...persons,
        fields: [
          ...PERSON,
          { key: "note", ...TEXT },
          { key: "nick", ...TEXT },
          { key: "pet", ...TEXT },
          { key: "hue", ...TEXT },
        ],
      },
      { ...pages, fields: [{ key: "noted", ...LIST, query: noted }] },
    ];
    const [site] = FILES["projects.json"];
    const collections = [
      { model: "person", id: "p-{pet}", layoutName: "person" },
      { by: "person.hue", id: "of-{value}-{page}", size: 1 },
    ];
    const files = { ...FILES, "models.json": models, "projects.json": [{ ...site, collections }] };
    await expect(migrate(workspaceFolder(files), ...args)).rejects.toThrow(message);
  });
});
