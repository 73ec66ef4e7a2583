import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planPublish, publish } from "../../src/publish/publish.ts";
import { statesBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const photo = heldAsset("photo", "photo.png", "a photo");

/** Shows a photo. */
const WORKSPACE = smallWorkspace({
  entries: [page("home", "Home", { picture: { assetId: "photo" } })],
  assets: [photo.asset],
  files: new Map([photo.file]),
});
/** Shows the same photo in another project. */
const NEIGHBOUR = { ...WORKSPACE, id: "neighbour", projects: [projectOf("other", "home")] };

describe("F3: the files of other workspaces", () => {
  const bedOfTwo = () => {
    const bed = new TestBed(WORKSPACE, NEIGHBOUR);
    bed.publish({ workspace: "neighbour" });
    return bed;
  };
  const othersIn = (states: Record<string, string>) =>
    Object.fromEntries(Object.entries(states).filter(([path]) => path.includes("/other/")));

  it("F3: are never touched, not even when their bytes are wrong", () => {
    const bed = bedOfTwo();
    writeFileSync(join(bed.out, "api/v1/projects/other/index.json"), "{}\n");
    const states = othersIn(statesBelow(bed.out));
    expect(Object.keys(states)).toHaveLength(3);
    const { neighbour } = bed.file("manifest.json").workspaces;

    bed.publish({ workspace: "w" });
    bed.import(smallWorkspace());
    bed.publish({ workspace: "w" });
    expect(othersIn(statesBelow(bed.out))).toEqual(states);
    expect(bed.file("manifest.json").workspaces.neighbour).toEqual(neighbour);
  });

  it("F3: an asset of two workspaces is removed when the second no longer has it", () => {
    const bed = bedOfTwo();
    bed.publish({ workspace: "w" });
    bed.import(smallWorkspace());
    bed.publish({ workspace: "w" });
    expect(existsSync(join(bed.out, photo.path))).toBe(true);
    bed.import({ ...NEIGHBOUR, entries: [page("home", "Home")] });
    bed.publish({ workspace: "neighbour" });
    expect(existsSync(join(bed.out, photo.path))).toBe(false);
  });

  it("F3: a path that another workspace has published is refused before anything changes", () => {
    const bed = new TestBed(WORKSPACE);
    bed.publish();
    const { store } = new TestBed(smallWorkspace({ id: "second" }));
    const [rows, states] = [storeRows(store.file), statesBelow(bed.out)];

    const options = { strict: false, keep: 20, now: new Date(), onProgress: () => {} };
    const second = inStore(store, "second");
    const refused = expect.objectContaining({ code: "out-taken" });
    expect(() => publish(second, bed.out, options)).toThrow(refused);
    expect(() => planPublish(second, bed.out, options)).toThrow(refused);
    expect(storeRows(store.file)).toEqual(rows);
    expect(statesBelow(bed.out)).toEqual(states);
  });
});
