import { describe, expect, it } from "vitest";
import { bytesBelow } from "../support/file-tree.ts";
import {
  current,
  listed,
  publishEach,
  query,
  refusal,
  titled,
} from "../support/publish/published-versions.ts";
import { storedDocuments } from "../support/publish/stored-documents.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const photo = heldAsset("photo", "photo.png", "a photo");
const FILES = { assets: [photo.asset], files: new Map([photo.file]) };
const pictured = (title: string, changes: Parts = {}) =>
  smallWorkspace({
    entries: [page("home", title, { picture: { assetId: "photo" } })],
    ...FILES,
    ...changes,
  });

const heldFiles = (bed: TestBed) => query<string>(bed, "SELECT sha256 FROM files");
const heldDocuments = (bed: TestBed) => storedDocuments(bed.store.file).sort();
const PHOTO = [photo.asset.sha256];

describe("R8: publish --keep n", () => {
  it("prunes all versions but the n newest, and lists the pruned ones, newest first", () => {
    const bed = new TestBed();
    const [one, two, three] = publishEach(bed, "One", "Two", "Three");
    bed.import(titled("Four"));
    const { versionId, pruned } = bed.publish({ keep: 2 });
    expect(pruned).toEqual([two, one]);
    expect(listed(bed)).toEqual([versionId, three]);
  });

  it("prunes the version that was current longest ago, not one that was just rolled back to", () => {
    const bed = new TestBed();
    const [one = "", two, three] = publishEach(bed, "One", "Two", "Three");
    bed.rollback(one);
    bed.import(titled("A fix"));
    const { versionId, pruned } = bed.publish({ keep: 3 });
    expect(pruned).toEqual([two]);
    expect(listed(bed)).toEqual([versionId, three, one]);
    expect(bed.rollback(one)).toMatchObject({ rolledBack: true });
  });

  it("prunes nothing while there are no more than n", () => {
    const bed = new TestBed();
    const ids = publishEach(bed, "One", "Two", "Three");
    const rows = storeRows(bed.store.file);
    expect(bed.publish({ keep: 3 }).pruned).toEqual([]);
    expect(listed(bed)).toEqual(ids.toReversed());
    expect(storeRows(bed.store.file)).toEqual(rows);
  });

  it("prunes when nothing has changed, and keeps the files of out/", () => {
    const bed = new TestBed();
    const [one, two] = publishEach(bed, "One", "Two");
    const bytes = bytesBelow(bed.out);
    expect(bed.publish({ keep: 1 })).toMatchObject({ published: false, pruned: [one] });
    expect(listed(bed)).toEqual([two]);
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });

  it("never prunes the current version, not even when it is the oldest", () => {
    const bed = new TestBed();
    const [one = "", two, three] = publishEach(bed, "One", "Two", "Three");
    const draft = titled("One");
    bed.rollback(one);
    bed.import(draft);
    expect(bed.publish({ keep: 2 })).toMatchObject({ published: false, pruned: [two] });
    expect(listed(bed)).toEqual([three, one]);
    expect(bed.publish({ keep: 1 })).toMatchObject({ versionId: one, pruned: [three] });
    expect(listed(bed)).toEqual([one]);
    expect(current(bed)).toBe(one);
    expect(bed.write()).toMatchObject({ versionId: one, files: { written: 0 } });
  });

  it("counts a version that is published again as the newest", () => {
    const bed = new TestBed();
    const [one, two] = publishEach(bed, "One", "Two");
    bed.import(titled("One"));
    expect(bed.publish({ keep: 1 })).toMatchObject({ versionId: one, pruned: [two] });
  });

  it("lists in a dry run what it would prune, and prunes nothing", () => {
    const bed = new TestBed();
    const [one, two] = publishEach(bed, "One", "Two");
    bed.import(titled("Three"));
    const rows = storeRows(bed.store.file);
    expect(bed.publish({ keep: 1, dryRun: true }).pruned).toEqual([two, one]);
    expect(storeRows(bed.store.file)).toEqual(rows);
  });

  it("prunes nothing when the publish is refused", () => {
    const bed = new TestBed();
    publishEach(bed, "One", "Two");
    bed.import(titled("", { entries: [{ id: "home", modelId: "m-page", data: {} }] }));
    expect(refusal(bed, () => bed.publish({ keep: 1 })).code).toBe("draft-has-problems");
  });

  it("gives a pruned version its earlier id when its content is published again", () => {
    const bed = new TestBed();
    const [one] = publishEach(bed, "One");
    const bytes = bytesBelow(bed.out);
    publishEach(bed, "Two");
    bed.publish({ keep: 1 });
    expect(publishEach(bed, "One")).toEqual([one]);
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });
});

describe("R8: pruning a version", () => {
  it("deletes its own documents and assets, but not those of kept versions", () => {
    const bed = new TestBed();
    const [, two = ""] = publishEach(bed, pictured("One"), "Two", "Three");
    const alone = new TestBed();
    publishEach(alone, "Two", "Three");
    expect(heldFiles(bed)).toEqual(PHOTO);
    bed.publish({ keep: 2 });
    expect(heldDocuments(bed)).toEqual(heldDocuments(alone));
    expect(heldFiles(bed)).toEqual([]);
    const { version_documents, version_files } = storeRows(bed.store.file);
    expect([version_documents?.length, version_files]).toEqual([6, []]);
    expect(bed.rollback(two)).toMatchObject({ rolledBack: true });
  });

  it.each<[who: string, ...drafts: Parts[]]>([
    ["a version that is kept", pictured("One"), pictured("Two"), titled("Three")],
    ["the draft", pictured("One"), titled("Two"), titled("Three", FILES)],
  ])("keeps an asset that %s uses too", (_who, ...drafts) => {
    const bed = new TestBed();
    const [, two = ""] = publishEach(bed, ...drafts.slice(0, 2));
    const bytes = bytesBelow(bed.out);
    publishEach(bed, ...drafts.slice(2));
    bed.publish({ keep: 2 });
    expect(heldFiles(bed)).toEqual(PHOTO);
    bed.rollback(two);
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });

  it("changes nothing of other workspaces, nor their older versions", () => {
    const bed = new TestBed();
    const theirs = { id: "theirs", projects: [projectOf("other", "home")] };
    const [, first = "", second = ""] = publishEach(
      bed,
      pictured("One"),
      pictured("One", theirs),
      titled("Two", theirs),
      "Two",
    );
    const versions = () => [listed(bed, "theirs"), current(bed, "theirs")];
    const before = versions();
    expect(bed.publish({ workspace: "w", keep: 1 }).pruned).toHaveLength(1);
    expect(versions()).toEqual(before);
    expect(heldFiles(bed)).toEqual(PHOTO);
    expect(bed.rollback(first, "theirs")).toMatchObject({ from: second, versionId: first });
    expect(bytesBelow(bed.out)[photo.path]).toBe("a photo");
    expect(bed.verify()).toMatchObject({ ok: true });
  });
});
