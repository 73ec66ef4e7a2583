import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { singlePack } from "../../src/documents/text-packs.ts";
import { sha256 } from "../../src/documents/version-id.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { storedDocuments, storedTexts } from "../support/publish/stored-documents.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const PAGES = ["home", "about", "news"];
const hub = { next: { contentEntryId: "hub" } };

/** Three pages, two of which refer to a hub. */
function site(hubTitle: string, newsTitle = "News", more: Parts = {}): Parts {
  return smallWorkspace({
    projects: [projectOf("site", ...PAGES)],
    entries: [
      page("home", "Home", hub),
      page("about", "About", hub),
      page("news", newsTitle),
      page("hub", hubTitle),
    ],
    ...more,
  });
}

/** The numbers of the documents that the store holds, and its texts. */
const held = ({ store }: TestBed) => ({
  documents: storedDocuments(store.file).map(({ number }) => number),
  texts: storedTexts(store.file),
});

const showing = (texts: readonly string[], title: string) =>
  texts.filter((text) => text.includes(`"${title}"`));

describe("R3: a version is recipes of texts, each held once", () => {
  it("an entry's new title adds one text, and a recipe for each document that shows it", () => {
    const bed = new TestBed(site("Hub"));
    bed.publish();
    const before = held(bed);
    // Two for the project, three for its pages.
    expect(before.documents).toHaveLength(5);
    expect(new Set(before.texts).size).toBe(before.texts.length);

    bed.import(site("Another hub"));
    bed.publish();
    const after = held(bed);
    const added = after.texts.filter((text) => !before.texts.includes(text));
    expect(added).toHaveLength(1);
    expect(added[0]).toContain('"Another hub"');
    expect(after.texts).toHaveLength(before.texts.length + 1);
    expect(after.documents).toHaveLength(before.documents.length + 2);
    expect(after.documents).toEqual(expect.arrayContaining(before.documents));
  });

  it("reverting an edit adds no rows and no texts", () => {
    const bed = new TestBed(site("Hub"));
    const { versionId } = bed.publish();
    const bytes = bytesBelow(bed.out);
    bed.import(site("Another hub"));
    bed.publish();
    const before = held(bed);
    bed.import(site("Hub"));
    expect(bed.publish().versionId).toBe(versionId);
    expect(held(bed)).toEqual(before);
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });

  it("equal entries of two workspaces share their texts", () => {
    const bed = new TestBed(site("Hub"));
    bed.publish();
    const before = held(bed).texts;
    bed.import(site("Hub", "News", { id: "v", projects: [projectOf("other", ...PAGES)] }));
    bed.publish({ workspace: "v" });
    const added = held(bed).texts.filter((text) => !before.includes(text));
    // Its config and its schema name the project.
    expect(added).toHaveLength(2);
    for (const text of added) expect(text).toContain("other");
  });

  it("pruning removes the texts of pruned versions that no other version has", () => {
    const bed = new TestBed(site("Hub 1"));
    bed.publish();
    for (const title of ["Hub 2", "Hub 3"]) {
      bed.import(site(title));
      bed.publish();
    }
    expect(showing(held(bed).texts, "Hub 2")).toHaveLength(1);
    bed.import(site("Hub 4"));
    const { pruned } = bed.publish({ keep: 2 });
    expect(pruned).toHaveLength(2);
    const { texts, documents } = held(bed);
    expect(showing(texts, "Hub 2")).toEqual([]);
    expect(showing(texts, "Hub 3")).toHaveLength(1);
    expect(showing(texts, "Hub 4")).toHaveLength(1);
    expect(showing(texts, "Home")).toHaveLength(1);
    expect(documents).toHaveLength(3 + 2 * 2);
  });

  it("pruning removes texts although the draft is unchanged", () => {
    const bed = new TestBed(site("Hub 1"));
    for (const title of ["Hub 1", "Hub 2", "Hub 3"]) {
      bed.import(site(title));
      bed.publish();
    }
    expect(bed.publish({ keep: 1 }).pruned).toHaveLength(2);
    expect(showing(held(bed).texts, "Hub 2")).toEqual([]);
    expect(showing(held(bed).texts, "Hub 3")).toHaveLength(1);
  });

  it("a document is stored once for both workspaces after its project moved", () => {
    const bed = new TestBed(site("Hub"));
    const { versionId } = bed.publish({ workspace: "w" });
    const bytes = bytesBelow(bed.out);
    const before = held(bed).documents;
    bed.import({ ...site("Hub"), projects: [] });
    bed.publish({ workspace: "w" });
    bed.import({ ...site("Hub"), id: "v" });
    expect(bed.publish({ workspace: "v" }).versionId).toBe(versionId);
    expect(held(bed).documents).toEqual(before);
    bed.publish({ workspace: "w", keep: 1 });
    const api = (files: Readonly<Record<string, string>>) =>
      Object.entries(files).filter(([path]) => path.startsWith("api/"));
    expect(api(bytesBelow(bed.out))).toEqual(api(bytes));
    expect(held(bed).documents).toEqual(before);
  });

  it("more texts than the cache holds are read in any order", () => {
    const { store } = new TestBed(site("Hub"));
    const written = Array.from({ length: 40 }, () => randomBytes(1_000_000));
    store.write(() => {
      const texts = store.openTexts();
      const numbers = written.flatMap((bytes) => texts.add(singlePack(sha256(bytes), bytes)));
      for (let at = 0; at < 200; at += 1) {
        const which = (at * 17) % written.length;
        const text = texts.read(numbers[which] as number);
        expect(text.equals(written[which] as Buffer)).toBe(true);
      }
    });
  });
});
