import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { bytesBelow, pathsBelow } from "../support/file-tree.ts";
import { type Parts, TestBed, temporaryFolder } from "../support/test-bed.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";
import { draftValue, exportInto, imported } from "./export-bed.ts";

const MODEL = { id: "m", key: "m", name: "M", fields: [] };
const entry = (id: string, data = {}) => ({ id, modelId: "m", data });

const LIST = ".svc/exported.txt";

function exported(bed: TestBed, folder = join(temporaryFolder(), "new/folder")): string {
  exportInto(folder, bed);
  return folder;
}

/** Exports, imports into another store and exports again; expects the same draft and bytes. */
function expectRoundTrip(bed: TestBed): string {
  const first = exported(bed);
  const second = imported(first);
  expect(draftValue(second.store)).toEqual(draftValue(bed.store));
  expect(bytesBelow(exported(second))).toEqual(bytesBelow(first));
  return first;
}

describe("folder: export and import round-trip", () => {
  it("folder: the preview token is not exported, as the store holds only its hash", () => {
    const bed = new TestBed({ previewToken: "secret-token-0123456789" });
    expect(Object.values(bytesBelow(exported(bed))).join()).not.toContain("secret");
  });

  it("folder: each record has a file of its own, named by its id", () => {
    const parts: Parts = {
      models: [MODEL],
      blocks: [{ ...MODEL, id: "b.1" }],
      features: [{ id: "f", key: "f", name: "F", type: "boolean" }],
      projects: [{ id: "p", name: "P", steps: [], experiences: [] }],
      entries: [entry("e", { text: "Grüße" }), entry("_")],
    };
    const folder = expectRoundTrip(new TestBed(parts));
    expect(pathsBelow(folder)).toEqual([
      LIST,
      "blocks/b.1.json",
      "entries/_.json",
      "entries/e.json",
      "features/f.json",
      "models/m.json",
      "projects/p.json",
      "workspace.json",
    ]);
    const text = JSON.stringify(entry("e", { text: "Grüße" }), null, 2);
    expect(readFileSync(join(folder, "entries/e.json"), "utf8")).toBe(`${text}\n`);
  });

  it("folder: assets have their files, or the authored values", () => {
    const page = heldAsset("a", "page.html", "<p>", "text/html");
    const { sha256, ...facts } = page.asset;
    const film = { ...facts, id: "b", fileName: "b.mp4", mimeType: "video/mp4", width: 7 };
    const byUrl = { ...film, sizeBytes: null, url: "https://a.example/b.mp4" };
    const assets = [{ ...page.asset, versions: [{ ...byUrl, id: "v" }] }, byUrl];
    const folder = expectRoundTrip(new TestBed({ assets, files: new Map([page.file]) }));
    const file = `files/${page.path.slice("assets/".length)}`;
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
    const said = { fileName: "b.mp4", mimeType: "video/mp4", url: byUrl.url, width: 7 };
    expect(read("assets/a.json")).toEqual({
      id: "a",
      fileName: "page.html",
      mimeType: "text/html",
      file,
      versions: [{ id: "v", ...said }],
    });
    expect(read("assets/b.json")).toEqual({ id: "b", ...said });
    expect(readFileSync(join(folder, file), "utf8")).toBe("<p>");
  });
});

describe("folder: export overwrites nothing", () => {
  it.each(["that is empty", "that it creates"])(
    "folder: a folder %s is restored when it fails",
    (what) => {
      const { asset, file } = heldAsset("photo", "photo.png", "a photo");
      const bed = new TestBed({ assets: [asset], files: new Map([file]) });
      const database = new Database(bed.store.file);
      database.exec("UPDATE files SET bytes = x'00'");
      database.close();
      const [parent, folder] = [temporaryFolder(), what === "that is empty" ? "." : "new/folder"];
      const damaged = expect.objectContaining({ code: "store-damaged" });
      expect(() => exported(bed, join(parent, folder))).toThrow(damaged);
      expect(readdirSync(parent)).toEqual([]);
    },
  );

  it.each(["a file", "a hidden file", "a folder"])(
    "folder: it rejects one that contains %s",
    (what) => {
      const folder = temporaryFolder();
      if (what === "a folder") mkdirSync(join(folder, "sub"));
      else writeFileSync(join(folder, what === "a file" ? "x" : ".x"), "mine");
      const before = bytesBelow(folder);
      const refused = expect.objectContaining({ code: "folder-not-empty" });
      expect(() => exported(new TestBed({}), folder)).toThrow(refused);
      expect(() => exported(new TestBed({}), join(folder, "x/../."))).toThrow(refused);
      expect(bytesBelow(folder)).toEqual(before);
    },
  );
});
