import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { TestBed } from "../support/test-bed.ts";
import { summaries } from "./problem-summaries.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");

function withFixtures(...names: readonly string[]): TestBed {
  const bed = new TestBed();
  for (const name of names) bed.store.import(readFolder(join(FIXTURES, name)), new Date());
  return bed;
}

describe("the example workspaces", () => {
  it("P3: the storefront shows every warning, each with a reason that readers cannot see", () => {
    const bed = withFixtures("storefront", "neighbour");
    // Sorted here, so that the list reads by code.
    expect(summaries(bed.check("storefront")).sort()).toEqual([
      "warning asset-missing entry TT-Lull-Bag#/photos/1",
      "warning asset-missing entry article-northfell-day-3#/map",
      "warning block-deleted entry page-gifts#/banner",
      "warning block-deleted entry page-home#/sections/1",
      "warning experience-step-missing project prj_web#/experiences/1/stepIds/2",
      "warning field-unknown entry TT-Ember-Stove#/supplierCode",
      "warning html-unreadable entry TT-Cairn-45#/sizeGuide",
      "warning html-unreadable entry policy-repairs#/terms",
      "warning model-missing entry event-repair-evening#",
      "warning reference-deleted entry page-help#/related/1",
      "warning reference-deleted entry page-kiosk#/sections/0/data/content/0/data/products/2",
      "warning reference-other-workspace entry page-help#/related/2",
      "warning reference-too-deep entry article-northfell-day-5#/next",
      "warning step-entry-missing project prj_web#/steps/3/layoutContentId",
    ]);
  });

  it("P3: alone in the store, the storefront's pointer to the neighbour is reported as deleted", () => {
    const problems = summaries(withFixtures("storefront").check());
    expect(problems).toHaveLength(14);
    expect(problems).toContain("warning reference-deleted entry page-help#/related/2");
  });

  it("P3: warnings refuse no publish (R4), and the other two examples have none", () => {
    const bed = withFixtures("neighbour", "starter", "storefront");
    expect(bed.check("neighbour")).toEqual([]);
    expect(bed.check("starter")).toEqual([]);
    expect(bed.publish({ workspace: "storefront" })).toMatchObject({ published: true });
  });
});
