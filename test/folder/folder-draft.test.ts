import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folderDraft, readRecords } from "../../src/folder/folder-draft.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { FolderSource } from "../../src/publish/folder-source.ts";
import { publish } from "../../src/publish/publish.ts";
import { type Draft, entriesInOrder } from "../../src/workspace/draft.ts";
import { byCodeUnit } from "../../src/workspace/json.ts";
import { STARTER } from "../support/cli-bed.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { randomRuns } from "../support/random-runs.ts";
import { source, TestBed, temporaryFolder } from "../support/test-bed.ts";
import { randomWorkspace } from "../support/workspaces/random-workspace.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { faultsOf, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** All that a renderer reads of a draft, as JSON: that has no -0. */
function allOf(draft: Draft) {
  const { workspace, models, blocks, features, projects, assets } = draft;
  const sorted = [...assets.values()].sort((a, b) => byCodeUnit(a.id, b.id));
  const bytes = sorted.map(({ sha256 }) => String(sha256 && draft.fileBytes(sha256)));
  const entries = [...entriesInOrder(draft)];
  return JSON.parse(
    JSON.stringify({ workspace, models, blocks, features, projects, sorted, bytes, entries }),
  );
}

const logo = heldAsset("logo", "logo.png", "a logo");
const photo = heldAsset("photo", "photo.png", "a photo");
const PARTS = smallWorkspace({
  entries: [page("home", "Home"), page("about", "About"), page("news", "News")],
  assets: [logo.asset, photo.asset],
  files: new Map([logo.file, photo.file]),
});

describe("R11: a workspace folder in memory", () => {
  it("R11: is the draft that an import of it makes", () => {
    const bed = new TestBed();
    const property = fc.property(randomWorkspace({ faulty: true }), (parts) => {
      bed.import(parts);
      const stored = bed.store.read(() => allOf(bed.store.draft(bed.store.workspace("w"))));
      expect(allOf(draftOf(parts))).toEqual(stored);
    });
    fc.assert(property, { numRuns: randomRuns(30) });
    const store = new TestBed().store;
    store.import(readFolder(STARTER), new Date());
    const stored = store.read(() => allOf(store.draft(store.workspace(undefined))));
    expect(allOf(folderDraft(readRecords(readFolder(STARTER))))).toEqual(stored);
  });

  it("R10: read again, it has the same objects for what did not change", () => {
    const before = readRecords(source(PARTS));
    const after = readRecords(
      source({
        ...PARTS,
        entries: [
          page("news", "News"),
          page("home", "Edited"),
          { ...page("about", "About"), draft: true },
        ],
        assets: [{ ...photo.asset, width: 7 }, { ...logo.asset }],
      }),
      before,
    );
    const isSame = (kind: "entries" | "assets") =>
      Array.from(before[kind].keys(), (id) => [id, after[kind].get(id) === before[kind].get(id)]);
    const entries = { home: false, about: false, news: true };
    expect(Object.fromEntries(isSame("entries"))).toEqual(entries);
    expect(Object.fromEntries(isSame("assets"))).toEqual({ logo: true, photo: false });
    expect(folderDraft(before).dataOf(before.entries.get("home") as never)).toEqual({
      title: "Home",
    });
  });

  it("file-changed: a file that is another one than when it was read is not published", () => {
    for (const change of [(file: string) => writeFileSync(file, "another"), rmSync]) {
      const folder = workspaceFolder({
        "models.json": PARTS.models ?? [],
        "projects.json": PARTS.projects ?? [],
        "entries.json": [page("home", "Home", { picture: { assetId: "logo" } })],
        "assets.json": [{ id: "logo", fileName: "logo.png", file: "files/logo.png" }],
        "files/logo.png": "a logo",
      });
      expect(faultsOf(folder)).toEqual([]);
      const draft = folderDraft(readRecords(readFolder(folder)));
      change(join(folder, "files/logo.png"));
      const out = join(temporaryFolder(), "out");
      const how = { strict: false, now: new Date() };
      expect(() => publish(new FolderSource(draft), out, how)).toThrow(
        expect.objectContaining({ code: "file-changed" }),
      );
      expect(Object.keys(bytesBelow(out)).filter((path) => path.startsWith("assets/"))).toEqual([]);
    }
  });
});
