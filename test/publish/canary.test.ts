import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import type { Entry } from "../../src/workspace/records.ts";
import { documentOn, type Parts, TestBed } from "../support/test-bed.ts";
import { CANARY, everythingIn } from "../support/workspaces/canary.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";
import { FLAG, NOTE, PROJECT, pageModel, STEP, TOUR } from "./canary-site.ts";

const PAGE = pageModel({ key: "body", type: "content-block", repeatable: true });
const SLOGAN = { key: "slogan", type: "text" };

const page = (id: string, data: Entry["data"]): Entry => ({ id, modelId: "m-page", data });
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
const home = { title: CANARY, picture: { assetId: "picture" }, next: { contentEntryId: "new" } };

/** Each has a change after the publish, which preview shows and the published surface must not. */
const DRAFTS: Record<string, Parts> = {
  "a changed entry": { entries: [page("home", { title: CANARY })] },
  "a new entry": { entries: [page("home", home), page("new", { title: CANARY })] },
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

it("R4: a refused publish writes nothing of the draft to out/", () => {
  const bed = new TestBed(PUBLISHED);
  bed.publish();
  const entries = [page("home", home), page("new", { title: { not: CANARY } })];
  bed.import({ ...PUBLISHED, entries, assets: [NEW_PICTURE.asset], files: NEW_FILES });
  expect(() => bed.publish()).toThrow("1 error");
  bed.write();
  expect(everythingIn(bed.out)).not.toContain(CANARY);
});

it("F3: publishing removes from out/ what the new version no longer has", () => {
  const bed = new TestBed({
    ...PUBLISHED,
    projects: [{ ...PROJECT, experiences: [TOUR, { ...TOUR, id: CANARY, key: CANARY }] }],
    entries: [page("home", home), page("new", { title: CANARY })],
    assets: [NEW_PICTURE.asset],
    files: NEW_FILES,
  });
  bed.publish();
  expect(everythingIn(bed.out)).toContain(CANARY);
  bed.import(PUBLISHED);
  bed.publish();
  expect(everythingIn(bed.out)).not.toContain(CANARY);
});
