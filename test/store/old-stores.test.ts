import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { publish, write } from "../../src/publish/publish.ts";
import { rollback } from "../../src/publish/rollback.ts";
import { verify } from "../../src/publish/verify.ts";
import { STORE_VERSION } from "../../src/store/migrations.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { CliBed } from "../support/cli.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { columnsOf, rowsOf } from "../support/store-columns.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const STORES = join(import.meta.dirname, "..", "..", "fixtures", "stores");
const FORMS = readdirSync(STORES).filter((name) => name.startsWith("form-"));
const SCHEMA = "api/v1/projects/site/schema.json";
const WORKSPACE = "starter";

/** What a former program wrote to a folder beside its store: the files of one version. */
function published(form: string, folder: string) {
  const files = bytesBelow(join(STORES, form, folder));
  const { versionId } = JSON.parse(files["manifest.json"] ?? "").workspaces[WORKSPACE];
  return { files, versionId: versionId as string };
}

/** Copies the store as it was left, to open the copy. */
function copyOf(form: string): string {
  const file = join(temporaryFolder(), "workspace.db");
  copyFileSync(join(STORES, form, "workspace.db"), file);
  return file;
}

function opened(form: string): { store: Store; out: string } {
  const file = copyOf(form);
  const store = openStore(file);
  onTestFinished(() => store.close());
  return { store, out: join(file, "..", "out") };
}

const how = () => ({ strict: false, keep: 20, now: new Date(), onProgress: () => {} });

it("issue 3, 6: there is a store of each form that a program has written", () => {
  const forms = Array.from({ length: STORE_VERSION }, (_, index) => `form-${index + 1}`);
  expect(FORMS.toSorted()).toEqual(forms);
});

describe.each(FORMS)("issue 3, 6: a store of %s", { timeout: 60_000 }, (form) => {
  const before = published(form, "before-text-flags");
  const after = published(form, "with-text-flags");

  it("opens, is brought to the form of today, and keeps every row of every table", () => {
    const file = copyOf(form);
    // What follows from the frozen bytes is not held any more.
    const { version_documents, ...others } = columnsOf(file);
    const kept = ["workspace", "version", "path", "document"];
    expect(version_documents).toEqual(expect.arrayContaining(kept));
    const columns = { ...others, version_documents: kept };
    const rows = rowsOf(file, columns);
    expect(rows.versions).toHaveLength(2);
    expect(Object.values(rows).flat().length).toBeGreaterThan(20);
    openStore(file).close();
    expect(rowsOf(file, columns)).toEqual(rows);
    const database = new Database(file, { readonly: true });
    expect(database.pragma("user_version", { simple: true })).toBe(STORE_VERSION);
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(database.pragma("foreign_key_check")).toEqual([]);
    database.close();
  });

  it("is brought to that form once: opened again, nothing changes", () => {
    const file = copyOf(form);
    openStore(file).close();
    const rows = rowsOf(file, columnsOf(file));
    openStore(file).close();
    expect(rowsOf(file, columnsOf(file))).toEqual(rows);
  });

  it("R3: writes the current version exactly as the former program published it", () => {
    const { store, out } = opened(form);
    const { versionId } = write(store, store.workspace(WORKSPACE), out, { onProgress: () => {} });
    expect(versionId).toBe(before.versionId);
    expect(bytesBelow(out)).toEqual(before.files);
    expect(verify(out, () => {})).toMatchObject({ ok: true });
  });

  it("R3: rolls back to the other version, exactly as the former program published it", () => {
    const { store, out } = opened(form);
    const workspace = store.workspace(WORKSPACE);
    write(store, workspace, out, { onProgress: () => {} });
    const told = rollback(store, workspace, after.versionId.slice(0, 8), out, how());
    expect(told).toMatchObject({ from: before.versionId, versionId: after.versionId });
    expect(bytesBelow(out)).toEqual(after.files);
    rollback(store, workspace, before.versionId, out, how());
    expect(bytesBelow(out)).toEqual(before.files);
  });

  it("keeps a schema from before Text flags as it was, though the draft has a Text flag", () => {
    const { store, out } = opened(form);
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

  it("knows both versions, with the times at which they were published, newest first", () => {
    const { store } = opened(form);
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

describe.each(FORMS)("issue 3, 6: a store of %s, on the command line", (form) => {
  it("is checked, compared, published, listed and exported", { timeout: 60_000 }, () => {
    const bed = new CliBed();
    copyFileSync(join(STORES, form, "workspace.db"), bed.path("workspace.db"));
    expect(bed.json(0, "check")).toEqual({ problems: [] });
    const { journal } = bed.json(0, "versions");
    expect(bed.ok("diff").stdout).toContain("homeLayout");

    const { versionId } = bed.json(0, "publish");
    const { versions, ...listed } = bed.json(0, "versions");
    expect(listed).toMatchObject({ workspaceId: WORKSPACE, current: versionId });
    expect(versions[0]).toMatchObject({ versionId });
    expect(listed.journal.slice(1)).toEqual(journal);
    expect(listed.journal[0]).toMatchObject({
      from: published(form, "before-text-flags").versionId,
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
