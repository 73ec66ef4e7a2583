import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { current, refusal } from "../support/publish/published-versions.ts";
import { checked, published } from "../support/publish/publishing.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const CONTENT = "api/v1/projects/site/experiences/home/content.json";

function damage(bed: TestBed, sql: string, ...values: readonly unknown[]): void {
  const database = new Database(bed.store.file);
  database.function("altered", altered as (bytes: unknown) => Buffer);
  database.prepare(sql).run(...values);
  database.close();
}

/** Valid compressed data with other bytes: SQLite and zstd find no error. */
function altered(packed: Uint8Array): Buffer {
  const bytes = zstdDecompressSync(packed);
  const at = bytes.length >> 1;
  if (bytes.length > 0) bytes[at] = (bytes[at] as number) ^ 1;
  return zstdCompressSync(bytes);
}

/** Pages with a reference to the next one; each has an experience. */
function chain(title: string) {
  const ids = ["home", "e1", "e2", "e3", "e4", "e5", "e6"];
  return smallWorkspace({
    projects: [projectOf("site", ...ids)],
    entries: ids.map((id, at) =>
      page(id, id === "home" ? title : "Page", { next: { contentEntryId: ids[at + 1] ?? "gone" } }),
    ),
  });
}

/** Two pages that share nothing. */
function pages(title: string) {
  return smallWorkspace({
    projects: [projectOf("site", "home", "about")],
    entries: [page("home", title), page("about", "About")],
    assets: [heldAsset("logo", "logo.png", "a logo").asset],
    files: new Map([heldAsset("logo", "logo.png", "a logo").file]),
  });
}

/** Damages to the cached outcome. */
const DAMAGES = {
  "is missing": "DELETE FROM outcomes",
  "has a wrong check": "UPDATE outcomes SET row_check = row_check + 1",
  "has lost bytes": "UPDATE outcomes SET outcome = substr(outcome, 1, length(outcome) - 1)",
  "has other bytes": "UPDATE outcomes SET outcome = altered(outcome)",
  "is empty": "UPDATE outcomes SET outcome = x''",
  "is that of another workspace": "UPDATE OR REPLACE outcomes SET workspace = 2",
} as const;

/** How many entries `chain` has. */
const ALL = 7;

describe("R10: the cached outcome of a store changes no result", () => {
  it.each(Object.entries(DAMAGES))("R10: when it %s", (_what, sql) => {
    const bed = new TestBed(chain("Home"), { id: "second" });
    const { rendered, ...outcome } = published(bed, "p");
    expect(rendered).toBe(ALL);
    expect(published(bed, "p")).toEqual({ ...outcome, rendered: 0 });
    const files = bytesBelow(bed.out);
    for (const work of [() => published(bed, "p"), () => checked(bed, "p")]) {
      damage(bed, sql);
      expect(work()).toMatchObject({ problems: outcome.problems, rendered: ALL });
      expect(bytesBelow(bed.out)).toEqual(files);
    }
  });

  it("R10: another program does not use it, nor one without a fingerprint", () => {
    const bed = new TestBed(chain("Home"));
    const rendered = (program?: string) => published(bed, program).rendered;
    expect(["p", "p", "q", undefined, "q", "p"].map(rendered)).toEqual([ALL, 0, ALL, ALL, 0, ALL]);
  });

  it("R10: a check uses it too, and makes none", () => {
    const bed = new TestBed(chain("Home"));
    expect(checked(bed, "p").rendered).toBe(ALL);
    expect(checked(bed, "p").rendered).toBe(ALL);
    expect(published(bed, "p").rendered).toBe(ALL);
    expect(checked(bed, "p").rendered).toBe(0);
    expect(published(bed, "p").rendered).toBe(0);
    bed.import(chain("Edited"));
    expect(checked(bed, "p").rendered).toBe(ALL);
    expect(published(bed, "p").rendered).toBe(ALL);
  });
});

/** A copy of a store in which an index lacks its last row, which SQLite does not detect. */
function withoutIndexed(file: string, index: string): string {
  const copy = `${file}-${index}`;
  const database = new Database(file);
  database.pragma("wal_checkpoint(TRUNCATE)");
  const size = database.pragma("page_size", { simple: true }) as number;
  const root = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck();
  const page = ((root.get(index) as number) - 1) * size;
  database.close();
  const bytes = readFileSync(file);
  bytes.writeUInt16BE(bytes.readUInt16BE(page + 3) - 1, page + 3);
  writeFileSync(copy, bytes);
  return copy;
}

