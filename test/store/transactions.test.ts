import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { entriesInOrder } from "../../src/workspace/draft.ts";
import type { SourceItem } from "../../src/workspace/source.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { source, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const photo = heldAsset("photo", "photo.png", "a photo");
const BEFORE = smallWorkspace({ entries: [page("home", "Home"), page("old", "Old")] });
const AFTER = smallWorkspace({
  models: [{ ...PAGE_MODEL, name: "Sheet" }],
  features: [{ id: "f", key: "dark", name: "Dark", type: "boolean" }],
  entries: [page("home", "Another home"), page("new", "New")],
  assets: [photo.asset],
  files: new Map([photo.file]),
  previewToken: "of the folder 0123456789",
});

/** Everything that a draft provides. */
function everythingOf({ store }: TestBed) {
  const draft = store.draft(store.workspace("w"));
  const { models, blocks, features, projects, workspace } = draft;
  const entries = [...entriesInOrder(draft)];
  const assets = [...draft.assets.values()];
  return { models, blocks, features, projects, workspace, entries, assets };
}

describe("workspace-folder.md: an import", () => {
  it("replaces the draft: absent records are deleted", () => {
    const bed = new TestBed(BEFORE, { ...BEFORE, id: "other", projects: [] });
    const { number } = bed.store.workspace("other");
    bed.import(AFTER);
    const { entries, features, assets } = everythingOf(bed);
    expect(entries.map(({ id }) => id)).toEqual(["home", "new"]);
    expect([features, assets]).toEqual([AFTER.features, AFTER.assets]);
    bed.import({ id: "w" });
    expect(everythingOf(bed)).toEqual({
      models: [],
      blocks: [],
      features: [],
      projects: [],
      entries: [],
      assets: [],
      workspace: { id: "w", name: "Workspace" },
    });
    expect(bed.store.draft(bed.store.workspace("other")).entries.size).toBe(2);
    expect(bed.store.workspace("other").number).toBe(number);
  });

  it("changes nothing when it fails at the end", () => {
    const bed = new TestBed(BEFORE);
    const rows = storeRows(bed.store.file);
    const failing = function* (): Generator<SourceItem> {
      yield* source(AFTER);
      throw new Error("the last record was wrong");
    };
    expect(() => bed.store.import(failing(), new Date())).toThrow("the last record was wrong");
    expect(storeRows(bed.store.file)).toEqual(rows);
  });

  it("is one transaction, not visible to others before its end", () => {
    const bed = new TestBed(BEFORE);
    const rows = storeRows(bed.store.file);
    const watched = function* (): Generator<SourceItem> {
      for (const item of source(AFTER)) {
        yield item;
        expect(storeRows(bed.store.file)).toEqual(rows);
      }
    };
    bed.store.import(watched(), new Date());
    expect(storeRows(bed.store.file)).not.toEqual(rows);
  });

  it("changes the revision of the draft", () => {
    const bed = new TestBed(BEFORE);
    const { revision } = bed.store.workspace("w");
    bed.import(AFTER);
    expect(bed.store.workspace("w").revision).not.toBe(revision);
  });
});

describe("H5: reading a draft", () => {
  it("H5: sees one state while another process imports", () => {
    const bed = new TestBed(BEFORE);
    const other = openStore(bed.store.file);
    onTestFinished(() => other.close());
    bed.store.read(() => {
      const before = everythingOf(bed);
      other.import(source(AFTER), new Date());
      expect(everythingOf(bed)).toEqual(before);
    });
    expect(everythingOf(bed)).toMatchObject({ models: [{ name: "Sheet" }] });
  });
});

describe("a write", () => {
  it("is rolled back if it throws", () => {
    const bed = new TestBed(BEFORE);
    const { number } = bed.store.workspace("w");
    const rows = storeRows(bed.store.file);
    const create = () =>
      bed.store.tokens.create(number, { name: "t", createdAt: new Date() }).record.id;
    expect(() =>
      bed.store.write(() => {
        create();
        throw new Error("not after all");
      }),
    ).toThrow("not after all");
    expect(storeRows(bed.store.file)).toEqual(rows);
    const id = bed.store.write(create);
    expect(bed.store.tokens.list(number)).toMatchObject([{ id }]);
  });
});
