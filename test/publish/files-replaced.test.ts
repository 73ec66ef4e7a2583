import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bytesBelow, foldersBelow, pathsBelow, statesBelow } from "../support/file-tree.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import { changesBelow } from "./file-changes.ts";

const photo = heldAsset("photo", "photo.png", "a photo");
const PICTURE = { picture: { assetId: "photo" } };

/** A workspace of two projects with two pages, whose pages show the photo. */
const SHOP = {
  projects: [projectOf("site", "home", "help"), projectOf("kiosk", "help")],
  entries: [page("home", "Home", PICTURE), page("help", "Help", PICTURE)],
  assets: [photo.asset],
  files: new Map([photo.file]),
} satisfies Parts;
const WORKSPACE = smallWorkspace(SHOP);

const SITE = "api/v1/projects/site";
const INDEX = `${SITE}/index.json`;

describe("F3: publishing", () => {
  it("F3: writes assets, contents, schemas, configs in this order; manifest.json is last", () => {
    const bed = new TestBed(WORKSPACE);
    expect(changesBelow(bed.out, () => bed.publish())).toEqual([
      `put ${photo.path}`,
      "put api/v1/projects/kiosk/experiences/help/content.json",
      `put ${SITE}/experiences/home/content.json`,
      `put ${SITE}/experiences/help/content.json`,
      "put api/v1/projects/kiosk/schema.json",
      `put ${SITE}/schema.json`,
      "put api/v1/projects/kiosk/index.json",
      `put ${INDEX}`,
      "put 404.json",
      "put manifest.json",
    ]);
  });

  it("F3: writes a version of a store in the same order", () => {
    const bed = new TestBed(WORKSPACE);
    bed.publish();
    rmSync(bed.out, { recursive: true });
    const kinds = changesBelow(bed.out, () => bed.write()).map(
      (change) => /assets|content|schema|index|404|manifest/.exec(change)?.[0],
    );
    expect(kinds).toEqual([
      ...["assets", "content", "content", "content", "schema", "schema", "index", "index"],
      ...["404", "manifest"],
    ]);
  });

  it("F3: removes files after the last document is written, before manifest.json", () => {
    const bed = new TestBed(WORKSPACE);
    bed.publish();
    bed.import(smallWorkspace());
    expect(changesBelow(bed.out, () => bed.publish())).toEqual([
      `put ${SITE}/experiences/home/content.json`,
      `put ${SITE}/schema.json`,
      `put ${INDEX}`,
      "remove api/v1/projects/kiosk/experiences/help/content.json",
      "remove api/v1/projects/kiosk/index.json",
      "remove api/v1/projects/kiosk/schema.json",
      `remove ${SITE}/experiences/help/content.json`,
      `remove ${photo.path}`,
      "put manifest.json",
    ]);
    expect(pathsBelow(bed.out)).toEqual([
      "404.json",
      `${SITE}/experiences/home/content.json`,
      INDEX,
      `${SITE}/schema.json`,
      "manifest.json",
    ]);
    expect(foldersBelow(bed.out), "no empty folder is left").toEqual([
      "api",
      "api/v1",
      "api/v1/projects",
      SITE,
      `${SITE}/experiences`,
      `${SITE}/experiences/home`,
    ]);
  });

  it("F3: replaces a file atomically: a process that has it open reads the old bytes", () => {
    const bed = new TestBed(WORKSPACE);
    bed.publish();
    const path = join(bed.out, INDEX);
    const [before, inode] = [readFileSync(path, "utf8"), statSync(path).ino];
    const open = openSync(path, "r");
    onTestFinished(() => closeSync(open));
    bed.import({ ...WORKSPACE, projects: [projectOf("site", "home"), projectOf("kiosk", "help")] });
    bed.publish();
    expect(readFileSync(open, "utf8")).toBe(before);
    expect(readFileSync(path, "utf8")).not.toBe(before);
    expect(statSync(path).ino).not.toBe(inode);
  });

  it("F3: does not touch an unchanged file, and repairs a changed one", () => {
    const bed = new TestBed(WORKSPACE);
    bed.publish();
    const states = statesBelow(bed.out);
    const bytes = bytesBelow(bed.out);
    const right = readFileSync(join(bed.out, INDEX), "utf8");
    writeFileSync(join(bed.out, INDEX), right.replace("Step", "Spet"));

    expect(bed.write().files).toEqual({ written: 1, unchanged: 9, removed: 0 });
    const { [INDEX]: repaired, ...others } = statesBelow(bed.out);
    expect(states).toMatchObject(others);
    expect(states[INDEX]).not.toBe(repaired);
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });
});
