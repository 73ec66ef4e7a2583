import { describe, expect, it } from "vitest";
import { planInPlace } from "../../../src/deploy/in-place/plan-in-place.ts";
import { publishedFolder, siteTexts } from "../published-texts.ts";
import { planFor, told } from "./in-place-plans.ts";

const claim = {
  deploy: "d",
  by: { host: "host", pid: 1 },
  beat: 0,
  isStopped: true,
  workspaces: ["w"],
};

describe("L5: the plan of a deploy in place", () => {
  it("puts every file at the API's own address, without extension; contents, schema, config in this order (F3)", () => {
    expect(told(planFor({ w: siteTexts() }))).toEqual([
      "upload 404.json: new",
      "upload 503.json: new",
      "upload assets/0123456789abcdef/a b.png: new",
      "upload api/v1/projects/site/experiences/home/content: new",
      "upload api/v1/projects/site/schema: new",
      "upload api/v1/projects/site: new",
    ]);
  });

  it("is empty the second time, and its manifest the same", () => {
    const first = planFor({ w: siteTexts() });
    const second = planFor({ w: siteTexts() }, first.manifest);
    expect(told(second)).toEqual([]);
    expect(second.unchanged).toBe(6);
    expect(second.manifest).toEqual(first.manifest);
  });

  it("uploads what changed, and nothing else", () => {
    const { manifest } = planFor({ w: siteTexts() });
    const changed = { "api/v1/projects/site/schema.json": "another" };
    const plan = planFor({ w: siteTexts(changed) }, manifest);
    expect(told(plan)).toEqual(["upload api/v1/projects/site/schema: changed"]);
    expect(plan.unchanged).toBe(5);
  });

  it("uploads an object again whose headers changed", () => {
    const { manifest } = planFor({ w: siteTexts() });
    const key = "api/v1/projects/site";
    const object = manifest.objects[key];
    const headers = { ...object?.headers, "Cache-Control": "public, max-age=1" };
    const there = { ...manifest, objects: { ...manifest.objects, [key]: { ...object, headers } } };
    expect(told(planFor({ w: siteTexts() }, there as typeof manifest))).toEqual([
      `upload ${key}: headers changed`,
    ]);
  });

  it("removes what is published no more", () => {
    const { manifest } = planFor({ w: siteTexts() });
    const { "api/v1/projects/site/experiences/home/content.json": _gone, ...rest } = siteTexts();
    const plan = planFor({ w: rest }, manifest);
    expect(told(plan)).toEqual([
      "delete api/v1/projects/site/experiences/home/content: published no more",
    ]);
    expect(Object.keys(plan.manifest.objects)).not.toContain(
      "api/v1/projects/site/experiences/home/content",
    );
  });

  it("never touches what belongs to another workspace (F3)", () => {
    const other = { "api/v1/projects/shop/index.json": "shop" };
    const { manifest } = planFor({ w: siteTexts(), other });
    expect(told(planFor({ w: siteTexts() }, manifest))).toEqual([]);
    const both = publishedFolder({ w: siteTexts(), other: {} });
    expect(told(planInPlace(both, ["w"], manifest))).toEqual([]);
    expect(told(planInPlace(both, ["other"], manifest))).toEqual([
      "delete api/v1/projects/shop: published no more",
    ]);
  });

  it("removes an asset only when the last workspace that shows it does so no more", () => {
    const asset = "assets/0123456789abcdef/a b.png";
    const { [asset]: picture = "", ...without } = siteTexts();
    const { manifest } = planFor({ w: siteTexts(), other: { [asset]: picture } });
    const first = planFor({ w: without }, manifest);
    expect(told(first)).toEqual([]);
    const last = planInPlace(publishedFolder({ other: {} }), ["other"], first.manifest);
    expect(told(last)).toEqual([`delete ${asset}: published no more`]);
  });

  it("refuses a project that was deployed from another workspace", () => {
    const { manifest } = planFor({ w: siteTexts() });
    expect(() => planFor({ other: siteTexts() }, manifest)).toThrow(
      expect.objectContaining({ code: "project-of-another-workspace" }),
    );
  });

  it("uploads and removes again whatever an unfinished deploy may have written", () => {
    const { manifest } = planFor({ w: siteTexts() });
    const touches = ["api/v1/projects/site", "api/v1/projects/new/schema"];
    const plan = planFor({ w: siteTexts() }, { ...manifest, claim: { ...claim, touches } });
    expect(told(plan)).toEqual([
      "upload api/v1/projects/site: an unfinished deploy may have written it",
      "delete api/v1/projects/new/schema: an unfinished deploy may have written it",
    ]);
    expect(plan.manifest).toEqual(manifest);
  });

  it("leaves what another workspace's unfinished deploy may have written to that workspace", () => {
    const other = { "api/v1/projects/shop/index.json": "shop" };
    const { manifest } = planFor({ w: siteTexts(), other });
    const touches = ["api/v1/projects/shop", "api/v1/projects/shop/schema"];
    const left = { ...manifest, claim: { ...claim, workspaces: ["other"], touches } };
    const mine = planFor({ w: siteTexts() }, left);
    expect(told(mine)).toEqual([]);
    expect(Object.keys(mine.manifest.unsure)).toEqual(touches);
    const theirs = planFor({ other }, mine.manifest);
    expect(told(theirs)).toEqual([
      "upload api/v1/projects/shop: an unfinished deploy may have written it",
      "delete api/v1/projects/shop/schema: an unfinished deploy may have written it",
    ]);
    expect(theirs.manifest.unsure).toEqual({});
  });

  it("keeps members named as those of every object", () => {
    const odd = { "api/v1/projects/constructor/index.json": "config" };
    const first = planFor({ w: odd });
    expect(told(first)).toContain("upload api/v1/projects/constructor: new");
    expect(told(planFor({ w: odd }, first.manifest))).toEqual([]);
  });
});
