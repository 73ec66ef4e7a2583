import { describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { NEIGHBOUR, STOREFRONT } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const WEB = "storefront/projects/prj_web";

/** Every view by its place, with a text that it must show. */
const VIEWS = {
  storefront: "Tarn & Trail",
  "storefront/entries": "32 entries",
  "storefront/assets": "13 assets",
  "storefront/assets/ast_logo": "Used by 2 projects",
  "storefront/models": "Parts of entries",
  "storefront/models/mdl_product": "Cairn 45 backpack",
  "storefront/blocks/blk_hero": "Entries with this block",
  "storefront/features": "on or off",
  "storefront/entries?q=tent": "entries with tent",
  "storefront/entries/page-home": "Kit for long days and changing weather",
  "storefront/entries/TT-Gully-Shell": "Size guide",
  "storefront/problems": "Errors prevent publishing",
  "storefront/changes": "publishing would create all of this",
  [WEB]: "Free delivery from",
  [`${WEB}/experiences/exp_browse`]: "Carry less, sleep better",
  [`${WEB}/experiences/exp_journal`]: "Pointers that do not resolve",
  [`${WEB}/experiences/exp_browse/changes`]: "Nothing is published yet",
  [`${WEB}/experiences/exp_browse/documents`]: "preview_token=$TOKEN",
  [`${WEB}/experiences/exp_checkout`]: "This experience has no content",
};

const browser = chromiumForTests();

describe("every view of the preview page", () => {
  const preview = shared(() => PreviewBed.ofStore(STOREFRONT, NEIGHBOUR));

  it("shows its content, and axe finds nothing serious, light and dark", async () => {
    const page = await openPage(browser(), preview());
    for (const [place, text] of Object.entries(VIEWS)) {
      await goTo(page, place);
      await page.locator("main").getByText(text).first().waitFor();
      await expectAccessible(page, place);
    }
    await page.goto(`${new URL(preview().link).origin}/?none#/storefront/entries/nothing`);
    await page.getByText("Not found").waitFor();
    await expectAccessible(page, "what is not there");
  });

  it("fits the width of the window, from a phone to a wide screen", async () => {
    const page = await openPage(browser(), preview());
    for (const place of Object.keys(VIEWS)) {
      await goTo(page, place);
      for (const width of [360, 768, 1280, 2200]) {
        await page.setViewportSize({ width, height: 800 });
        const most = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(most, `${place} at ${width}`).toBeLessThanOrEqual(width);
        await page.evaluate(() => document.querySelector(".group")?.scrollIntoView());
        expect(await page.evaluate(cutTags), `tags of ${place} at ${width}`).toEqual([]);
      }
    }
  });

  it("H23a: the first view takes nine requests at most", async () => {
    const bed = preview();
    const context = await browser().newContext();
    const asked: string[] = [];
    // Those of the worker too.
    context.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const page = await context.newPage();
    await page.goto(`${bed.link}&to=storefront`);
    await page.locator("h1").waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
    await page.locator("#nav .count").first().waitFor();
    // That nothing more is asked takes time to see.
    await page.waitForTimeout(300);
    // H34: where an entry is used comes after the view.
    const own = asked.filter((path) => !/^\/assets\/|\/where-used$/.test(path));
    expect(own, own.join(" ")).toEqual(expect.arrayContaining(["/", "/_svc/data/overview"]));
    // The events are a request of the worker, which is not seen here.
    expect(new Set(own).size, own.join(" ")).toBeLessThanOrEqual(
      own.includes("/_svc/events") ? 9 : 8,
    );
    await context.close();
  });

  it("the navigation leads to every place, with counts, and the overview says what prevents publishing", async () => {
    const page = await openPage(browser(), preview());
    await goTo(page, "storefront");
    await page.locator("#nav .count").first().waitFor();
    const places = await page.locator("#nav > ul a").allTextContents();
    expect(places).toEqual([
      "Overview",
      "Entries32",
      "Assets13",
      "Models7",
      "Problems15",
      "Changes",
      "Coming up",
      "History",
    ]);
    await page.getByRole("link", { name: "3 errors prevent publishing" }).click();
    await page.locator("h1", { hasText: "Problems" }).waitFor();
    await goTo(page, `${WEB}/experiences/exp_journal`);
    await page.locator(".view-head").getByRole("link", { name: "8 warnings" }).waitFor();
    await goTo(page, "storefront/entries/TT-Ember-Stove");
    await page.locator(".view-head").getByRole("link", { name: "1 warning" }).click();
    await page.waitForURL(/at=%2FsupplierCode/);
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
