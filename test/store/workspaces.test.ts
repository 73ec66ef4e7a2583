import { describe, expect, it } from "vitest";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

describe("I1: project ids of a store differ in more than letter case", () => {
  it.each(["site", "SITE", "sItE"])("I1: no other workspace can have the project %s", (id) => {
    const bed = new TestBed(smallWorkspace());
    const rows = storeRows(bed.store.file);
    const projects = [projectOf("free", "home"), projectOf(id, "home")];
    const second = smallWorkspace({ id: "second", projects });
    expect(() => bed.import(second)).toThrow(
      expect.objectContaining({
        code: "project-taken",
        message: expect.stringMatching(new RegExp(`"${id}".*"w"`)),
      }),
    );
    expect(storeRows(bed.store.file)).toEqual(rows);
    bed.import({ ...second, projects: [projectOf("site2", "home")] });
  });

  it("I1: the id of a project that is still published cannot be used by another workspace", () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.import(smallWorkspace({ projects: [projectOf("renamed", "home")] }));
    const second = smallWorkspace({ id: "second", projects: [projectOf("Site", "home")] });
    expect(() => bed.import(second)).toThrow(expect.objectContaining({ code: "project-taken" }));
    bed.publish({ workspace: "w" });
    bed.import(second);
  });

  it("I1: a workspace can import its own projects again", () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.import(smallWorkspace({ projects: [projectOf("SITE", "home")] }));
    expect(bed.store.workspaceOfProject("SITE")?.id).toBe("w");
    expect(bed.store.workspaceOfProject("site")).toBeUndefined();
  });
});

describe("the bytes of assets", () => {
  const photo = heldAsset("photo", "photo.png", "a photo");
  const shared = heldAsset("shared", "shared.png", "shared");
  const withAssets = smallWorkspace({
    entries: [page("home", "Home", { picture: { assetId: "photo" } })],
    assets: [photo.asset, shared.asset],
    files: new Map([photo.file, shared.file]),
  });
  const heldIn = (bed: TestBed) =>
    (storeRows(bed.store.file).files ?? []).map((row) => JSON.parse(row)[1]).sort();

  it("are deleted when no draft and no version uses them", () => {
    const bed = new TestBed(withAssets, {
      id: "second",
      assets: [shared.asset],
      files: new Map([shared.file]),
    });
    expect(heldIn(bed)).toEqual(["a photo", "shared"]);
    bed.import(smallWorkspace());
    expect(heldIn(bed)).toEqual(["shared"]);
    bed.import({ id: "second" });
    expect(heldIn(bed)).toEqual([]);
  });

  it("are kept as long as a version uses them", () => {
    const bed = new TestBed(withAssets);
    bed.publish();
    bed.import(smallWorkspace());
    expect(heldIn(bed)).toEqual(["a photo"]);
    bed.publish();
    bed.import(smallWorkspace());
    expect(heldIn(bed), "an earlier version can be made current again").toEqual(["a photo"]);
  });
});

describe("cli.md: --workspace", () => {
  const refusal = (code: string, hint: RegExp) =>
    expect.objectContaining({ code, hint: expect.stringMatching(hint) });

  it("is optional when the store has one workspace", () => {
    const bed = new TestBed();
    expect(() => bed.store.workspace(undefined)).toThrow(
      refusal("workspace-not-found", /svc import/),
    );
    bed.import({ id: "w" });
    expect(bed.store.workspace(undefined).id).toBe("w");
    bed.import({ id: "v" });
    expect(() => bed.store.workspace(undefined)).toThrow(
      refusal("workspace-ambiguous", /--workspace.*"v", "w"/),
    );
    expect(bed.store.workspace("v").id).toBe("v");
    expect(() => bed.store.workspace("W")).toThrow(refusal("workspace-not-found", /"v", "w"/));
  });
});
