import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished, vi } from "vitest";
import { resume } from "../../src/publish/rollback.ts";
import { entriesInOrder } from "../../src/workspace/draft.ts";
import { inStore, versionSnapshot } from "../support/publish/draft-source.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const STORE = join(import.meta.dirname, "../../src/store");

/** Every line of src/store that prepares a statement, except the tables, which are made once. */
function places(): string[] {
  return readdirSync(STORE)
    .filter((name) => name !== "schema.ts")
    .flatMap((name) =>
      readFileSync(join(STORE, name), "utf8")
        .split("\n")
        .flatMap((line, at) =>
          /[dD]atabase\.(?:prepare|exec)\b|\.prepare[<(]/.test(line) ? [`${name}:${at + 1}`] : [],
        ),
    );
}

/** Records all statements that src/store prepares, with the lines that do. */
function statementsFromNowOn(): Map<string, Set<string>> {
  const made = new Map<string, Set<string>>();
  const note = (sql: string) => {
    const stack = String(new Error().stack).split("\n");
    const place = stack
      .map((line) => /\/src\/store\/([\w-]+\.ts:\d+)/.exec(line)?.[1])
      .find(Boolean);
    if (place === undefined || place.startsWith("schema.ts")) return;
    made.set(sql, (made.get(sql) ?? new Set()).add(place));
  };
  const { prepare, exec } = Database.prototype;
  vi.spyOn(Database.prototype, "prepare").mockImplementation(function (
    this: Database.Database,
    sql,
  ) {
    note(sql);
    return prepare.call(this, sql);
  });
  vi.spyOn(Database.prototype, "exec").mockImplementation(function (this: Database.Database, sql) {
    note(sql);
    return exec.call(this, sql);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return made;
}

/** Tables with a row for each workspace, publish or token, which do not grow with a workspace. */
const SMALL = ["workspaces", "versions", "journal", "tokens", "outcomes", "sqlite_master"];

/** Statements that may scan a table, by their first words, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "DELETE FROM files WHERE sha256 IN":
    "once an import, in the index of the hashes: the import has read more of each of these files",
  "SELECT number, id, model_id, revision": "once a state of a draft: it has nearly all entries",
};

const [logo, photo] = [heldAsset("logo", "logo.png", "logo"), heldAsset("photo", "p.png", "photo")];
const FIRST = smallWorkspace({
  previewToken: "of the folder 0123456789",
  features: [{ id: "f", key: "dark", name: "Dark", type: "boolean" }],
  entries: [
    page("home", "Home", { picture: { assetId: "logo" }, next: { contentEntryId: "away" } }),
    page("second", "Second"),
  ],
  assets: [logo.asset, photo.asset],
  files: new Map([logo.file, photo.file]),
});
const CHANGED = smallWorkspace({
  entries: [page("home", "Changed", { picture: { assetId: "photo" } }), page("third", "Third")],
  assets: [{ ...photo.asset, mimeType: "image/webp" }],
  files: new Map([photo.file]),
});
const OTHER = smallWorkspace({
  id: "other",
  entries: [page("away", "Away")],
  projects: [projectOf("elsewhere", "away")],
});

/** Uses a store as all commands and the preview do. */
function useEverything(): TestBed {
  const bed = new TestBed(FIRST, OTHER);
  const { store } = bed;
  const now = new Date();
  const row = () => store.workspace("w");
  const check = () => inStore(store, "w").check({ program: "tests" });
  check();
  bed.publish({ workspace: "other" });
  const { versionId } = bed.publish({ workspace: "w" });
  const earlier = store.read(() => store.draft(row()));
  bed.import(CHANGED);
  check();
  store.read(() => versionSnapshot(store, "w", versionId));
  bed.publish({ workspace: "w", dryRun: true });
  store.write(() => store.history.setClock(row().number, versionId, now.toISOString()));
  bed.publish({ workspace: "w" });
  bed.rollback(versionId.slice(0, 8), "w");
  const hold = { at: now.toISOString(), by: "anna", reason: null };
  store.write(() => store.history.setHold(row().number, hold));
  resume(store, row());
  const more = [{ path: photo.path, sha256: photo.file[0] }];
  store.write(() => store.versions.addFiles(row().number, versionId, more));
  bed.import(FIRST);
  bed.publish({ workspace: "w" });
  bed.import(CHANGED);
  bed.publish({ workspace: "w", keep: 1 });
  bed.write("w");
  bed.render("published", { kind: "schema", projectId: "site" }, "w");
  const address = { kind: "content", projectId: "site", experienceId: "home" } as const;
  bed.render("preview", address, "w");

  const { number } = row();
  const draft = store.read(() => store.draft(row(), earlier));
  store.read(() => [
    [...entriesInOrder(draft), draft.fileBytes(photo.file[0])],
    [draft.isForeignEntry("away"), draft.projects],
  ]);
  store.workspaceOfProject("site");
  store.draftFile(photo.path);
  store.history.list(number);
  store.history.journal(number);
  const { record } = store.tokens.create(number, { name: "t", createdAt: now });
  store.tokens.of(number).isValid("no", now);
  store.tokens.list(number);
  store.tokens.valid(number, now);
  store.tokens.revoke(number, record.id);
  return bed;
}

/** The scans of a statement, except those of small tables and temporary results. */
function scans(database: Database.Database, sql: string): string[] {
  const names = [...sql.matchAll(/:(\w+)/g)].map(([, name]) => [name, null]);
  const values = names.length > 0 ? [Object.fromEntries(names)] : (sql.match(/\?/g) ?? []);
  return database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values.map((value) => (value === "?" ? null : value)))
    .map(({ detail }) => detail)
    .filter((detail) => {
      const [, table = ""] = /^SCAN (\w+)/.exec(detail) ?? [];
      const isSmall = ["CONSTANT", "json_each", ...SMALL].includes(table);
      return (table !== "" && !isSmall) || detail.includes("AUTOMATIC");
    });
}

it("every statement of the store uses an index, except those that need all rows", () => {
  const made = statementsFromNowOn();
  const bed = useEverything();
  const reached = new Set([...made.values()].flatMap((lines) => [...lines]));
  expect(
    places().filter((place) => !reached.has(place)),
    "statements that this test does not run",
  ).toEqual([]);

  const database = new Database(bed.store.file, { readonly: true });
  onTestFinished(() => void database.close());
  const found = [...made.keys()]
    .filter((sql) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(sql))
    .map((sql) => ({ sql: sql.replace(/\s+/g, " ").trim(), scans: scans(database, sql) }))
    .filter(({ scans }) => scans.length > 0);
  const beginnings = Object.keys(EXCEPTIONS);
  const isExcepted = (sql: string) => beginnings.some((beginning) => sql.startsWith(beginning));
  expect(found.filter(({ sql }) => !isExcepted(sql))).toEqual([]);
  expect(
    beginnings.filter((beginning) => !found.some(({ sql }) => sql.startsWith(beginning))),
    "unused exceptions",
  ).toEqual([]);
});
