import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { publish, write } from "../../src/publish/publish.ts";
import { rollback } from "../../src/publish/rollback.ts";
import { verify } from "../../src/publish/verify.ts";
import { SCHEMA_VERSION } from "../../src/store/migrations.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { CliBed } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { storedDocuments } from "../support/publish/stored-documents.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { columnsOf, rowsOf } from "./store-columns.ts";

const STORES = join(import.meta.dirname, "..", "..", "fixtures", "stores");
const FIXTURES = readdirSync(STORES).filter((name) => name.startsWith("form-"));
const SCHEMA = "api/v1/projects/site/schema.json";
const WORKSPACE = "starter";

/** The files of one version, as an earlier program published them. */
function published(fixture: string, folder: string) {
  const files = bytesBelow(join(STORES, fixture, folder));
  const { versionId } = JSON.parse(files["manifest.json"] ?? "").workspaces[WORKSPACE];
  return { files, versionId: versionId as string };
}

/** Opening a store may migrate it, so tests open a copy. */
function copyOf(fixture: string): string {
  const file = join(temporaryFolder(), "workspace.db");
  copyFileSync(join(STORES, fixture, "workspace.db"), file);
  return file;
}

function opened(fixture: string): { store: Store; out: string } {
  const file = copyOf(fixture);
  const store = openStore(file);
  onTestFinished(() => store.close());
  return { store, out: join(file, "..", "out") };
}

/** Tables changed by schema version 4: documents are recipes, versions have numbers; and caches. */
const CHANGED = [
  ...["documents", "version_documents", "version_files"],
  ...["document_entries", "last_renderings"],
];

/** Adds rows that the fixtures lack: a token, another workspace, a document at two paths. */
function addRows(file: string): void {
  const database = new Database(file);
  const run = (sql: string, values: Readonly<Record<string, unknown>> = {}) => {
    const { changes } = database.prepare(sql).run(values);
    expect(changes, sql).toBeGreaterThan(0);
  };
  /** Copies rows, with other values in some columns. */
  const copy = (
    table: string,
    where: string,
    others: Readonly<Record<string, string | number>>,
  ) => {
    const columns = columnsOf(file)[table] ?? [];
    const values = columns.map((column) => (column in others ? `:${column}` : column));
    run(`INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table} WHERE ${where}`, others);
  };
  database.pragma("foreign_keys = OFF");
  const workspace = 100;
  copy("workspaces", "number = 1", { number: workspace, id: "another", revision: 7 });
  for (const table of ["entries", "assets", "draft_files"]) copy(table, "true", { workspace });
  copy("records", "kind <> 'projects'", { workspace });
  const id = "of-another";
  copy("versions", "id = (SELECT min(id) FROM versions)", { workspace, id });
  const elsewhere = { workspace, version: id, path: "api/v1/projects/else/index.json" };
  copy(
    "version_documents",
    "document = (SELECT min(document) FROM version_documents) LIMIT 1",
    elsewhere,
  );
  const there = { ...elsewhere, path: "assets/0/else.png" };
  copy("version_files", "true LIMIT 1", there);
  run(
    `INSERT INTO tokens (id, workspace, name, sha256, origin, created_at, expires_at)
     VALUES ('t1', 1, 'A token', 'ab', 'command', '2026-01-01T00:00:00Z', NULL)`,
  );
  database.close();
}

/** Versions with the bytes of their documents, in schema versions 1 to 3. */
function frozenBefore(file: string) {
  return frozenBy(
    file,
    `SELECT workspace, version, path, bytes FROM version_documents
     JOIN documents ON number = document`,
    "SELECT workspace, version, path, sha256 FROM version_files",
  );
}

/** The same in the current schema version. */
function frozenNow(file: string) {
  const bytes = new Map(storedDocuments(file).map(({ number, frozen }) => [number, frozen]));
  const { documents, files } = frozenBy(
    file,
    `SELECT workspace, id, path, document FROM version_documents
     JOIN versions ON versions.number = version JOIN documents ON documents.number = document`,
    `SELECT workspace, id, path, sha256 FROM version_files
     JOIN versions ON versions.number = version`,
  );
  const frozen = documents.map((row) => [...row.slice(0, 3), bytes.get(row[3] as number)]);
  return { documents: frozen, files };
}

function frozenBy(file: string, documents: string, files: string) {
  const database = new Database(file, { readonly: true });
  const rows = (sql: string) =>
    database.prepare(`${sql} ORDER BY 1, 2, 3`).raw().all() as unknown[][];
  const frozen = { documents: rows(documents), files: rows(files) };
  database.close();
  return frozen;
}

const how = () => ({ strict: false, keep: 20, now: new Date(), onProgress: () => {} });

it("R9: there is a store of each schema version", () => {
  const fixtures = Array.from({ length: SCHEMA_VERSION }, (_, index) => `form-${index + 1}`);
  expect(FIXTURES.toSorted()).toEqual(fixtures);
});

