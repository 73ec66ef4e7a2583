import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bytesBelow, pathsBelow, statesBelow } from "../support/file-tree.ts";
import { PHOTO } from "../support/publish/published-pages-bed.ts";
import {
  current,
  journal,
  publishEach,
  refusal,
  titled,
} from "../support/publish/published-versions.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const WITH_PHOTO = smallWorkspace({
  entries: [page("home", "Home", { picture: { assetId: "photo" } })],
  assets: [PHOTO.asset],
  files: new Map([PHOTO.file]),
});
/** Another model, another project beside the first, and no PHOTO. */
const REMADE = smallWorkspace({
  models: [{ ...PAGE_MODEL, key: "document" }],
  projects: [projectOf("site", "home"), projectOf("shop", "home")],
});
const FAULTY = smallWorkspace({ entries: [{ id: "home", modelId: "m-page", data: { title: 5 } }] });

describe("R6: a rollback", () => {
  it("R3: writes the frozen bytes again, byte for byte, assets and removals included", () => {
    const bed = new TestBed();
    const [first = ""] = publishEach(bed, WITH_PHOTO);
    const bytes = bytesBelow(bed.out);
    const [second] = publishEach(bed, REMADE);
    expect(pathsBelow(bed.out)).not.toContain(PHOTO.path);

    expect(bed.rollback(first)).toEqual({
      workspaceId: "w",
      versionId: first,
      from: second,
      rolledBack: true,
      // Three documents, the photo and the manifest; 404.json; what the project shop had.
      files: { written: 5, unchanged: 1, removed: 3 },
    });
    expect(bytesBelow(bed.out)).toEqual(bytes);
    expect(bytes[PHOTO.path]).toBe("a photo");
    expect(current(bed)).toBe(first);
    expect(bed.verify()).toMatchObject({ ok: true });
  });

  it("R3: writes the frozen bytes when there is no out/", () => {
    const bed = new TestBed();
    const [first = ""] = publishEach(bed, WITH_PHOTO);
    const bytes = bytesBelow(bed.out);
    publishEach(bed, REMADE);
    rmSync(bed.out, { recursive: true });
    bed.rollback(first);
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });

  it("keeps the draft, which the next publish makes current again", () => {
    const bed = new TestBed();
    const [first = "", second] = publishEach(bed, WITH_PHOTO, REMADE);
    const bytes = bytesBelow(bed.out);
    const draft = () => {
      const { records, entries, assets, draft_files, tokens } = storeRows(bed.store.file);
      return { records, entries, assets, draft_files, tokens, row: bed.store.workspace("w") };
    };
    const before = draft();
    bed.rollback(first);
    expect(draft()).toEqual(before);
    expect(bed.publish()).toMatchObject({ versionId: second, published: true });
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });

  it("works while the draft has errors", () => {
    const bed = new TestBed();
    const [first = ""] = publishEach(bed, "One", "Two");
    bed.import(FAULTY);
    expect(bed.rollback(first)).toMatchObject({ rolledBack: true });
    expect(refusal(bed, () => bed.publish()).code).toBe("draft-has-problems");
  });

  it("can go to a later version", () => {
    const bed = new TestBed();
    const [one = "", , three = ""] = publishEach(bed, "One", "Two", "Three");
    const bytes = bytesBelow(bed.out);
    bed.rollback(one);
    expect(bed.rollback(three)).toMatchObject({ from: one, versionId: three });
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });

  it("to the current version changes nothing", () => {
    const bed = new TestBed();
    const [, second = ""] = publishEach(bed, "One", "Two");
    const [rows, states] = [storeRows(bed.store.file), statesBelow(bed.out)];
    expect(bed.rollback(second)).toEqual({
      workspaceId: "w",
      versionId: second,
      from: second,
      rolledBack: false,
      files: { written: 0, unchanged: 5, removed: 0 },
    });
    expect(storeRows(bed.store.file)).toEqual(rows);
    expect(statesBelow(bed.out)).toEqual(states);
  });

  it("to the current version repairs changed files of out/", () => {
    const bed = new TestBed();
    const [, second = ""] = publishEach(bed, "One", "Two");
    const bytes = bytesBelow(bed.out);
    writeFileSync(join(bed.out, "api/v1/projects/site/index.json"), "{}\n");
    bed.rollback(second);
    expect(bytesBelow(bed.out)).toEqual(bytes);
    expect(journal(bed)).toHaveLength(2);
  });
});

describe("R6: a rollback and other workspaces of the store", () => {
  const OTHER = smallWorkspace({ id: "other", projects: [projectOf("theirs", "home")] });

  it("leaves the others' versions, journals and files as they are", () => {
    const bed = new TestBed();
    const [first = "", theirs] = publishEach(bed, "One", OTHER, "Two");
    const ofOthers = () =>
      Object.entries(statesBelow(bed.out)).filter(([path]) => path.includes("/theirs/"));
    const before = [ofOthers(), journal(bed, "other"), bed.file("manifest.json").workspaces.other];
    expect(ofOthers()).toHaveLength(3);
    bed.rollback(first, "w");
    expect(current(bed, "other")).toBe(theirs);
    expect([ofOthers(), journal(bed, "other"), bed.file("manifest.json").workspaces.other]).toEqual(
      before,
    );
  });

  it("finds only the versions of its own workspace", () => {
    const bed = new TestBed();
    const [, theirs = ""] = publishEach(bed, "One", OTHER);
    expect(refusal(bed, () => bed.rollback(theirs, "w")).code).toBe("version-not-found");
  });

  it("F3: is refused where another workspace has published the project since", () => {
    const bed = new TestBed();
    const [first = ""] = publishEach(
      bed,
      "One",
      titled("Two", { projects: [projectOf("shop", "home")] }),
      smallWorkspace({ id: "other" }),
    );
    const error = refusal(bed, () => bed.rollback(first, "w"));
    expect(error.code).toBe("out-taken");
    expect(error.message).toMatch(/projects\/site\/.*"other"/);
  });
});
