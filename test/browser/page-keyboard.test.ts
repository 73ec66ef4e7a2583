import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { STOREFRONT } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

/** The label or text of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return (one?.getAttribute("aria-label") ?? one?.textContent ?? "").trim();
  });

describe("the preview page by keyboard alone", { timeout: 60_000 }, () => {
  it("from the first key to a field that has a problem", async () => {
    const page = await openPage(browser(), await PreviewBed.of(STOREFRONT));
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    while ((await focused(page)) !== "Show warnings") await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.textContent === "Problems");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toMatch(/^there is no model "mdl_event"/);
    while (!/^there is no entry "policy-price-match"/.test(await focused(page))) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("[data-path='/related/1']"));
    const seen = await page.evaluate(() => {
      const { top, bottom } = (document.activeElement as Element).getBoundingClientRect();
      return top > 56 && bottom < innerHeight;
    });
    expect(seen, "the place is in the window").toBe(true);
  });

  it("/ searches, Enter opens the result, arrow keys move between rows", async () => {
    const page = await openPage(browser(), await PreviewBed.of(STOREFRONT));
    await page.keyboard.press("/");
    await page.keyboard.type("sleeping");
    await page.getByText(/entr.* with sleeping/).waitFor();
    expect(await focused(page), "typing goes on").toBe("Search entries by text and id");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("windowed-list a"));
    const first = await focused(page);
    await page.keyboard.press("ArrowDown");
    const second = await focused(page);
    expect(second).not.toBe(first);
    await page.keyboard.press("ArrowUp");
    expect(await focused(page)).toBe(first);
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    expect(await focused(page)).toBe(first);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("h1"));
    expect(first).toContain(await focused(page));
  });

  it("nodes of the graph can be focused and opened, and the focus is always visible", async () => {
    const page = await openPage(browser(), await PreviewBed.of(STOREFRONT));
    await goTo(page, "storefront/projects/prj_web/experiences/exp_browse/graph");
    await page.locator("svg.graph").waitFor();
    const unmarked: string[] = [];
    for (let stop = 0; stop < 25; stop += 1) {
      await page.keyboard.press("Tab");
      const isMarked = await page.evaluate(() => {
        const one = document.activeElement as Element;
        const circle = one.querySelector("circle, path") ?? one;
        const styles = [getComputedStyle(one), getComputedStyle(circle)];
        return styles.some((style) => style.outlineStyle !== "none" || style.strokeWidth === "4px");
      });
      if (!isMarked) unmarked.push(await focused(page));
    }
    expect(unmarked).toEqual([]);
    const unresolved = page.getByRole("link", {
      name: "Not resolved: policy-price-match, deleted",
    });
    await unresolved.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("[data-path='/related/1']"));
  });

  it("on a phone the menu opens and closes", async () => {
    const viewport = { width: 360, height: 700 };
    const page = await openPage(browser(), await PreviewBed.of(STOREFRONT), { viewport });
    const menu = page.getByRole("button", { name: "Menu" });
    await menu.focus();
    await page.keyboard.press("Enter");
    expect(await menu.getAttribute("aria-expanded")).toBe("true");
    await page.getByRole("navigation").getByRole("link", { name: "Changes" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("h1"));
    expect(await menu.getAttribute("aria-expanded")).toBe("false");
  });
});
