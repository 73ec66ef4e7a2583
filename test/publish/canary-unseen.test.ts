import { expect, it } from "vitest";
import type { Asset } from "../../src/workspace/asset.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { CANARY, everythingIn } from "../support/workspaces/canary.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";
import { FLAG, NOTE, PROJECT, pageModel, STEP, TOUR } from "./canary-site.ts";

const PAGE = pageModel({ key: "body", type: "content-block" });

const page = (id: string, data: JsonObject, modelId = "m-page"): Entry => ({ id, modelId, data });
const next = (contentEntryId: string) => ({ contentEntryId });
const held = (id: string, name: string) => heldAsset(id, `${name}.html`, `bytes of ${name}`);

const SEEN = held("seen", "seen");
const UNSEEN = held(CANARY, CANARY);
const FILES = new Map([SEEN.file, UNSEEN.file]);
const BY_URL: Asset = {
  id: "by-url",
  fileName: "film.mp4",
  mimeType: "video/mp4",
  sizeBytes: null,
  width: null,
  height: null,
  url: `https://${CANARY}.example/film.mp4`,
};

/** The page that the experience shows. */
const home = (data: JsonObject) => ({ entries: [page("home", { title: "Welcome", ...data })] });

/** Each has something that no document shows. */
const UNSEEN_PARTS: Record<string, Parts> = {
  "the workspace's name": { name: CANARY },
  "the preview token": { previewToken: CANARY },
  "a project's name": { projects: [{ ...PROJECT, name: CANARY }] },
  "a model's id": { models: [PAGE, { ...PAGE, key: "other", id: CANARY }] },
  "a block's id and category": { blocks: [{ ...NOTE, id: CANARY, category: CANARY }] },
  "a feature's id and name": { features: [{ ...FLAG, id: CANARY, name: CANARY }] },
  "a variant's id and name": {
    features: [{ ...FLAG, variants: [{ id: CANARY, key: "v", name: CANARY }] }],
  },
  "a step that an experience names and that is deleted": {
    projects: [{ ...PROJECT, experiences: [{ ...TOUR, stepIds: ["s", CANARY] }] }],
  },
  "an entry that a step names and that is deleted": {
    projects: [{ ...PROJECT, steps: [STEP, { ...STEP, id: "t", layoutContentId: CANARY }] }],
  },
  "an entry that no experience reaches": {
    entries: [page("home", { title: "Welcome" }), page(CANARY, { next: next("home") })],
  },
  "an entry that is deeper than 5": {
    entries: [
      page("home", { title: "Welcome", next: next("1") }),
      ...["1", "2", "3", "4", "5"].map((id) => page(id, { next: next(`${Number(id) + 1}`) })),
      page("6", { title: CANARY }),
    ],
  },
  "the data of an entry whose model is deleted": {
    entries: [
      page("home", { title: "Welcome", next: next("old") }),
      page("old", { title: CANARY }, "m-deleted"),
    ],
  },
  "an entry's data under a name that no field has": home({ formerly: CANARY, [CANARY]: 1 }),
  "a block's data under a name that no field has": home({
    body: { contentBlockId: "b", data: { formerly: CANARY } },
  }),
  "a project's values under a name that no field has": {
    projects: [{ ...PROJECT, fields: { formerly: CANARY } }],
  },
  "members of a block, a pointer and an asset that are not named": home({
    body: { contentBlockId: "b", data: {}, note: CANARY },
    next: { contentEntryId: "gone", data: { title: CANARY } },
    picture: { assetId: "seen", note: CANARY },
    html: { assetId: "gone", versionId: CANARY },
  }),
  "the data of a deleted block": home({
    body: { contentBlockId: `b-${CANARY}`, data: { text: CANARY } },
  }),
  "an asset that no document shows": { assets: [SEEN.asset, UNSEEN.asset, BY_URL] },
  "an asset that only an entry shows that no experience reaches": {
    entries: [page("home", { title: "Welcome" }), page("far", { picture: { assetId: CANARY } })],
    assets: [SEEN.asset, UNSEEN.asset],
  },
  "versions of an asset that no document shows": {
    ...home({ picture: { assetId: "seen" } }),
    assets: [{ ...SEEN.asset, versions: [UNSEEN.asset, { ...BY_URL, id: "v" }] }],
  },
  "an asset's own file when only a version of it is shown": {
    ...home({ picture: { assetId: "seen", versionId: "v" } }),
    assets: [{ ...UNSEEN.asset, id: "seen", versions: [{ ...SEEN.asset, id: "v" }] }],
  },
  "the name of a file that is only inlined": {
    ...home({ html: { assetId: "seen" } }),
    assets: [{ ...SEEN.asset, fileName: `${CANARY}.html` }],
  },
};

it.each(Object.entries(UNSEEN_PARTS))("service.md, F1: %s is nowhere in out/", (_, parts) => {
  const neighbour = { id: "n", entries: [page("gone", { title: CANARY })], models: [PAGE] };
  const bed = new TestBed(neighbour, {
    models: [PAGE],
    blocks: [NOTE],
    features: [FLAG],
    projects: [PROJECT],
    entries: [page("home", { title: "Welcome" })],
    assets: [SEEN.asset],
    files: FILES,
    ...parts,
  });
  bed.publish({ workspace: "w" });
  expect(everythingIn(bed.out)).toContain("Welcome");
  expect(everythingIn(bed.out)).not.toContain(CANARY);
});

it("F1: the file of an asset is in out/ only while a document has its URL", () => {
  const parts = { models: [PAGE], projects: [PROJECT], assets: [SEEN.asset], files: FILES };
  const bed = new TestBed({ ...parts, ...home({ picture: { assetId: "seen" } }) });
  bed.publish();
  expect(everythingIn(bed.out)).toContain(`/${SEEN.path}\nbytes of seen`);
  bed.import({ ...parts, ...home({ html: { assetId: "seen" } }) });
  bed.publish();
  expect(everythingIn(bed.out)).not.toContain(SEEN.path);
});
