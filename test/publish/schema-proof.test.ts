import { expect, it, onTestFinished } from "vitest";
import type { Rendering } from "../../src/documents/rendering.ts";
import { definitionsValidator } from "../../src/documents/schema-validator.ts";
import { publishedRendering } from "../../src/publish/draft-source.ts";
import { FolderSource } from "../../src/publish/folder-source.ts";
import { publish } from "../../src/publish/publish.ts";
import { renderVersion } from "../../src/publish/version.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { Store } from "../../src/store/store.ts";
import type { StoredDraft } from "../../src/store/stored-draft.ts";
import type { Draft, WorkspaceRow } from "../../src/workspace/draft.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const NUMBER = { key: "title", type: "number" };
const NUMBERS = { ...PAGE_MODEL, fields: [NUMBER, ...PAGE_MODEL.fields.slice(1)] };
const DRAFT = smallWorkspace({
  fields: [{ key: "title", type: "text" }],
  projects: [{ ...projectOf("site", "home", "about"), fields: { title: "Site" } }],
  entries: [page("home", "Home"), page("about", "About")],
});

/** A rendering whose data is held against the schemas of another draft. */
function heldAgainst(other: Parts): Rendering {
  const rendering = publishedRendering(draftOf(DRAFT), {}, true);
  return Object.assign(rendering, { validator: definitionsValidator(draftOf(other)) });
}

/** The draft with other models when its schemas are made, as if the program had a defect. */
function unlike<D extends Draft>(draft: D): D {
  const { models } = draft;
  let count = 0;
  return Object.defineProperty(draft, "models", { get: () => (count++ > 0 ? [NUMBERS] : models) });
}

class StoreOfUnlike extends Store {
  override draft(row: WorkspaceRow, earlier?: StoredDraft): StoredDraft {
    return unlike(super.draft(row, earlier));
  }
}

it.each([
  ['entry "home": .*; entry "about": ', { ...DRAFT, models: [NUMBERS] }],
  ['project "site": ', { ...DRAFT, fields: [NUMBER] }],
])("S4: data that passes the checks but not its schema makes no version: %s", (fault, other) => {
  expect(renderVersion(heldAgainst(DRAFT), undefined).documents).toHaveLength(4);
  const what = new RegExp(`^rendered data does not match its published schema: ${fault}`);
  expect(() => renderVersion(heldAgainst(other), undefined)).toThrow(what);
});

it("S4: such data is not published, of a store and of a folder", () => {
  const bed = new TestBed(smallWorkspace());
  bed.publish();
  const files = bytesBelow(bed.out);
  bed.import(DRAFT);
  const store = new StoreOfUnlike(openDatabase(bed.store.file, false), bed.store.file);
  onTestFinished(() => store.close());
  const draft = draftOf(DRAFT);
  const how = { strict: false, now: new Date() };
  for (const from of [inStore(store, "w"), new FolderSource(unlike(draft))]) {
    expect(() => publish(from, bed.out, how)).toThrow(/does not match its published schema/);
    expect(bytesBelow(bed.out)).toEqual(files);
  }
  expect(bed.store.history.list(1)).toHaveLength(1);
});