describe("a publish checks the store and out/", () => {
  it.each(["records_by_id", "entries_by_id", "assets_by_id"])(
    "R1: a row missing in the index %s is reported, also after a small edit",
    (index) => {
      const bed = new TestBed(pages("Home"));
      published(bed);
      bed.import(pages("Edited"));
      const files = bytesBelow(bed.out);
      const store = openStore(withoutIndexed(bed.store.file, index));
      onTestFinished(() => store.close());
      expect(published({ ...bed, store })).toMatchObject({ code: "store-damaged" });
      expect(bytesBelow(bed.out)).toEqual(files);
    },
  );

  it("F3: a pipe in place of an empty file is replaced", () => {
    const { asset, file, path } = heldAsset("logo", "logo.png", "");
    const entries = [page("home", "Home", { picture: { assetId: "logo" } })];
    const bed = new TestBed(smallWorkspace({ entries, assets: [asset], files: new Map([file]) }));
    bed.publish();
    const files = bytesBelow(bed.out);
    rmSync(join(bed.out, path));
    execFileSync("mkfifo", [join(bed.out, path)]);
    expect(bed.publish().files.written).toBe(1);
    expect(bytesBelow(bed.out)).toEqual(files);
  });

  it("R1: missing documents of a version are reported, also when nothing is to be written", () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.publish();
    damage(bed, "DELETE FROM version_documents");
    const damaged = expect.objectContaining({ code: "store-damaged" });
    expect(() => bed.publish()).toThrow(damaged);
    expect(() => bed.write()).toThrow(damaged);
  });

  it("R3: a damaged document of an earlier version does not affect the next", () => {
    const bed = new TestBed(pages("Home"));
    published(bed);
    damage(bed, "UPDATE documents SET bytes = altered(bytes)");
    bed.import(pages("Edited"));
    expect(published(bed)).toMatchObject({ problems: [] });
    const wanted = new TestBed(pages("Edited"));
    wanted.publish();
    expect(bytesBelow(bed.out)).toEqual(bytesBelow(wanted.out));
  });

  it.each([
    ["document", "UPDATE documents SET bytes = altered(bytes) WHERE number = 1"],
    ["file", "UPDATE files SET bytes = x'00'"],
  ])("R6b: a rollback to a version with a damaged %s changes nothing", (_what, sql) => {
    const { asset, file } = heldAsset("logo", "logo.png", "bytes of a logo");
    const picture = { picture: { assetId: "logo" } };
    const held = { assets: [asset], files: new Map([file]) };
    const bed = new TestBed(smallWorkspace({ ...held, entries: [page("home", "One", picture)] }));
    const { versionId } = bed.publish();
    bed.import(pages("Two"));
    const { versionId: second } = bed.publish({ maxRemovals: { percent: 100 } });
    damage(bed, sql);
    expect(refusal(bed, () => bed.rollback(versionId)).code).toBe("store-damaged");
    expect(current(bed)).toBe(second);
  });

  it("F3: a write reads of the store only the documents that out/ lacks", () => {
    const bed = new TestBed(pages("Home"));
    bed.publish();
    damage(bed, "UPDATE documents SET bytes = x''");
    expect(bed.write().files.written).toBe(0);
    rmSync(join(bed.out, CONTENT));
    expect(() => bed.write()).toThrow(expect.objectContaining({ code: "store-damaged" }));
  });

  it("F3: a folder of out/ that was replaced by a link is refused", () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.publish();
    renameSync(join(bed.out, "api/v1"), join(bed.folder, "elsewhere"));
    symlinkSync(join(bed.folder, "elsewhere"), join(bed.out, "api/v1"));
    const obstructed = expect.objectContaining({ code: "out-obstructed" });
    expect(() => bed.publish()).toThrow(obstructed);
    expect(() => bed.write()).toThrow(obstructed);
  });

  it("R1: an asset whose file is added later is published, though no document changes", () => {
    const { asset, file, path } = heldAsset("logo", "logo.png", "a logo");
    const { sha256: _held, ...byUrl } = asset;
    const entries = [page("home", "Home", { picture: { assetId: "logo" } })];
    const url = `https://cdn.example/${path}`;
    const base = { assetBaseUrl: "https://cdn.example", entries };
    const bed = new TestBed(smallWorkspace({ ...base, assets: [{ ...byUrl, url }] }));
    const { versionId } = bed.publish();
    expect(bytesBelow(bed.out)[path]).toBeUndefined();
    bed.import(smallWorkspace({ ...base, assets: [asset], files: new Map([file]) }));
    expect(bed.publish()).toMatchObject({ versionId, published: false, files: { written: 2 } });
    expect(bytesBelow(bed.out)[path]).toBe("a logo");
    expect(bed.verify().ok).toBe(true);
  });
});
