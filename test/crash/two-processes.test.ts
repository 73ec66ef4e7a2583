import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { verify } from "../../src/publish/verify.ts";
import { openStore } from "../../src/store/store.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectDoneOrRefused, start } from "./processes.ts";

const LOCKED = ["store-locked", "out-locked"] as const;

/** The states of a shop differ in most of their documents. */
const PUBLISH = ["publish", "--max-removals", "100%"] as const;

/** A workspace folder with this number of pages. */
function shopFolder(title: string, { id = "shop", project = "site", pages = 30 } = {}): string {
  const entries = Array.from({ length: pages }, (_, at) => page(`page-${at}`, `${title} ${at}`));
  return workspaceFolder({
    "workspace.json": { id, name: "Shop" },
    "models.json": [PAGE_MODEL],
    "projects.json": [projectOf(project, ...entries.map((entry) => entry.id))],
    "entries.json": entries,
  });
}

function importTo(file: string, folder: string): void {
  const store = openStore(file, { create: true });
  store.import(readFolder(folder), new Date());
  store.close();
}

/** The files that a single process publishes of these folders. */
function bytesOf(...folders: readonly string[]): Record<string, string> {
  const bed = new TestBed();
  for (const folder of folders) {
    const { workspaceId } = bed.store.import(readFolder(folder), new Date());
    bed.publish({ workspace: workspaceId });
  }
  return bytesBelow(bed.out);
}

function expectComplete(out: string, right: Record<string, string>): void {
  expect(bytesBelow(out)).toEqual(right);
  expect(verify(out, () => {})).toMatchObject({ ok: true, differs: [] });
}

describe("F4: of two concurrent processes one waits or fails, and no state is mixed", () => {
  it("two publishers of one draft to one folder", async () => {
    const folder = temporaryFolder();
    for (const title of ["One", "Two"]) {
      const shop = shopFolder(title, { pages: title === "Two" ? 10 : 30 });
      importTo(join(folder, "workspace.db"), shop);
      const outcomes = await Promise.all([start(folder, ...PUBLISH), start(folder, ...PUBLISH)]);
      expectDoneOrRefused(outcomes, ...LOCKED);
      const done = outcomes.filter(({ status }) => status === 0);
      expect(done.filter(({ value }) => value.published)).toHaveLength(1);
      expectComplete(join(folder, "out"), bytesOf(shop));
    }
    const { value } = await start(folder, "versions", "--journal");
    expect(value.journal).toHaveLength(2);
  }, 30_000);

  it("two publishers of one store to different folders", async () => {
    const folder = temporaryFolder();
    for (const title of ["One", "Two"]) {
      const shop = shopFolder(title);
      importTo(join(folder, "workspace.db"), shop);
      const publish = (out: string) => start(folder, ...PUBLISH, "--out", out);
      const outcomes = await Promise.all([publish("a"), publish("b")]);
      expectDoneOrRefused(outcomes, ...LOCKED);
      for (const [at, { status }] of outcomes.entries()) {
        if (status === 0) expectComplete(join(folder, at === 0 ? "a" : "b"), bytesOf(shop));
      }
    }
  }, 30_000);

  it("a publisher beside an importer publishes the draft before it or after it", async () => {
    const folder = temporaryFolder();
    let before = shopFolder("Zero");
    importTo(join(folder, "workspace.db"), before);
    for (const title of ["One", "Two"]) {
      const after = shopFolder(title, { pages: title === "Two" ? 10 : 30 });
      const outcomes = await Promise.all([
        start(folder, ...PUBLISH),
        start(folder, "import", after),
      ]);
      expectDoneOrRefused(outcomes, ...LOCKED);
      const [published, imported] = outcomes;
      if (published?.status === 0) {
        const found = bytesBelow(join(folder, "out"));
        const isOld = JSON.stringify(found) === JSON.stringify(bytesOf(before));
        expectComplete(join(folder, "out"), isOld ? bytesOf(before) : bytesOf(after));
      }
      if (imported?.status === 0) before = after;
      // The draft is completely the old or the new one.
      expect((await start(folder, ...PUBLISH)).status).toBe(0);
      expectComplete(join(folder, "out"), bytesOf(before));
    }
  }, 30_000);

  it("a rollback beside a publish: one after the other", async () => {
    const folder = temporaryFolder();
    const [one, two] = [shopFolder("One"), shopFolder("Two", { pages: 20 })];
    importTo(join(folder, "workspace.db"), one);
    const first = await start(folder, ...PUBLISH);
    importTo(join(folder, "workspace.db"), two);
    const rollback = start(folder, "rollback", first.value.versionId);
    const outcomes = await Promise.all([rollback, start(folder, ...PUBLISH)]);
    expectDoneOrRefused(outcomes, ...LOCKED);
    const { value } = await start(folder, "versions");
    const current = value.current === first.value.versionId ? one : two;
    expectComplete(join(folder, "out"), bytesOf(current));
  }, 30_000);

  it("two stores with two workspaces to one folder: both are published", async () => {
    const folder = temporaryFolder();
    for (const title of ["One", "Two"]) {
      const shop = shopFolder(title);
      const neighbour = shopFolder(title, { id: "neighbour", project: "other" });
      importTo(join(folder, "shop.db"), shop);
      importTo(join(folder, "neighbour.db"), neighbour);
      const publish = (store: string) => start(folder, ...PUBLISH, "--store", store);
      const outcomes = await Promise.all([publish("shop.db"), publish("neighbour.db")]);
      expect(outcomes.map(({ status }) => status)).toEqual([0, 0]);
      expectComplete(join(folder, "out"), bytesOf(shop, neighbour));
    }
  }, 30_000);

  it("two first imports: one store with both, and no other files", async () => {
    const folder = temporaryFolder();
    for (const store of ["1.db", "2.db"]) {
      const folders = [
        shopFolder("Shop"),
        shopFolder("Shop", { id: "neighbour", project: "other" }),
      ];
      const imports = folders.map((from) => start(folder, "import", from, "--store", store));
      expect((await Promise.all(imports)).map(({ status }) => status)).toEqual([0, 0]);
      expect(readdirSync(folder).filter((name) => name.startsWith(store))).toEqual([store]);
      const opened = openStore(join(folder, store));
      expect(opened.workspaces().map(({ id }) => id)).toEqual(["neighbour", "shop"]);
      opened.close();
    }
  }, 30_000);
});