describe.each(FIXTURES)("R9: a store of an earlier program: %s", { timeout: 60_000 }, (fixture) => {
  const before = published(fixture, "before-text-flags");
  const after = published(fixture, "with-text-flags");

  it("is migrated to the current schema version, and keeps every row of every table", () => {
    const file = copyOf(fixture);
    const hasBytes = columnsOf(file).documents?.includes("bytes");
    if (hasBytes) addRows(file);
    const columns = Object.fromEntries(
      Object.entries(columnsOf(file)).filter(([table]) => !hasBytes || !CHANGED.includes(table)),
    );
    const rows = rowsOf(file, columns);
    const frozen = hasBytes ? frozenBefore(file) : frozenNow(file);
    expect(rows.versions).toHaveLength(hasBytes ? 3 : 2);
    expect(rows.tokens).toHaveLength(hasBytes ? 1 : 0);
    expect(frozen.documents).toHaveLength(hasBytes ? 7 : 6);
    expect(frozen.files).toHaveLength(hasBytes ? 3 : 2);
    expect(Object.values(rows).flat().length).toBeGreaterThan(20);
    openStore(file).close();
    expect(rowsOf(file, columns)).toEqual(rows);
    expect(frozenNow(file)).toEqual(frozen);
    const database = new Database(file, { readonly: true });
    expect(database.pragma("user_version", { simple: true })).toBe(SCHEMA_VERSION);
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(database.pragma("foreign_key_check")).toEqual([]);
    database.close();
  });

  it("is migrated once: opened again, nothing changes", () => {
    const file = copyOf(fixture);
    openStore(file).close();
    const rows = rowsOf(file, columnsOf(file));
    openStore(file).close();
    expect(rowsOf(file, columnsOf(file))).toEqual(rows);
  });

  it("R3: writes the current version exactly as the earlier program published it", () => {
    const { store, out } = opened(fixture);
    const { versionId } = write(store, store.workspace(WORKSPACE), out, { onProgress: () => {} });
    expect(versionId).toBe(before.versionId);
    expect(bytesBelow(out)).toEqual(before.files);
    expect(verify(out, () => {})).toMatchObject({ ok: true });
  });

  it("R3: rolls back to the other version, exactly as the earlier program published it", () => {
    const { store, out } = opened(fixture);
    const workspace = store.workspace(WORKSPACE);
    write(store, workspace, out, { onProgress: () => {} });
    const rolledBack = rollback(store, workspace, after.versionId.slice(0, 8), out, how());
    expect(rolledBack).toMatchObject({ from: before.versionId, versionId: after.versionId });
    expect(bytesBelow(out)).toEqual(after.files);
    rollback(store, workspace, before.versionId, out, how());
    expect(bytesBelow(out)).toEqual(before.files);
  });

  it("keeps a schema document without Text flags when the draft has a Text flag", () => {
    const { store, out } = opened(fixture);
    const [flag] = store.read(() =>
      store.draft(store.workspace(WORKSPACE)).features.filter(({ type }) => type === "text"),
    );
    expect(flag?.key).toBe("homeLayout");
    write(store, store.workspace(WORKSPACE), out, { onProgress: () => {} });
    const served = readFileSync(join(out, SCHEMA), "utf8");
    expect(served).not.toContain("x-svc-feature-values");
    expect(after.files[SCHEMA]).toContain("x-svc-feature-values");
    expect(after.files[SCHEMA]).toContain("homeLayout");
  });

  it("lists both versions with their times, newest first", () => {
    const { store } = opened(fixture);
    const { number } = store.workspace(WORKSPACE);
    const versions = store.history.list(number);
    expect(new Set(versions.map(({ versionId }) => versionId))).toEqual(
      new Set([before.versionId, after.versionId]),
    );
    const times = versions.map(({ publishedAt }) => publishedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(store.history.current(number)).toBe(before.versionId);
  });
});

describe.each(FIXTURES)("R9: a store of an earlier program on the command line: %s", (fixture) => {
  it("is checked, compared, published, listed and exported", { timeout: 60_000 }, () => {
    const bed = new CliBed();
    copyFileSync(join(STORES, fixture, "workspace.db"), bed.path("workspace.db"));
    expect(bed.json(0, "check").problems).toEqual([]);
    const { journal } = bed.json(0, "versions");
    expect(bed.ok("diff").stdout).toContain("homeLayout");

    const { versionId } = bed.json(0, "publish");
    const { versions, ...listed } = bed.json(0, "versions");
    expect(listed).toMatchObject({ workspaceId: WORKSPACE, current: versionId });
    expect(versions[0]).toMatchObject({ versionId });
    expect(listed.journal.slice(1)).toEqual(journal);
    expect(listed.journal[0]).toMatchObject({
      from: published(fixture, "before-text-flags").versionId,
    });
    expect(verify(bed.path("out"), () => {})).toMatchObject({ ok: true });

    bed.ok("export", "exported");
    const store = openStore(bed.path("again.db"), { create: true });
    onTestFinished(() => store.close());
    store.import(readFolder(bed.path("exported")), new Date());
    const again = publish(store, store.workspace(WORKSPACE), bed.path("again"), how());
    expect(again.versionId).toBe(versionId);
    expect(bytesBelow(bed.path("again"))).toEqual(bytesBelow(bed.path("out")));
  });
});
