import { chmodSync, copyFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { contentHash, copyStore, replaceStore } from "../../src/store/copy-store.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const HOME = smallWorkspace({ entries: [page("home", "Home")] });
const OTHER = smallWorkspace({ entries: [page("home", "Other")] });
const photo = heldAsset("photo", "photo.png", "a photo");

it("R14a: the content hash changes with each change of content, not with caches", () => {
  const bed = new TestBed(HOME);
  const { file, tokens, history } = bed.store;
  const create = () => tokens.create(1, { name: "alice", createdAt: new Date() });
  const changes = [
    () => bed.import(OTHER),
    () => bed.import({ ...OTHER, name: "Renamed" }),
    () => bed.import({ ...OTHER, assets: [photo.asset], files: new Map([photo.file]) }),
    () => bed.publish(),
    () => bed.import(HOME),
    () => bed.publish({ keep: 1 }),
    () => bed.import(OTHER),
    () => bed.publish(),
    () => bed.rollback(history.list(1)[1]?.versionId ?? ""),
    create,
    create,
    () => tokens.revoke(1, tokens.list(1)[0]?.id ?? ""),
    () => history.setClock(1, history.current(1) ?? "", "2026-02-01T00:00:00.000Z"),
  ];
  for (const change of changes) {
    const before = contentHash(file);
    change();
    expect(contentHash(file), String(change)).not.toBe(before);
  }
  const before = contentHash(file);
  bed.publish({ dryRun: true });
  bed.write();
  bed.import(OTHER);
  expect(contentHash(file)).toBe(before);
});

it("R13: a copy has the content of the store, its permissions, and nothing of what was deleted", () => {
  const bed = new TestBed(smallWorkspace({ entries: [page("home", "A secret of a draft")] }));
  bed.import(HOME);
  const copy = join(bed.folder, "copy.db");
  const held = ["", "-wal"].map((suffix) => readFileSync(bed.store.file + suffix, "latin1"));
  expect(held.join()).toContain("A secret of a draft");
  chmodSync(bed.store.file, 0o600);
  expect(copyStore(bed.store.file, copy)).toBe(contentHash(bed.store.file));
  expect(contentHash(copy)).toBe(contentHash(bed.store.file));
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(readFileSync(copy, "latin1")).toContain('"Home"');
  expect(readFileSync(copy, "latin1")).not.toContain("A secret of a draft");
  expect(() => copyStore(bed.store.file, copy), "never over another file").toThrow("EEXIST");
});

it("R14: who has opened a store before it is replaced cannot write to the old file afterwards", async () => {
  const bed = new TestBed(HOME);
  const { file } = bed.store;
  const by = join(bed.folder, "by.db");
  copyStore(file, by);
  const hash = contentHash(by);
  bed.import(OTHER);
  bed.store.close();
  const late = new Database(file, { timeout: 0 });
  onTestFinished(() => void late.close());
  let waits = "";
  await replaceStore(file, by, () => {
    try {
      late.pragma("user_version");
    } catch (error) {
      waits = (error as { code: string }).code;
    }
  });
  expect(waits).toBe("SQLITE_BUSY");
  expect(() => late.pragma("journal_mode = WAL")).toThrow(/readonly/);
  expect(contentHash(file)).toBe(hash);
  expect(existsSync(by)).toBe(false);
});

it("R14: a replacement that is refused changes no byte of content, and leaves the store usable", async () => {
  const bed = new TestBed(HOME);
  const { file } = bed.store;
  const by = join(bed.folder, "by.db");
  bed.store.close();
  copyFileSync(file, by);
  const hash = contentHash(file);
  const refuse = () => {
    throw new Error("refused by the test");
  };
  await expect(replaceStore(file, by, refuse)).rejects.toThrow("refused by the test");
  expect(contentHash(file)).toBe(hash);
  expect(existsSync(by)).toBe(true);
  expect(existsSync(`${file}-journal`)).toBe(false);
});
