import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { migrateFolder, readDefinitions } from "../../src/folder/migrate/migrate-folder.ts";
import type { RelaxedConstraint } from "../../src/folder/migrate/migration.ts";
import { relax } from "../../src/folder/migrate/relax.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { allowPatterns } from "../support/allow-patterns.ts";
import { draftIn } from "../support/documents/rendered.ts";
import { type Loose, ROWS, rowsIn } from "../support/import-rows.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

type Field = Record<string, JsonValue>;
type Records = Readonly<Record<string, JsonValue>>;

const errorsOf = (folder: string) =>
  checkDraft(new Rendering(draftIn(folder)))
    .filter(({ level }) => level === "error")
    .map(({ code }) => code);

/** Relaxes a folder, which has no error then. */
async function relaxed(records: Records) {
  const folder = workspaceFolder(records as Record<string, never>);
  const before = errorsOf(folder);
  const migration = relax(readDefinitions(folder));
  for (const { file, after } of await migrateFolder(folder, migration)) {
    writeFileSync(join(folder, file), after);
  }
  expect(errorsOf(folder)).toEqual([]);
  return { before, dropped: migration.relaxed, now: readDefinitions(folder) };
}

const TARGET = { id: "other", key: "other", name: "Other", fields: [] };

/** Relaxes the field `f` of a model, for an entry per value; undefined: without a value. */
async function field(
  definition: Field,
  values: readonly (JsonValue | undefined)[],
  languages: readonly string[][] = [],
) {
  const models = [{ id: "m", key: "m", name: "M", fields: [{ key: "f", ...definition }] }, TARGET];
  const entries = values.map((value, at) => ({
    id: `e${at}`,
    modelId: "m",
    data: value === undefined ? {} : { f: value },
  }));
  const projects = languages.map(([locale, ...fallbackLocales], at) => ({
    id: `p${at}`,
    name: "P",
    locale,
    fallbackLocales,
    steps: [],
    experiences: [],
  }));
  const pointed = { id: "pointed", modelId: "other", data: {} };
  const got = await relaxed({
    "models.json": models as never,
    "entries.json": [...entries, pointed] as never,
    "projects.json": projects as never,
  });
  const [found] = got.now.models.find(({ id }) => id === "m")?.fields ?? [];
  const { key: _, ...now } = found as unknown as JsonObject;
  return { ...got, now };
}

const broken = (
  constraint: string,
  more: Partial<RelaxedConstraint> = {},
): Partial<RelaxedConstraint> => ({
  kind: "models",
  key: "m",
  field: "f",
  constraint,
  entries: 1,
  example: "e0",
  ...more,
});

for (const [title, cases] of Object.entries(rowsIn(`${ROWS}/relax.yaml`))) {
  it(title, async () => {
    for (const { f, of, drops = "", now, with: lost, languages } of cases as Loose[]) {
      const values = of.map((one: JsonValue) => (one === "absent" ? undefined : one));
      const got = await field(f, values, languages);
      const dropped: string[][] =
        drops === "" ? [] : drops.split(", ").map((one: string) => one.split(" "));
      const names = dropped.map(([name]) => name);
      const what = JSON.stringify({ f, of });
      const rest = Object.entries(f).filter(([name]) => !names.includes(name));
      expect(got.now, what).toEqual(now ?? Object.fromEntries(rest));
      const isAlone = dropped.length === 1 && of.length === 1;
      if (isAlone) expect(got.before, what).toHaveLength(1);
      const more = { ...(now && { now: now.type }), ...(lost && { with: lost }) };
      expect(got.dropped, what).toEqual(
        dropped.map(([name = "", entries = 1, example = "e0"]) =>
          broken(name, { entries: Number(entries), example, ...more }),
        ),
      );
    }
  });
}

describe("M8: relax, beside fields of models", () => {
  it("P4: a pattern that a value cannot be tested with in time is dropped", async () => {
    allowPatterns({ one: 250, all: 5000 });
    const { now } = await field({ type: "text", pattern: "^(a+)+$" }, [`${"a".repeat(99)}!`]);
    expect(now).toEqual({ type: "text" });
  });

  it("A1, A3: drafts break nothing; what is published at some time does", async () => {
    const models = [
      { id: "m", key: "m", name: "M", fields: [{ key: "f", type: "text", maxLength: 1 }] },
    ];
    const entry = (id: string, more: JsonObject) => ({
      id,
      modelId: "m",
      ...more,
      data: { f: "ab" },
    });
    const draft = entry("a", { draft: true });
    const folder = { "models.json": models, "entries.json": [draft] };
    expect((await relaxed(folder)).dropped).toEqual([]);
    const due = entry("b", { publishAt: "2126-01-01T00:00:00Z" });
    const { dropped } = await relaxed({ ...folder, "entries.json": [draft, due] });
    expect(dropped).toEqual([broken("maxLength", { example: "b" })]);
  });

  it("M8: fields of blocks, wherever they are stored, and of projects are relaxed too", async () => {
    const text = { key: "t", type: "text", maxLength: 1 };
    const block = (data: JsonObject) => ({ contentBlockId: "b", data });
    const inner = { key: "inner", type: "content-block", repeatable: true, category: "x" };
    const { dropped, now } = await relaxed({
      "workspace.json": { id: "w", name: "W", fields: [{ key: "p", type: "text", minLength: 9 }] },
      "models.json": [
        {
          id: "m",
          key: "m",
          name: "M",
          fields: [
            { key: "body", type: "rich-text" },
            { key: "one", type: "content-block", localized: true },
          ],
        },
      ],
      "blocks.json": [{ id: "b", key: "hero", name: "B", fields: [text, inner] }],
      "projects.json": [
        { id: "p", name: "P", locale: "en", fields: { p: "short" }, steps: [], experiences: [] },
      ],
      "entries.json": [
        { id: "e", modelId: "m", data: { body: [{ type: "x", content: [block({ t: "ab" })] }] } },
        { id: "f", modelId: "m", data: { one: { en: block({ inner: [block({ t: "cd" })] }) } } },
      ],
    });
    expect(dropped).toEqual([
      broken("category", { kind: "blocks", key: "hero", field: "inner", example: "f" }),
      {
        ...broken("maxLength", { kind: "blocks", key: "hero", field: "t" }),
        entries: 2,
        example: "e",
      },
      broken("minLength", { kind: "workspace", key: "w", field: "p", example: "p" }),
    ]);
    expect(now.blocks[0]?.fields).toEqual([
      { key: "t", type: "text" },
      { key: "inner", type: "content-block", repeatable: true },
    ]);
  });
});
