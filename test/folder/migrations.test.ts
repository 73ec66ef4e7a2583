import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch } from "diff";
import { describe, expect, it } from "vitest";
import {
  migrateFolder,
  readDefinitions,
  unifiedDiff,
} from "../../src/folder/migrate/migrate-folder.ts";
import { migrationNamed } from "../../src/folder/migrate/migrations.ts";
import { bedsIn, type Loose, ROWS, rowsIn } from "../support/import-rows.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const BEDS = bedsIn(`${ROWS}/migrations.yaml`);

/** The files of a bed, with others in place of some. */
function filesOf(bed: string, others: Files = {}): Files {
  const files = Object.entries<Files[string]>({ ...BEDS[bed], ...others });
  const texts = files.map(([name, value]) => [
    name,
    name.endsWith(".ndjson") && Array.isArray(value)
      ? value.map((one) => JSON.stringify(one)).join("\n")
      : value,
  ]);
  return Object.fromEntries(texts);
}

/** The files that a migration changes, with their new texts. */
async function migrated(files: Files, name: string, ...args: string[]) {
  const folder = workspaceFolder(files);
  const migration = await migrationNamed(name, args)(readDefinitions(folder));
  return new Map((await migrateFolder(folder, migration)).map(({ file, after }) => [file, after]));
}

/** What differs, by its path; members that stay are in their order. */
function* differences(before: unknown, after: unknown, path: string): Generator<[string, unknown]> {
  const areNested = [before, after].every((one) => typeof one === "object" && one !== null);
  if (!areNested || Array.isArray(before) !== Array.isArray(after)) {
    if (before !== after) yield [path, after];
    return;
  }
  const [own, next] = asMembers(before as Loose, after as Loose);
  const stay = [own, next].map((one) =>
    Object.keys(one).filter((name) => name in own && name in next),
  );
  expect(stay[0]).toEqual(stay[1]);
  for (const name of Object.keys({ ...own, ...next })) {
    if (name in own && name in next) {
      yield* differences(own[name], next[name], `${path}.${name}`);
    } else yield [`${path}.${name}`, name in next ? next[name] : "gone"];
  }
}

/** Fields are by their key where their number changes. */
function asMembers(before: Loose, after: Loose): [Loose, Loose] {
  const lists = [before, after].filter((one) => Array.isArray(one));
  const areFields = lists.length === 2 && lists.flat().every((one) => Object(one).key);
  if (!areFields || before.length === after.length) return [before, after];
  const byKey = (fields: Loose) => Object.fromEntries(fields.map((one: Loose) => [one.key, one]));
  return [byKey(before), byKey(after)];
}

function parsed(file: unknown): unknown {
  if (typeof file !== "string") return file;
  const lines = file.split("\n");
  return lines.length > 1 && file.startsWith("{")
    ? lines.map((line) => JSON.parse(line))
    : JSON.parse(file);
}

for (const [title, { then = [], bed, ...row }] of Object.entries(
  rowsIn(`${ROWS}/migrations.yaml`),
)) {
  it(title, async () => {
    for (const { files, runs } of [row, ...then] as Loose[]) {
      const all = filesOf(bed, files);
      for (const [run, expected] of Object.entries(runs)) {
        const [name = "", ...args] = run.split(" ");
        if (typeof expected === "string") {
          await expect(migrated(all, name, ...args), run).rejects.toThrow(expected);
          continue;
        }
        const changed = await migrated(all, name, ...args);
        const found = [...changed].flatMap(([file, text]) => [
          ...differences(parsed(all[file]), parsed(text), file.replace(/\.\w+$/, "")),
        ]);
        expect(Object.fromEntries(found), run).toEqual(expected);
      }
    }
  });
}

it("M1: many records in one file take time in proportion", async () => {
  const records = Array.from({ length: 3000 }, (_, at) => ({
    id: `e${at}`,
    modelId: "m1",
    data: { title: "x".repeat(100) },
  }));
  const lines = records.map((record) => JSON.stringify(record)).join("\n");
  const { "entries.ndjson": _, ...others } = filesOf(".plain");
  for (const entries of [{ "entries.ndjson": lines }, { "entries.json": records }]) {
    const start = process.threadCpuUsage();
    const changed = await migrated({ ...others, ...entries }, "rename-field", "page", "title", "x");
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(2000);
    expect([...changed.values()].join("").match(/"x":/g)).toHaveLength(3000);
  }
});

it("M2: all forms of files are changed in place, whatever their style", async () => {
  const one = {
    id: "m1",
    key: "page",
    name: "Page",
    fields: [{ key: "title", name: "Title", type: "text" }],
  };
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
  const { "entries.ndjson": _, ...others } = filesOf(".plain");
  const folder = workspaceFolder({ ...others, "entries.json": JSON.stringify(entries, null, 1) });
  const args = ["page", "title", "parts", "hero"];
  const migration = await migrationNamed("move-field-into-block", args)(readDefinitions(folder));
  const changed = await migrateFolder(folder, migration);
  expect(changed.map(({ file }) => file)).toContain("entries.json");
  for (const file of changed) {
    expect(applyPatch(file.before, unifiedDiff(file))).toBe(file.after);
  }
});

describe("M5d: localize-field and delocalize-field", () => {
  const quote = (said: string) => ({ contentBlockId: "b1", data: { said } });
  const PLAIN = {
    ...filesOf(".localized"),
    "blocks.json": [
      { id: "b1", key: "quote", name: "Quote", fields: [{ key: "said", type: "text" }] },
    ],
    "projects.json": [
      {
        id: "p",
        name: "P",
        steps: [],
        experiences: [],
        locale: "de",
        fields: { parts: [quote("Ja")] },
      },
    ],
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
      key: "slug",
      type: "text",
      localized: true,
    });
    expect(changed.get("entries.json")).toBe(
      PLAIN["entries.json"].replace('"h\\u0061us"', '{ "de": "haus" }'),
    );
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
});
