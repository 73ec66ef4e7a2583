import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const STOREFRONT = join(import.meta.dirname, "../../fixtures/storefront");
const ENTRY = { id: "e", modelId: "m", data: {} };

/** A store with the storefront, imported and published. */
function publishedStorefront(): TestBed {
  const bed = new TestBed();
  importInto(bed, STOREFRONT);
  bed.publish();
  return bed;
}

function importInto(bed: TestBed, folder: string) {
  return bed.store.import(readFolder(folder), new Date(0));
}

/** A copy of the storefront with some of its files replaced. */
function changedStorefront(files: Files): string {
  const folder = temporaryFolder();
  cpSync(STOREFRONT, folder, { recursive: true });
  for (const [path, contents] of Object.entries(files)) {
    writeFileSync(join(folder, path), typeof contents === "string" ? contents : "");
  }
  return folder;
}

describe("folder: import replaces the workspace's complete draft", () => {
  it("folder: it returns the workspace's id and the number of records of each kind", () => {
    expect(importInto(new TestBed(), STOREFRONT)).toMatchObject({
      workspaceId: "storefront",
      counts: { models: 7, blocks: 7, features: 2, projects: 2, entries: 32, assets: 13 },
    });
  });
});

describe("folder: a failed import changes nothing", () => {
  it.each<[string, Files]>([
    ["a fault in the first file", { "workspace.json": '{ "id": "storefront" }' }],
    ["a fault in the last file", { "assets.json": "[{}]" }],
    ["broken JSON in the middle", { "entries/pages/home.json": "{" }],
    ["an empty workspace.json", { "workspace.json": "" }],
  ])("folder: not one row of the store changes: %s", (_, files) => {
    const bed = publishedStorefront();
    const before = storeRows(bed.store.file);
    expect(() => importInto(bed, changedStorefront(files))).toThrow(SvcError);
    expect(storeRows(bed.store.file)).toEqual(before);
  });

  it("folder: a new workspace is not created, and its files are not stored", () => {
    const bed = publishedStorefront();
    const before = storeRows(bed.store.file);
    const assets = [{ id: "a", fileName: "a", file: "a" }, { id: ".." }];
    const folder = workspaceFolder({ "assets.json": assets, a: "bytes", "entries.json": [ENTRY] });
    expect(() => importInto(bed, folder)).toThrow(SvcError);
    expect(storeRows(bed.store.file)).toEqual(before);
  });
});
