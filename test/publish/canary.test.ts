import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import type { Asset } from "../../src/workspace/asset.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Block, Entry, Feature, Model, Project, Step } from "../../src/workspace/records.ts";
import { documentOn, type Parts, TestBed } from "../support/test-bed.ts";
import { CANARY, everythingIn } from "../support/workspaces/canary.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";

/** The model of pages, with a field of content blocks. */
function pageModel(body: FieldDefinition): Model {
  return {
    id: "m-page",
    key: "page",
    name: "Page",
    fields: [
      { key: "title", type: "text" },
      { key: "picture", type: "asset" },
      { key: "html", type: "html-asset" },
      body,
      { key: "next", type: "reference" },
    ],
  };
}

const NOTE: Block = {
  id: "b",
  key: "note",
  name: "Note",
  fields: [{ key: "text", type: "text" }],
};
const FLAG: Feature = { id: "f", key: "layout", name: "Layout", type: "text", variants: [] };
const STEP: Step = {
  id: "s",
  key: "start",
  name: "Start",
  layoutName: "P",
  layoutContentId: "home",
};
const TOUR = { id: "x", key: "tour", name: "Tour", stepIds: ["s"] };
const PROJECT: Project = { id: "p", name: "P", steps: [STEP], experiences: [TOUR] };

const ONE_BODY = pageModel({ key: "body", type: "content-block" });

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
  "the preview token": { previewToken: CANARY.repeat(2) },
  "a project's name": { projects: [{ ...PROJECT, name: CANARY }] },
  "a model's id": { models: [ONE_BODY, { ...ONE_BODY, key: "other", id: CANARY }] },
  "a block's id and category": { blocks: [{ ...NOTE, id: CANARY, category: CANARY }] },
  "a feature's id and name": { features: [{ ...FLAG, id: CANARY, name: CANARY }] },
  "a variant's id and name": {
    features: [{ ...FLAG, variants: [{ id: CANARY, key: "v", name: CANARY }] }],
  },
  "a step that an experience names and that is deleted": {
    projects: [{ ...PROJECT, experiences: [{ ...TOUR, stepIds: ["s", CANARY] }] }],
  },
  "an entry that a step names and that is deleted": {
    projects: [
      { ...PROJECT, steps: [STEP, { ...STEP, id: "t", key: "t", layoutContentId: CANARY }] },
    ],
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
  const neighbour = { id: "n", entries: [page("gone", { title: CANARY })], models: [ONE_BODY] };
  const bed = new TestBed(neighbour, {
    models: [ONE_BODY],
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

const PAGE = pageModel({ key: "body", type: "content-block", repeatable: true });
const SLOGAN = { key: "slogan", type: "text" };

const variant = (key: string, name: string) => ({ id: `v-${key}`, key, name });

const PICTURE = heldAsset("picture", "picture.png", "what is published");
const PUBLISHED: Parts = {
  models: [PAGE],
  blocks: [NOTE],
  features: [FLAG],
  fields: [SLOGAN],
  projects: [PROJECT],
  entries: [page("home", { title: "Home", picture: { assetId: "picture" } })],
  assets: [PICTURE.asset],
  files: new Map([PICTURE.file]),
};

const NEW_PICTURE = heldAsset("picture", `${CANARY}.png`, `${CANARY} of a new file`);
const NEW_FILES = new Map([NEW_PICTURE.file]);
const HOME = { title: CANARY, picture: { assetId: "picture" }, next: { contentEntryId: "new" } };

/** Each has a change after the publish, which preview shows and the published surface must not. */
const DRAFTS: Record<string, Parts> = {
  "a changed entry": { entries: [page("home", { title: CANARY })] },
  "a new entry": { entries: [page("home", HOME), page("new", { title: CANARY })] },
  "a new asset file": { assets: [NEW_PICTURE.asset], files: NEW_FILES },
  "a project field": { projects: [{ ...PROJECT, fields: { slogan: CANARY } }] },
  "a step's name": { projects: [{ ...PROJECT, steps: [{ ...STEP, name: CANARY }] }] },
  "an experience": {
    projects: [{ ...PROJECT, experiences: [TOUR, { ...TOUR, id: CANARY, key: CANARY }] }],
  },
  "a feature": { features: [{ ...FLAG, key: CANARY, variants: [variant(CANARY, "New")] }] },
  "a model": { models: [PAGE, { ...PAGE, id: "m-new", key: CANARY }] },
  "a field": { models: [{ ...PAGE, fields: [...PAGE.fields, { key: CANARY, type: "json" }] }] },
  "a block": { blocks: [{ ...NOTE, name: CANARY }] },
  "the address of assets": { assetBaseUrl: `https://${CANARY}.example` },
};

it.each(Object.entries(DRAFTS))("service.md: %s in the draft alone is not in out/", (_, draft) => {
  const bed = new TestBed(PUBLISHED);
  bed.publish();
  bed.import({ ...PUBLISHED, ...draft });
  const shown = [
    documentOn(bed, "preview", { kind: "project", projectId: "p" }),
    documentOn(bed, "preview", { kind: "schema", projectId: "p" }),
    documentOn(bed, "preview", { kind: "content", projectId: "p", experienceId: "x" }),
    documentOn(bed, "preview", { kind: "content", projectId: "p", experienceId: CANARY }),
  ];
  expect(JSON.stringify(shown)).toContain(CANARY);
  bed.publish({ dryRun: true });
  expect(everythingIn(bed.out)).not.toContain(CANARY);
  bed.write();
  expect(everythingIn(bed.out)).not.toContain(CANARY);
  rmSync(bed.out, { recursive: true });
  bed.write();
  expect(everythingIn(bed.out)).toContain("what is published");
  expect(everythingIn(bed.out)).not.toContain(CANARY);
  bed.publish();
  expect(everythingIn(bed.out)).toContain(CANARY);
});
