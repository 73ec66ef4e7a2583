import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { NEIGHBOUR, STOREFRONT } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { chromiumForTests } from "./browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WEB = "storefront/projects/prj_web";

/** Every view by its place, with a text that it must show. */
const VIEWS = {
  storefront: "Tarn & Trail",
  "storefront/entries": "32 entries",
  "storefront/entries?q=tent": "entries with tent",
  "storefront/entries/page-home": "Kit for long days and changing weather",
  "storefront/entries/TT-Gully-Shell": "Size guide",
  "storefront/problems": "The list of svc check",
  "storefront/changes": "publishing would create all of this",
  [WEB]: "Free delivery from",
  [`${WEB}/experiences/exp_browse`]: "Carry less, sleep better",
  [`${WEB}/experiences/exp_browse/graph`]: "Pointers that do not resolve",
  [`${WEB}/experiences/exp_journal/graph`]: "Entries by distance",
  [`${WEB}/experiences/exp_browse/changes`]: "Nothing is published yet",
  [`${WEB}/experiences/exp_browse/documents`]: "preview_token=$TOKEN",
  [`${WEB}/experiences/exp_checkout`]: "This experience has no content",
};

const browser = chromiumForTests();

describe("every view of the preview page", { timeout: 120_000 }, () => {
  let bed: PreviewBed;
  beforeEach(async () => {
    bed = await PreviewBed.ofStore(STOREFRONT, NEIGHBOUR);
  }, 30_000);

  for (const colorScheme of ["light", "dark"] as const) {
    it(`shows its content, and axe finds nothing serious (${colorScheme})`, async () => {
      const page = await openPage(browser(), bed, { colorScheme });
      for (const [place, text] of Object.entries(VIEWS)) {
        await goTo(page, place);
        const main = page.locator("main");
        await main.getByText(text).first().waitFor({ timeout: 5000 });
        expect(await seriousFindings(page), `${place} in ${colorScheme}`).toEqual([]);
      }
      await page.goto(`${new URL(bed.link).origin}/?none#/storefront/entries/nothing`);
      await page.getByText("Not found").waitFor();
      expect(await seriousFindings(page), "what is not there").toEqual([]);
    });
  }

  it("fits the width of the window, from a phone to a wide screen", async () => {
    for (const width of [360, 768, 1280, 2200]) {
      const page = await openPage(browser(), bed, { viewport: { width, height: 800 } });
      for (const place of Object.keys(VIEWS)) {
        await goTo(page, place);
        const most = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(most, `${place} at ${width}`).toBeLessThanOrEqual(width);
        await page.evaluate(() => document.querySelector(".group")?.scrollIntoView());
        expect(await page.evaluate(cutTags), `tags of ${place} at ${width}`).toEqual([]);
      }
    }
  });

  it("a workspace without projects: the notice about that is separate from the panels", async () => {
    const page = await openPage(browser(), await PreviewBed.of(workspaceFolder({})));
    const empty = await page.locator("main .empty").boundingBox();
    const panels = await page.locator("main .panels").boundingBox();
    expect(empty?.y).toBeGreaterThan((panels?.y ?? 0) + (panels?.height ?? 0) + 15);
  });
});

/** Tags that overflow the window or are clipped. */
function cutTags(): string[] {
  return [...document.querySelectorAll(".row .tag")]
    .filter((tag) => {
      const isCut = tag.scrollHeight > tag.clientHeight || tag.scrollWidth > tag.clientWidth;
      return isCut || tag.getBoundingClientRect().right > innerWidth;
    })
    .map((tag) => tag.textContent ?? "");
}

/** The serious and critical findings of axe, with their places. */
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
