import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Asset } from "../../src/workspace/asset.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const shown = heldAsset("shown", "on a page.png", "shown by a page");
const earlier = heldAsset("v1", "earlier.png", "an earlier version of it");
const logo = heldAsset("logo", "logo.svg", "<svg/>", "image/svg+xml");
const terms = heldAsset("terms", "terms.html", "<p>Terms</p>", "text/html");
const hidden = heldAsset("hidden", "hidden.png", "shown by nothing");
const remote: Asset = { ...hidden.asset, id: "remote", url: "https://cdn.example/remote.png" };
const HELD = [shown, earlier, logo, terms, hidden];

/** Assets of every kind, a step without an entry, and an entry that no document shows. */
const SHOP: Parts = {
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
    ...[logo.asset, terms.asset, hidden.asset, remote],
  ],
  files: new Map(HELD.map(({ file }) => file)),
};

describe("F1: the files below out/", () => {
  it("F1: are the documents, the assets of documents, 404.json and manifest.json", () => {
    const bed = new TestBed(SHOP);
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
      SHOP,
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
    const bed = new TestBed(SHOP);
    bed.publish();
    expect(bed.file("404.json")).toMatchObject({ code: "not-found", status: 404 });
  });
});
