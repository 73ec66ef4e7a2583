import { describe, expect, it } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import {
  current,
  journal,
  listed,
  publishEach,
  query,
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

const FAULTY = smallWorkspace({ entries: [{ id: "home", modelId: "m-page", data: {} }] });

function publishAt(bed: TestBed, title: string, at: string): string {
  bed.import(titled(title));
  const how = { strict: false, keep: 20, now: new Date(at), onProgress: () => {} };
  return publish(inStore(bed.store, "w"), bed.out, how).versionId;
}

describe("cli.md: the versions of a workspace", () => {
  it("keep the order of publishing when the clock goes backwards", () => {
    const bed = new TestBed();
    const ids = ["2026-01-03T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"].map((at) =>
      publishAt(bed, `Title ${at}`, at),
    );
    expect(listed(bed)).toEqual(ids.toReversed());
    expect(journal(bed).map(({ to }) => to)).toEqual(ids.toReversed());
  });
});

describe("R7: the journal", () => {
  it("has the given time, and no user", () => {
    const bed = new TestBed();
    const to = publishAt(bed, "One", "2026-03-04T05:06:07.089Z");
    const entry = { at: "2026-03-04T05:06:07.089Z", action: "publish", from: null, to };
    expect(journal(bed)).toEqual([entry]);
    const held = JSON.parse(storeRows(bed.store.file).journal?.[0] ?? "null");
    const { number } = bed.store.workspace("w");
    expect(held).toEqual([expect.any(Number), number, ...Object.values(entry)]);
  });

  it.each<[what: string, work: (bed: TestBed, id: string) => unknown]>([
    ["a publish that changes nothing", (bed) => bed.publish()],
    ["a publish that only prunes", (bed) => bed.publish({ keep: 1 })],
    ["a rollback to the current version", (bed, id) => bed.rollback(id)],
    ["a write", (bed) => bed.write()],
    ["an import", (bed) => bed.import(titled("Three"))],
    ["a dry run", (bed) => [bed.import(titled("Three")), bed.publish({ dryRun: true })]],
    ["a refused publish", (bed) => [bed.import(FAULTY), tried(() => bed.publish())]],
    ["a refused rollback", (bed) => tried(() => bed.rollback("none"))],
  ])("R2: gets no entry from %s", (_what, work) => {
    const bed = new TestBed();
    const [, two = ""] = publishEach(bed, "One", "Two");
    const before = journal(bed);
    expect(before).toHaveLength(2);
    work(bed, two);
    expect(journal(bed)).toEqual(before);
    expect(current(bed)).toBe(two);
  });
});

describe("R5: documents shared by versions", () => {
  it("are stored once: a version adds only those that differ from every other", () => {
    const bed = new TestBed();
    const rows = () => query<number>(bed, "SELECT count(*) FROM documents")[0];
    const counts = ["One", "Two", "Three", "One"].map((title) => {
      publishEach(bed, title);
      return rows();
    });
    // Each has a config, a schema and a content, of which only the content shows the title.
    expect(counts).toEqual([3, 4, 5, 5]);
    expect(new Set(storedDocuments(bed.store.file)).size).toBe(5);
  });
});

function tried(work: () => unknown): void {
  expect(work).toThrow(expect.objectContaining({ name: "SvcError" }));
}

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
  it("lists in a dry run what it would prune, and prunes nothing", () => {
    const bed = new TestBed();
    const [one, two] = publishEach(bed, "One", "Two");
    bed.import(titled("Three"));
    const rows = storeRows(bed.store.file);
    expect(bed.publish({ keep: 1, dryRun: true }).pruned).toEqual([two, one]);
    expect(storeRows(bed.store.file)).toEqual(rows);
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
