import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { bytesBelow, statesBelow } from "../support/file-tree.ts";
import { checked, published } from "../support/publish/publishing.ts";
import { rewriteRendering } from "../support/publish/rewrite-rendering.ts";
import { storedTexts } from "../support/publish/stored-documents.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import { inStore } from "../support/publish/draft-source.ts";

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

function partsOf(bed: TestBed): string[] {
  const database = new Database(bed.store.file);
  const parts = database.prepare<unknown[], string>("SELECT part FROM renderings").pluck().all();
  database.close();
  return parts;
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
function pages(title: string, next?: string) {
  const more = next === undefined ? {} : { next: { contentEntryId: next } };
  return smallWorkspace({
    projects: [projectOf("site", "home", "about")],
    entries: [page("home", title), page("about", "About", more)],
    assets: [heldAsset("logo", "logo.png", "a logo").asset],
    files: new Map([heldAsset("logo", "logo.png", "a logo").file]),
  });
}

/** Damages to a part of a cached rendering. */
const DAMAGES = {
  "is missing": "DELETE FROM renderings WHERE part = ?",
  "has a wrong check": "UPDATE renderings SET row_check = row_check + 1 WHERE part = ?",
  "has lost bytes":
    "UPDATE renderings SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE part = ?",
  "has other bytes": "UPDATE renderings SET bytes = altered(bytes) WHERE part = ?",
  "is empty": "UPDATE renderings SET bytes = x'' WHERE part = ?",
  "is that of another workspace": "UPDATE OR REPLACE renderings SET workspace = 2 WHERE part = ?",
} as const;

describe("R10: the rendering cache changes no result", { timeout: 30_000 }, () => {
  it.each(Object.entries(DAMAGES))("when a part %s", (_what, sql) => {
    const bed = new TestBed(chain("Home"), { id: "second" });
    published(bed);
    const drafts = ["Edited", "Home"].map((title) => {
      const fresh = new TestBed(chain(title));
      const { served: _served, ...outcome } = published(fresh);
      return { title, outcome, files: bytesBelow(fresh.out) };
    });
    const parts = partsOf(bed);
    expect(parts.length).toBeGreaterThan(5);
    for (const [at, part] of parts.entries()) {
      const draft = drafts[at % 2];
      bed.import(chain(draft?.title ?? ""));
      damage(bed, sql, part);
      expect(published(bed), part).toMatchObject(draft?.outcome ?? {});
      expect(bytesBelow(bed.out), part).toEqual(draft?.files);
      damage(bed, sql, part);
      expect(checked(bed).problems, part).toEqual(draft?.outcome.problems);
    }
  });

  it.each(["outlines", "problems"])("another program does not use it: %s", (part) => {
    // A problem that only the earlier program has found.
    const found = { level: "warning", code: "found", message: "", place: {}, args: {} };
    for (const program of ["p", "another program"]) {
      const bed = new TestBed(pages("Home", "gone"));
      published(bed);
      const { problems = [] } = published(bed);
      expect(problems).toHaveLength(1);
      rewriteRendering(bed, part, (text) =>
        part === "outlines"
          ? text.replaceAll(
              '"problems":[]',
              `"problems":[${JSON.stringify({ ...problems[0], ...found })}]`,
            )
          : text.replaceAll('"code":"', '"code":"found-'),
      );
      bed.import(pages("Edited", "gone"));
      const codes = published(bed, program).problems?.map(({ code }) => code) ?? [];
      const isUsed = codes.some((code) => code.startsWith("found"));
      expect(isUsed).toBe(program === "p");
    }
  });

  it("when all of it is missing, an edit is published", () => {
    const bed = new TestBed(chain("Home"));
    published(bed);
    damage(bed, "DELETE FROM renderings");
    bed.import(chain("Edited"));
    expect(published(bed).served).toBe(7);
    expect(readFileSync(join(bed.out, CONTENT), "utf8")).toContain("Edited");
  });

  it("a damaged entry is reported when it is rendered again; until then the cache is used", () => {
    const bed = new TestBed(chain("Home"));
    published(bed);
    bed.import(chain("Edited"));
    damage(bed, "UPDATE entries SET data = replace(data, 'Page', 'Pagf') WHERE id = 'e6'");
    const wanted = new TestBed(chain("Edited"));
    published(wanted);
    published(bed);
    expect(bytesBelow(bed.out)).toEqual(bytesBelow(wanted.out));
    expect(published(bed, "another program")).toMatchObject({ code: "store-damaged" });
    // An import writes the rows that differ.
    bed.import(chain("Edited"));
    expect(published(bed, "another program")).toMatchObject({ served: 7 });
  });

  it("a damaged text is reported and never served", () => {
    const bed = new TestBed(chain("Home"));
    published(bed);
    damage(bed, "UPDATE packs SET bytes = substr(bytes, 1, length(bytes) - 1)");
    bed.import(chain("Edited"));
    const store = openStore(bed.store.file);
    onTestFinished(() => store.close());
    expect(published({ ...bed, store })).toMatchObject({ code: "store-damaged" });
    expect(readFileSync(join(bed.out, CONTENT), "utf8")).toContain("Home");
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
  it.each(["records_by_id", "entries_by_id", "entries_by_revision", "assets_by_id"])(
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

  it("a file changed by another program during a publish is repaired by the next write", () => {
    const bed = new TestBed(smallWorkspace());
    const file = join(bed.out, CONTENT);
    const onProgress = (done: number, total: number, what: string) => {
      if (what !== "files written" || done !== total - 1) return;
      writeFileSync(file, readFileSync(file, "utf8").replace("Home", "Hole"));
    };
    const how = { strict: false, now: new Date(), onProgress };
    publish(inStore(bed.store, "w"), bed.out, how);
    expect(bed.write().files.written).toBe(1);
    expect(bed.verify().ok).toBe(true);
  });

  it("R3: a damaged recipe of an earlier version does not affect the next, and no text is deleted", () => {
    const bed = new TestBed(pages("Home"));
    published(bed);
    bed.import(pages("Edited"));
    published(bed);
    const first = "(SELECT min(number) FROM documents WHERE recipe LIKE '%[%')";
    damage(bed, `UPDATE documents SET recipe = substr(recipe, 2) WHERE number = ${first}`);
    const texts = storedTexts(bed.store.file);
    // The text of the first of these is no longer used.
    for (const title of ["Edited again", "Edited a third time"]) {
      bed.import(pages(title));
      expect(checked(bed)).toMatchObject({ problems: [] });
    }
    expect(published(bed)).toMatchObject({ problems: [] });
    expect(storedTexts(bed.store.file)).toEqual(expect.arrayContaining(texts));
  });

  it("F3: a document in which only the version id changes is read from its file, not from texts", () => {
    for (const isThere of [true, false]) {
      const bed = new TestBed(pages("Home"));
      published(bed);
      damage(bed, "UPDATE packs SET bytes = x''");
      bed.import(pages("Edited"));
      if (!isThere) rmSync(join(bed.out, CONTENT.replace("home", "about")));
      const wanted = new TestBed(pages("Edited"));
      wanted.publish();
      // A new connection, which has no text in memory.
      const store = openStore(bed.store.file);
      onTestFinished(() => store.close());
      const { code } = published({ ...bed, store });
      expect(code).toBe(isThere ? undefined : "store-damaged");
      if (isThere) expect(bytesBelow(bed.out)).toEqual(bytesBelow(wanted.out));
    }
  });

  it("F3: a changed file is assembled again when the version changes", () => {
    for (const damageFile of [
      (file: string) => writeFileSync(file, readFileSync(file, "utf8").replace("About", "Abour")),
      (file: string) => writeFileSync(file, "x".repeat(statSync(file).size)),
      (file: string) => rmSync(file),
      (file: string) => {
        rmSync(file);
        execFileSync("mkfifo", [file]);
      },
    ]) {
      const bed = new TestBed(pages("Home"));
      bed.publish();
      damageFile(join(bed.out, CONTENT.replace("home", "about")));
      bed.import(pages("Edited"));
      bed.publish();
      const wanted = new TestBed(pages("Edited"));
      wanted.publish();
      expect(bytesBelow(bed.out)).toEqual(bytesBelow(wanted.out));
    }
  });

  it("F3: a folder of out/ that was replaced by a link is refused, also with a stat cache", () => {
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

const TWO_PAGES = smallWorkspace({ entries: [page("home", "Home"), page("about", "About")] });

describe("F3: the stat cache of out/", () => {
  it("a file that was changed with the same size and mtime is written again", () => {
    const bed = new TestBed(TWO_PAGES);
    bed.publish();
    const bytes = bytesBelow(bed.out);
    const file = join(bed.out, CONTENT);
    const { atime, mtime } = statSync(file);
    writeFileSync(file, readFileSync(file, "utf8").replace("Home", "Hole"));
    utimesSync(file, atime, mtime);
    expect(bed.publish().files.written).toBe(1);
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });

  it("a damaged entry is not used, and is replaced", () => {
    const bed = new TestBed(TWO_PAGES);
    bed.publish();
    const states = statesBelow(bed.out);
    damage(bed, "UPDATE out_states SET seen_at = seen_at + 1e9");
    appendFileSync(join(bed.out, CONTENT), "x");
    expect(bed.publish().files.written).toBe(1);
    expect(bed.publish().files.written).toBe(0);
    expect(Object.keys(statesBelow(bed.out))).toEqual(Object.keys(states));
  });
});
