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
import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { bytesBelow, statesBelow } from "../support/file-tree.ts";
import { checked, published } from "../support/publish/publishing.ts";
import { storedTexts } from "../support/publish/stored-documents.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const CONTENT = "api/v1/projects/site/experiences/home/content.json";

function spoil(bed: TestBed, sql: string, ...values: readonly unknown[]): void {
  const database = new Database(bed.store.file);
  database.function("altered", altered as (bytes: unknown) => Buffer);
  database.prepare(sql).run(...values);
  database.close();
}

/** Bytes that are compressed as well, but are others: SQLite and zstd find nothing wrong with them. */
function altered(packed: Uint8Array): Buffer {
  const bytes = zstdDecompressSync(packed);
  const at = bytes.length >> 1;
  if (bytes.length > 0) bytes[at] = (bytes[at] as number) ^ 1;
  return zstdCompressSync(bytes);
}

/** Keeps another text as a part of what a draft was rendered to, as if that had been found. */
function rewrite(bed: TestBed, part: string, change: (text: string) => string): void {
  const database = new Database(bed.store.file);
  const kept = database.prepare("SELECT bytes FROM renderings WHERE part = ?").pluck().get(part);
  const bytes = Buffer.from(change(zstdDecompressSync(kept as Buffer).toString()));
  database
    .prepare("UPDATE renderings SET bytes = ?, row_check = ? WHERE part = ?")
    .run(zstdCompressSync(bytes), crc32(bytes, crc32(part)), part);
  database.close();
}

function partsOf(bed: TestBed): string[] {
  const database = new Database(bed.store.file);
  const parts = database.prepare<unknown[], string>("SELECT part FROM renderings").pluck().all();
  database.close();
  return parts;
}

/** A page that points at the next, and the last at none; each has an experience. */
function chain(title: string) {
  const ids = ["home", "e1", "e2", "e3", "e4", "e5", "e6"];
  return smallWorkspace({
    projects: [projectOf("site", ...ids)],
    entries: ids.map((id, at) =>
      page(id, id === "home" ? title : "Page", { next: { contentEntryId: ids[at + 1] ?? "gone" } }),
    ),
  });
}

/** Two pages that show nothing in common. */
function pages(title: string, next?: string) {
  const more = next === undefined ? {} : { next: { contentEntryId: next } };
  return smallWorkspace({
    projects: [projectOf("site", "home", "about")],
    entries: [page("home", title), page("about", "About", more)],
    assets: [heldAsset("logo", "logo.png", "a logo").asset],
    files: new Map([heldAsset("logo", "logo.png", "a logo").file]),
  });
}

/** By what they do to a part of what is kept of a rendering. */
const DAMAGES = {
  "is gone": "DELETE FROM renderings WHERE part = ?",
  "is not as written": "UPDATE renderings SET row_check = row_check + 1 WHERE part = ?",
  "has lost bytes":
    "UPDATE renderings SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE part = ?",
  "has other bytes": "UPDATE renderings SET bytes = altered(bytes) WHERE part = ?",
  "is empty": "UPDATE renderings SET bytes = x'' WHERE part = ?",
  "is that of another workspace": "UPDATE OR REPLACE renderings SET workspace = 2 WHERE part = ?",
} as const;

describe("R10: what is kept of a rendering spares work, and nothing else", {
  timeout: 30_000,
}, () => {
  it.each(Object.entries(DAMAGES))("a part of it that %s costs time", (_what, damage) => {
    const bed = new TestBed(chain("Home"), { id: "second" });
    published(bed);
    const drafts = ["Edited", "Home"].map((title) => {
      const anew = new TestBed(chain(title));
      const { served: _served, ...outcome } = published(anew);
      return { title, outcome, files: bytesBelow(anew.out) };
    });
    const parts = partsOf(bed);
    expect(parts.length).toBeGreaterThan(5);
    for (const [at, part] of parts.entries()) {
      const draft = drafts[at % 2];
      bed.import(chain(draft?.title ?? ""));
      spoil(bed, damage, part);
      expect(published(bed), part).toMatchObject(draft?.outcome ?? {});
      expect(bytesBelow(bed.out), part).toEqual(draft?.files);
      spoil(bed, damage, part);
      expect(checked(bed).problems, part).toEqual(draft?.outcome.problems);
    }
  });

  it.each(["outlines", "problems"])("another program takes none of it: %s", (part) => {
    // What the earlier program has found and this one would not.
    const found = { level: "warning", code: "found", message: "", place: {}, args: {} };
    for (const program of ["p", "another program"]) {
      const bed = new TestBed(pages("Home", "gone"));
      published(bed);
      const { problems = [] } = published(bed);
      expect(problems).toHaveLength(1);
      rewrite(bed, part, (text) =>
        part === "outlines"
          ? text.replaceAll(
              '"problems":[]',
              `"problems":[${JSON.stringify({ ...problems[0], ...found })}]`,
            )
          : text.replaceAll('"code":"', '"code":"found-'),
      );
      bed.import(pages("Edited", "gone"));
      const codes = published(bed, program).problems?.map(({ code }) => code) ?? [];
      const isTaken = codes.some((code) => code.startsWith("found"));
      expect(isTaken).toBe(program === "p");
    }
  });

  it("all of it is gone: an edit is published all the same", () => {
    const bed = new TestBed(chain("Home"));
    published(bed);
    spoil(bed, "DELETE FROM renderings");
    bed.import(chain("Edited"));
    expect(published(bed).served).toBe(7);
    expect(readFileSync(join(bed.out, CONTENT), "utf8")).toContain("Edited");
  });

  it("a spoiled entry is damage when it is served, and until then is as it was served last", () => {
    const bed = new TestBed(chain("Home"));
    published(bed);
    bed.import(chain("Edited"));
    spoil(bed, "UPDATE entries SET data = replace(data, 'Page', 'Pagf') WHERE id = 'e6'");
    const wanted = new TestBed(chain("Edited"));
    published(wanted);
    published(bed);
    expect(bytesBelow(bed.out)).toEqual(bytesBelow(wanted.out));
    expect(published(bed, "another program")).toMatchObject({ code: "store-damaged" });
    // An import writes what is not as it comes.
    bed.import(chain("Edited"));
    expect(published(bed, "another program")).toMatchObject({ served: 7 });
  });

  it("a spoiled text is damage, and never served", () => {
    const bed = new TestBed(chain("Home"));
    published(bed);
    spoil(bed, "UPDATE packs SET bytes = substr(bytes, 1, length(bytes) - 1)");
    bed.import(chain("Edited"));
    const store = openStore(bed.store.file);
    onTestFinished(() => store.close());
    expect(published({ ...bed, store })).toMatchObject({ code: "store-damaged" });
    expect(readFileSync(join(bed.out, CONTENT), "utf8")).toContain("Home");
  });
});

