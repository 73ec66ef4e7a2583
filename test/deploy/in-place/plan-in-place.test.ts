import { describe, expect, it } from "vitest";
import { EMPTY, type InPlaceManifest } from "../../../src/deploy/in-place/manifest.ts";
import { type InPlacePlan, planInPlace } from "../../../src/deploy/in-place/plan-in-place.ts";
import { publishedFolder, siteTexts, type Workspaces } from "../published-texts.ts";

/** The plan for all workspaces of a folder. */
function planFor(workspaces: Workspaces, deployed: InPlaceManifest = EMPTY): InPlacePlan {
  return planInPlace(publishedFolder(workspaces), Object.keys(workspaces), deployed);
}

/** The steps of a plan, one line each. */
function stepsOf({ uploads, deletes }: InPlacePlan): string[] {
  return [
    ...uploads.map(({ key, reason }) => `upload ${key}: ${reason}`),
    ...deletes.map(({ key, reason }) => `delete ${key}: ${reason}`),
  ];
}

describe("L5: the plan of a deploy in place", () => {
  it("uploads every file to the key of its URL path, without extension; contents, schema, config in this order (F3)", () => {
    expect(stepsOf(planFor({ w: siteTexts() }))).toEqual([
      "upload 404.json: new",
      "upload 503.json: new",
      "upload assets/0123456789abcdef/a b.png: new",
      "upload api/v1/projects/site/experiences/home/content: new",
      "upload api/v1/projects/site/schema: new",
      "upload api/v1/projects/site: new",
    ]);
  });

  it("has no steps the second time, and the same manifest", () => {
    const first = planFor({ w: siteTexts() });
    const second = planFor({ w: siteTexts() }, first.manifest);
    expect(stepsOf(second)).toEqual([]);
    expect(second.unchanged).toBe(6);
    expect(second.manifest).toEqual(first.manifest);
  });

  it("uploads what changed, and nothing else", () => {
    const { manifest } = planFor({ w: siteTexts() });
    const changed = { "api/v1/projects/site/schema.json": "another" };
    const plan = planFor({ w: siteTexts(changed) }, manifest);
    expect(stepsOf(plan)).toEqual(["upload api/v1/projects/site/schema: changed"]);
    expect(plan.unchanged).toBe(5);
  });

  it("uploads an object again whose headers changed", () => {
    const { manifest } = planFor({ w: siteTexts() });
    const key = "api/v1/projects/site";
    const object = manifest.objects[key];
    const headers = { ...object?.headers, "Cache-Control": "public, max-age=1" };
    const there = { ...manifest, objects: { ...manifest.objects, [key]: { ...object, headers } } };
    expect(stepsOf(planFor({ w: siteTexts() }, there as typeof manifest))).toEqual([
      `upload ${key}: headers changed`,
    ]);
  });

  it("removes what is no longer published", () => {
    const { manifest } = planFor({ w: siteTexts() });
    const { "api/v1/projects/site/experiences/home/content.json": _gone, ...rest } = siteTexts();
    const plan = planFor({ w: rest }, manifest);
    expect(stepsOf(plan)).toEqual([
      "delete api/v1/projects/site/experiences/home/content: no longer published",
    ]);
    expect(Object.keys(plan.manifest.objects)).not.toContain(
      "api/v1/projects/site/experiences/home/content",
    );
  });

  it("F3: does not touch objects of another workspace", () => {
    const other = { "api/v1/projects/shop/index.json": "shop" };
    const { manifest } = planFor({ w: siteTexts(), other });
    expect(stepsOf(planFor({ w: siteTexts() }, manifest))).toEqual([]);
    const both = publishedFolder({ w: siteTexts(), other: {} });
    expect(stepsOf(planInPlace(both, ["w"], manifest))).toEqual([]);
    expect(stepsOf(planInPlace(both, ["other"], manifest))).toEqual([
      "delete api/v1/projects/shop: no longer published",
    ]);
  });

  it("removes an asset only when no workspace uses it any more", () => {
    const asset = "assets/0123456789abcdef/a b.png";
    const { [asset]: picture = "", ...without } = siteTexts();
    const { manifest } = planFor({ w: siteTexts(), other: { [asset]: picture } });
    const first = planFor({ w: without }, manifest);
    expect(stepsOf(first)).toEqual([]);
    const last = planInPlace(publishedFolder({ other: {} }), ["other"], first.manifest);
    expect(stepsOf(last)).toEqual([`delete ${asset}: no longer published`]);
  });

  it("refuses a project that was deployed from another workspace", () => {
    const { manifest } = planFor({ w: siteTexts() });
    expect(() => planFor({ other: siteTexts() }, manifest)).toThrow(
      expect.objectContaining({ code: "project-of-another-workspace" }),
    );
  });

  it("accepts keys named like members of Object.prototype", () => {
    const odd = { "api/v1/projects/constructor/index.json": "config" };
    const first = planFor({ w: odd });
    expect(stepsOf(first)).toContain("upload api/v1/projects/constructor: new");
    expect(stepsOf(planFor({ w: odd }, first.manifest))).toEqual([]);
  });
});
