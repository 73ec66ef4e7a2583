import { describe, expect, it } from "vitest";
import { STOREFRONT } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { makeSite } from "../support/workspaces/make-site.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

describe("tables and where things are used", () => {
  it("H34, H36: an entry and an asset say where they are used; assets are a grid with filters", async () => {
    const bed = await PreviewBed.of(STOREFRONT);
    const page = await openPage(browser(), bed);
    const used = page.locator(".where-used");
    await goTo(page, "storefront/entries/TT-Drift-Mat");
    await used.getByText("On 16 pages: Find kit (In-store kiosk)").waitFor();
    await used.getByText("Used by 5 entries:").waitFor();
    await used.getByRole("button", { name: "and 13 more" }).click();
    expect(await used.locator("p").first().getByRole("link").count()).toBe(16);
    await used.getByRole("link", { name: "Wild camping" }).click();
    await page.getByRole("heading", { level: 1, name: "Wild camping" }).waitFor();
    await goTo(page, "storefront/entries");
    await page.locator(".table-row .thumb").first().waitFor();
    await goTo(page, "storefront/assets");
    await page.getByText("13 assets").waitFor();
    const logo = page.getByRole("link", { name: /tarn-and-trail-logo/ });
    await logo.getByText("1 page", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Pictures", exact: true }).click();
    await page.getByLabel("Filter by title, file or id").fill("logo");
    await page.getByText("1 asset", { exact: true }).waitFor();
    await page.reload();
    await logo.click();
    await used.getByText("Used by 2 projects:").waitFor();
    expect(await page.locator("figure img").getAttribute("src")).toMatch(/^\/assets\//);
    await goTo(page, "storefront/assets?only=missing");
    await page.locator(".asset-card").first().click();
    await page.getByText("Content names this asset").waitFor();
    await used.getByText(/^Used by/).waitFor();
    await goTo(page, "storefront/features");
    await page.getByText("on or off").first().waitFor();
  });

  it("H23, H35: a model is a page with its fields and a table, which is sorted and filtered, also of 10,000", async () => {
    const bed = new PreviewBed();
    const { entries } = makeSite(bed.content, { experiences: 960, dangling: 0.01 });
    await bed.start();
    const page = await openPage(browser(), bed);
    await goTo(page, "bench/entries");
    const rows = page.locator(".table-row");
    const status = page.locator(".table-count");
    const titles = () => rows.locator(".row-title").allTextContents();
    await rows
      .first()
      .getByText(/\d pages?|not used|no page/)
      .waitFor();
    const first = await titles();
    expect(first.map((title) => title.toLowerCase())).toEqual(
      first.map((title) => title.toLowerCase()).sort(),
    );
    const listed = page.locator(".windowed-list li").first();
    expect(await listed.getAttribute("aria-setsize")).toBe(String(entries));
    await page.locator(".table-head").getByRole("button", { name: "Title" }).click();
    await expect.poll(async () => (await titles())[0]).not.toBe(first[0]);
    await page.getByRole("button", { name: "Used" }).click();
    await page.getByRole("button", { name: "Used" }).click();
    const most = rows.first().locator(".table-cell").last();
    await expect.poll(() => most.innerText()).toMatch(/\d\d pages/);
    await page.getByLabel("Filter by title or id").fill("item-77");
    await expect.poll(() => status.innerText()).not.toContain("10,");
    expect(await rows.count()).toBeGreaterThan(0);
    await page.reload();
    await rows.first().waitFor();
    expect(await page.getByLabel("Filter by title or id").inputValue()).toBe("item-77");
    await page.getByLabel("Filter by title or id").fill("");
    await page.getByRole("button", { name: "With problems" }).click();
    await page.locator(".table-marks .count").first().waitFor();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await expect.poll(() => status.innerText()).toContain(entries.toLocaleString("en"));
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(1200);
    const scrolled = () => page.evaluate(() => scrollY);
    // Left before the page is told of the scrolling, as on a busy machine.
    await page.evaluate(() => {
      addEventListener("scroll", (event) => event.stopPropagation(), { capture: true });
      scrollTo(0, 50_000);
    });
    await page.reload();
    await expect.poll(scrolled).toBe(50_000);
    await rows.first().waitFor();
    await goTo(page, "bench/models");
    await page.locator("main .row").first().click();
    await page.locator("summary").first().click();
    await page.locator(".definition dt").first().waitFor();
    await rows.first().waitFor();
    expect(await page.locator(".table-head button").count()).toBeGreaterThan(2);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => page.locator(".table-head").isVisible()).toBe(false);
    await page.getByLabel("Sort by").selectOption({ index: 1 });
    await expect.poll(() => page.evaluate(() => location.hash)).toContain("sort=-title");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  });
});