/** A copy of a store in which an index has lost the last of its rows, which SQLite does not tell. */
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

describe("a publish trusts nothing that may be otherwise", () => {
  it.each(["records_by_id", "entries_by_id", "entries_by_revision", "assets_by_id"])(
    "R1: a row that the index %s has lost is damage, also when little was edited",
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

  it("R1: a version that has lost documents is damage, also when nothing is to be written", () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.publish();
    spoil(bed, "DELETE FROM version_documents");
    const damage = expect.objectContaining({ code: "store-damaged" });
    expect(() => bed.publish()).toThrow(damage);
    expect(() => bed.write()).toThrow(damage);
  });

  it("a file that somebody changes while it is published is mended by the next write", () => {
    const bed = new TestBed(smallWorkspace());
    const file = join(bed.out, CONTENT);
    const onProgress = (done: number, total: number, what: string) => {
      if (what !== "files written" || done !== total - 1) return;
      writeFileSync(file, readFileSync(file, "utf8").replace("Home", "Hole"));
    };
    const how = { strict: false, now: new Date(), onProgress };
    publish(bed.store, bed.store.workspace("w"), bed.out, how);
    expect(bed.write().files.written).toBe(1);
    expect(bed.verify().ok).toBe(true);
  });

  it("R3: a spoiled recipe of an earlier version is none of the next one's, and no text goes", () => {
    const bed = new TestBed(pages("Home"));
    published(bed);
    bed.import(pages("Edited"));
    published(bed);
    const first = "(SELECT min(number) FROM documents WHERE recipe LIKE '%[%')";
    spoil(bed, `UPDATE documents SET recipe = substr(recipe, 2) WHERE number = ${first}`);
    const texts = storedTexts(bed.store.file);
    // The text of the first of these is used by nothing then.
    for (const title of ["Edited again", "Edited a third time"]) {
      bed.import(pages(title));
      expect(checked(bed)).toMatchObject({ problems: [] });
    }
    expect(published(bed)).toMatchObject({ problems: [] });
    expect(storedTexts(bed.store.file)).toEqual(expect.arrayContaining(texts));
  });

  it("F3: what names another version only is taken from its file: no text is read for it", () => {
    for (const isThere of [true, false]) {
      const bed = new TestBed(pages("Home"));
      published(bed);
      spoil(bed, "UPDATE packs SET bytes = x''");
      bed.import(pages("Edited"));
      if (!isThere) rmSync(join(bed.out, CONTENT.replace("home", "about")));
      const wanted = new TestBed(pages("Edited"));
      wanted.publish();
      // Opened anew: it has no text at hand.
      const store = openStore(bed.store.file);
      onTestFinished(() => store.close());
      const { code } = published({ ...bed, store });
      expect(code).toBe(isThere ? undefined : "store-damaged");
      if (isThere) expect(bytesBelow(bed.out)).toEqual(bytesBelow(wanted.out));
    }
  });

  it("F3: a file that is not as published is put together again when the version changes", () => {
    for (const spoilFile of [
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
      spoilFile(join(bed.out, CONTENT.replace("home", "about")));
      bed.import(pages("Edited"));
      bed.publish();
      const wanted = new TestBed(pages("Edited"));
      wanted.publish();
      expect(bytesBelow(bed.out)).toEqual(bytesBelow(wanted.out));
    }
  });

  it("F3: a folder of out/ that was replaced by a link is refused, whatever is known of its files", () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.publish();
    renameSync(join(bed.out, "api/v1"), join(bed.folder, "elsewhere"));
    symlinkSync(join(bed.folder, "elsewhere"), join(bed.out, "api/v1"));
    const obstructed = expect.objectContaining({ code: "out-obstructed" });
    expect(() => bed.publish()).toThrow(obstructed);
    expect(() => bed.write()).toThrow(obstructed);
  });

  it("R1: an asset that comes to be held is published, though no document changes by it", () => {
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

describe("F3: files that look as they were left are not read, others are", () => {
  it("a file that was changed without changing its size or its mtime is written again", () => {
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

  it("a spoiled note of how they were left is none: nothing is written, and it is mended", () => {
    const bed = new TestBed(TWO_PAGES);
    bed.publish();
    const states = statesBelow(bed.out);
    spoil(bed, "UPDATE out_states SET seen_at = seen_at + 1e9");
    appendFileSync(join(bed.out, CONTENT), "x");
    expect(bed.publish().files.written).toBe(1);
    expect(bed.publish().files.written).toBe(0);
    expect(Object.keys(statesBelow(bed.out))).toEqual(Object.keys(states));
  });
});
