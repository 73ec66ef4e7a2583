import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { writeDocuments } from "../../src/publish/write-documents.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { heldAsset, page, smallWorkspace } from "../support/small-workspace.ts";
import { TestBed } from "../support/test-bed.ts";

const CONTENT = "api/v1/projects/site/experiences/home/content.json";

function spoil(bed: TestBed, sql: string): void {
  const database = new Database(bed.store.file);
  database.exec(sql);
  database.close();
}

describe("issue 7: shortcuts of a publish trust nothing that may be otherwise", () => {
  it("a spoiled list of a document's entries never keeps an edit from being published", () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    spoil(bed, "UPDATE document_entries SET entries = replace(entries, 'home', 'iome')");
    bed.import(smallWorkspace({ entries: [page("home", "Edited")] }));
    expect(bed.publish()).toMatchObject({ published: true });
    expect(readFileSync(join(bed.out, CONTENT), "utf8")).toContain("Edited");
  });

  it("a spoiled entry that is only pointed at is damage, also for an edit beside it", () => {
    const home = (title: string) => page("home", title, { next: { contentEntryId: "e1" } });
    const chain = Array.from({ length: 6 }, (_, index) =>
      page(`e${index + 1}`, "Page", { next: { contentEntryId: `e${index + 2}` } }),
    );
    const bed = new TestBed(smallWorkspace({ entries: [home("Home"), ...chain] }));
    bed.publish();
    bed.import(smallWorkspace({ entries: [home("Edited"), ...chain] }));
    spoil(bed, "UPDATE entries SET model_id = 'm-pagf' WHERE id = 'e6'");
    expect(() => bed.publish()).toThrow(expect.objectContaining({ code: "store-damaged" }));
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

  it("a second thread that cannot be started is no failure", () => {
    const documents = Array.from({ length: 2000 }, (_, number) => ({
      ...{ path: "api/v1/projects/p/experiences/x/content.json", number, size: 0, frozen: "" },
      isNew: true,
    }));
    const target = { out: "/nowhere", versionId: "0".repeat(32) };
    const refuse = () => {
      throw new Error("EAGAIN");
    };
    const nothing = () => undefined;
    // The documents are not there, which is told instead.
    expect(() => writeDocuments(target, documents, nothing, () => {}, refuse)).toThrow(
      expect.objectContaining({ code: "store-damaged" }),
    );
  });
});
