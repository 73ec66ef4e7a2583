import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FileFacts } from "../../src/documents/version-id.ts";
import type { RemovalLimit } from "../../src/publish/publish-limits.ts";
import { statesBelow } from "../support/file-tree.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";

/** A site of so many experiences: documents are these, the config and the schema. */
function site(experiences: number, name = "Site"): Parts {
  const ids = Array.from({ length: experiences }, (_, index) => `x${index}`);
  return {
    models: [{ id: "page", key: "page", name: "Page", fields: [{ key: "t", type: "text" }] }],
    projects: [
      {
        id: "site",
        name: "Site",
        steps: [{ id: "s", key: "s", name: "S", layoutName: "L", layoutContentId: "home" }],
        experiences: ids.map((id) => ({ id, key: id, name: id, stepIds: ["s"] })),
      },
    ],
    entries: [{ id: "home", modelId: "page", data: { t: name } }],
  };
}

/** A bed on which a site of so many documents is published. */
function publishedSite(documents: number): TestBed {
  const bed = new TestBed(site(documents - 2));
  bed.publish();
  return bed;
}

/** Removes so many documents and publishes. */
function remove(bed: TestBed, from: number, count: number, maxRemovals?: RemovalLimit) {
  bed.import(site(from - 2 - count, "Changed"));
  return bed.publish({ maxRemovals });
}

const refusal = (count: number, of: number, limit: number) =>
  expect.objectContaining({
    code: "too-many-removals",
    message: `${count} of ${of} documents would be removed from what is published; the limit is ${limit}`,
    hint: `--dry-run lists them; --max-removals ${count} allows them`,
  });

describe("R12: a publish that removes more documents than its limit is refused", () => {
  it.each([
    [20, 4],
    [21, 4],
    [30, 6],
    [5, 3],
    [15, 3],
  ])("R12: 20%% of %i documents are %i, at least 3", (documents, limit) => {
    const bed = publishedSite(documents);
    const maxRemovals = { percent: 20 };
    if (limit < documents - 2) {
      const refused = refusal(limit + 1, documents, limit);
      expect(() => remove(bed, documents, limit + 1, maxRemovals)).toThrow(refused);
    }
    expect(remove(bed, documents, limit, maxRemovals).published).toBe(true);
  });

  it("R12: or a number of documents, 0 included", () => {
    const bed = publishedSite(6);
    expect(() => remove(bed, 6, 1, { count: 0 })).toThrow(refusal(1, 6, 0));
    expect(() => remove(bed, 6, 4, { count: 3 })).toThrow(refusal(4, 6, 3));
    expect(remove(bed, 6, 4, { count: 4 }).published).toBe(true);
  });

  it("R12: with nothing changed", () => {
    const bed = publishedSite(10);
    const before = statesBelow(bed.folder);
    expect(() => remove(bed, 10, 8, { percent: 20 })).toThrow(refusal(8, 10, 3));
    const row = bed.store.workspace(undefined);
    expect(bed.store.history.list(row.number)).toHaveLength(1);
    expect(statesBelow(bed.out)).toEqual(
      Object.fromEntries(
        Object.entries(before)
          .filter(([path]) => path.startsWith("out/"))
          .map(([path, state]) => [path.slice("out/".length), state]),
      ),
    );
  });

  it("R12a: other addresses that are added do not make up for them", () => {
    const bed = publishedSite(10);
    const [project] = site(8).projects ?? [];
    if (project === undefined) throw new Error("no project");
    bed.import({ ...site(8), projects: [{ ...project, id: "other" }] });
    expect(() => bed.publish({ maxRemovals: { percent: 20 } })).toThrow(refusal(10, 10, 3));
  });

  it("R12a: compared with the current version, also when out/ is missing", () => {
    const bed = publishedSite(10);
    rmSync(bed.out, { recursive: true });
    expect(() => remove(bed, 10, 8, { percent: 20 })).toThrow(refusal(8, 10, 3));
  });

  it("R12a: or with what out/ has, when the store has no version yet", () => {
    const { out } = publishedSite(10);
    const other = new TestBed(site(0));
    const publishTo = { out, maxRemovals: { percent: 20 } };
    expect(() => other.publish(publishTo)).toThrow(refusal(8, 10, 3));
  });

  it("R12: a dry run says so, and a rollback has no limit", () => {
    const bed = publishedSite(10);
    const { versionId } = remove(bed, 10, 8);
    const [first] = bed.store.history.list(bed.store.workspace(undefined).number).slice(-1);
    bed.rollback(first?.versionId ?? "");
    bed.import(site(0, "Changed"));
    expect(bed.publish({ dryRun: true })).toMatchObject({
      versionId,
      published: true,
      removals: { count: 8, of: 10, limit: 3 },
    });
    expect(bed.rollback(versionId).rolledBack).toBe(true);
  });
});

describe("R12b: the size of a publish", () => {
  const BYTES = 2 ** 20;
  const text = (size: number) => site(3, "x".repeat(size));

  it("R12b: is that of the files of the version, to the byte, and refused above its limit", () => {
    const { asset, file } = heldAsset("logo", "logo.png", "bytes of a logo");
    const fields = [
      { key: "t", type: "text" },
      { key: "logo", type: "asset" },
    ];
    const bed = new TestBed({
      ...text(10),
      models: [{ id: "page", key: "page", name: "Page", fields }],
      entries: [{ id: "home", modelId: "page", data: { logo: { assetId: "logo" } } }],
      assets: [asset],
      files: new Map([file]),
    });
    const { bytes, versionId } = bed.publish();
    const { files } = bed.file("manifest.json").workspaces.w;
    const sizes = Object.values(files as FileFacts).map(({ size }) => size);
    expect(sizes).toHaveLength(6);
    expect(bytes).toBe(sizes.reduce((sum, size) => sum + size));
    expect(bed.publish({ maxSize: 1 })).toMatchObject({ published: false, bytes });
    bed.import(text(BYTES));
    const before = statesBelow(bed.out);
    const refused = expect.objectContaining({
      code: "publish-too-large",
      message: "the published files would have 3.1 MB, and 2.1 MB is the most",
    });
    for (const dryRun of [false, true]) {
      expect(() => bed.publish({ maxSize: 2 * BYTES, dryRun })).toThrow(refused);
    }
    expect(statesBelow(bed.out)).toEqual(before);
    expect(bed.store.history.current(1)).toBe(versionId);
    expect(bed.publish({ maxSize: 4 * BYTES }).published).toBe(true);
    expect(bed.rollback(versionId).rolledBack).toBe(true);
  });
});
