import { describe, expect, it } from "vitest";
import { STOREFRONT } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

describe("lists on the preview page", () => {
  it("H28, H29: what queries find, a project's collections, and what made an experience are told", async () => {
    const page = await openPage(browser(), await PreviewBed.of(STOREFRONT));
    const told = [
      ["entries/collection-wild-camping", "Found by a query: Product where Main collection is"],
      ["entries/page-home", "Found by a query: Article, by Published at (newest first), at most 3"],
      ["projects/prj_web", "2 pages of 5, by Published at (newest first)"],
      [
        "projects/prj_web/experiences/article-northfell-way-day-1",
        "Made by a collection of Article",
      ],
      ["projects/prj_web/experiences/journal-2", "A page of the list of a collection of Article"],
    ] as const;
    for (const [place, words] of told) {
      await goTo(page, `storefront/${place}`);
      await page.getByText(words).first().waitFor();
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBe(390);
      await expectAccessible(page, place);
    }
  });
});
