import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { planPublish, publish } from "../../src/publish/publish.ts";
import type { Asset } from "../../src/workspace/asset.ts";
import { bytesBelow, foldersBelow, pathsBelow, statesBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import { changesBelow } from "./file-changes.ts";

const shown = heldAsset("shown", "on a page.png", "shown by a page");
const earlier = heldAsset("v1", "earlier.png", "an earlier version of it");
const logo = heldAsset("logo", "logo.svg", "<svg/>", "image/svg+xml");
const terms = heldAsset("terms", "terms.html", "<p>Terms</p>", "text/html");
const hidden = heldAsset("hidden", "hidden.png", "shown by nothing");
const remote: Asset = { ...hidden.asset, id: "remote", url: "https://cdn.example/remote.png" };
const HELD = [shown, earlier, logo, terms, hidden];

/** Assets of every kind, a step without an entry, and an entry that no document shows. */
const WITH_ASSETS: Parts = {
  fields: [{ key: "logo", type: "asset" }],
  models: [
    {
      ...PAGE_MODEL,
      fields: [...PAGE_MODEL.fields, { key: "terms", type: "html-asset" }],
    },
  ],
  projects: [
    { ...projectOf("site", "home", "gone"), fields: { logo: { assetId: "logo" } } },
    projectOf("empty"),
  ],
  entries: [
    page("home", "Home", {
      picture: { assetId: "shown" },
      terms: { assetId: "terms" },
      next: { contentEntryId: "more" },
    }),
    page("more", "More", { picture: { assetId: "shown", versionId: "v1" } }),
    page("unused", "Unused", { picture: { assetId: "hidden" } }),
  ],
  assets: [
    { ...shown.asset, versions: [earlier.asset] },
    logo.asset,
    terms.asset,
    hidden.asset,
    remote,
  ],
  files: new Map(HELD.map(({ file }) => file)),
};

describe("F1: the files below out/", () => {
  it("F1: are the documents, the assets of documents, 404.json and manifest.json", () => {
    const bed = new TestBed(WITH_ASSETS);
    bed.publish();
    expect(pathsBelow(bed.out)).toEqual(
      [
        "404.json",
        "api/v1/projects/empty/index.json",
        "api/v1/projects/empty/schema.json",
        "api/v1/projects/site/experiences/home/content.json",
        "api/v1/projects/site/index.json",
        "api/v1/projects/site/schema.json",
        shown.path,
        earlier.path,
        logo.path,
        "manifest.json",
      ].sort(),
    );
    for (const { path, file } of [shown, earlier, logo]) {
      expect(readFileSync(join(bed.out, path))).toEqual(file[1]);
    }
  });

  it("F1: manifest.json has every file's sha256 and size, and each workspace's version id", () => {
    const bed = new TestBed(
      WITH_ASSETS,
      smallWorkspace({ id: "x", projects: [projectOf("other", "home")] }),
    );
    const [w, x] = ["w", "x"].map((workspace) => bed.publish({ workspace }).versionId);
    const facts = (belongs: (path: string) => boolean) =>
      Object.fromEntries(
        pathsBelow(bed.out)
          .filter(belongs)
          .map((path) => {
            const bytes = readFileSync(join(bed.out, path));
            const sha256 = createHash("sha256").update(bytes).digest("hex");
            return [path, { sha256, size: bytes.byteLength }];
          }),
      );
    const isOther = (path: string) => path.startsWith("api/v1/projects/other/");
    const isShared = (path: string) => path === "404.json";
    const isOwn = (path: string) => !isOther(path) && !isShared(path) && path !== "manifest.json";
    expect(bed.file("manifest.json")).toEqual({
      files: facts(isShared),
      workspaces: {
        w: { versionId: w, files: facts(isOwn) },
        x: { versionId: x, files: facts(isOther) },
      },
    });
  });

  it("H4: 404.json is a problem document that says nothing is published", () => {
    const bed = new TestBed(WITH_ASSETS);
    bed.publish();
    expect(bed.file("404.json")).toMatchObject({ code: "not-found", status: 404 });
  });
});

const PHOTO = heldAsset("photo", "photo.png", "a photo");
const PICTURE = { picture: { assetId: "photo" } };

/** A workspace of two projects with two pages, whose pages show the PHOTO. */
const SHOP = {
  projects: [projectOf("site", "home", "help"), projectOf("kiosk", "help")],
  entries: [page("home", "Home", PICTURE), page("help", "Help", PICTURE)],
  assets: [PHOTO.asset],
  files: new Map([PHOTO.file]),
} satisfies Parts;
const TWO_PROJECTS = smallWorkspace(SHOP);

const SITE = "api/v1/projects/site";
const INDEX = `${SITE}/index.json`;

describe("F3: publishing", () => {
  it("F3: writes assets, contents, schemas, configs in this order; manifest.json is last", () => {
    const bed = new TestBed(TWO_PROJECTS);
    expect(changesBelow(bed.out, () => bed.publish())).toEqual([
      `put ${PHOTO.path}`,
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

  it("F3: removes files after the last document is written, before manifest.json", () => {
    const bed = new TestBed(TWO_PROJECTS);
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
      `remove ${PHOTO.path}`,
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
    const bed = new TestBed(TWO_PROJECTS);
    bed.publish();
    const path = join(bed.out, INDEX);
    const [before, inode] = [readFileSync(path, "utf8"), statSync(path).ino];
    const open = openSync(path, "r");
    onTestFinished(() => closeSync(open));
    bed.import({
      ...TWO_PROJECTS,
      projects: [projectOf("site", "home"), projectOf("kiosk", "help")],
    });
    bed.publish();
    expect(readFileSync(open, "utf8")).toBe(before);
    expect(readFileSync(path, "utf8")).not.toBe(before);
    expect(statSync(path).ino).not.toBe(inode);
  });

  it("F3: does not touch an unchanged file, and repairs a changed one", () => {
    const bed = new TestBed(TWO_PROJECTS);
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

/** Shows a PHOTO. */
const WORKSPACE = smallWorkspace({
  entries: [page("home", "Home", { picture: { assetId: "photo" } })],
  assets: [PHOTO.asset],
  files: new Map([PHOTO.file]),
});

describe("F3: the files of other workspaces", () => {
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

/** What is in the way, and a file that puts it there. */
const OBSTRUCTIONS = [
  ["out/ is a file", "out"],
  ["api/ is a file", "out/api"],
  ["a document is a folder", "out/api/v1/projects/site/index.json/file"],
  ["404.json is a folder", "out/404.json/file"],
  ["manifest.json is a folder", "out/manifest.json/file"],
] as const;

function obstructedBed(path: string) {
  const bed = new TestBed(smallWorkspace());
  mkdirSync(dirname(join(bed.folder, path)), { recursive: true });
  writeFileSync(join(bed.folder, path), "in the way");
  const state = () => {
    const files = pathsBelow(bed.folder).filter((file) => !file.startsWith("workspace.db"));
    return { files, rows: storeRows(bed.store.file) };
  };
  return { bed, state };
}

it.each(OBSTRUCTIONS)("cli.md: publish, and --dry-run, change nothing when %s", (_what, path) => {
  const { bed, state } = obstructedBed(path);
  const before = state();
  for (const dryRun of [true, false]) expect(() => bed.publish({ dryRun })).toThrow();
  expect(state()).toEqual(before);
});
