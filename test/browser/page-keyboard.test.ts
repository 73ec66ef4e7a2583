import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
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

/** The text of the row or line with the focus. */
const around = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return (one?.closest(".problem-row") ?? one?.closest("a, button"))?.textContent ?? "";
  });

async function tabTo(page: Page, text: string) {
  for (let stop = 0; stop < 100; stop += 1) {
    if ((await around(page)).includes(text)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no stop of the Tab key has "${text}"`);
}

describe("the preview page by keyboard alone", () => {
  const preview = shared(() => PreviewBed.of(STOREFRONT));

  it("from the first key to a field that has a problem", async () => {
    const page = await openPage(browser(), preview());
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.getByText("warnings to look at").waitFor();
    await tabTo(page, "warnings to look at");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.textContent === "Problems");
    await page.keyboard.press("Tab");
    expect(await around(page)).toContain('there is no model "mdl_event"');
    await tabTo(page, 'there is no entry "policy-price-match"');
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("[data-path='/related/1']"));
    const seen = await page.evaluate(() => {
      const { top, bottom } = (document.activeElement as Element).getBoundingClientRect();
      return top > 56 && bottom < innerHeight;
    });
    expect(seen, "the place is in the window").toBe(true);
  });

  it("/ searches, arrow keys move between the rows of all that was found, Enter opens one", async () => {
    const page = await openPage(browser(), preview());
    await page.keyboard.press("/");
    await page.keyboard.type("sleeping");
    await page.getByRole("link", { name: "All that was found" }).click();
    await page.getByText(/entr.* with sleeping/).waitFor();
    await page.locator(".windowed-list a").first().focus();
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

  it("references that do not resolve can be focused and opened, and the focus is always visible", async () => {
    const page = await openPage(browser(), preview());
    await goTo(page, "storefront/projects/prj_web/experiences/exp_browse");
    await page.locator(".step").first().waitFor();
    const unmarked: string[] = [];
    for (let stop = 0; stop < 25; stop += 1) {
      await page.keyboard.press("Tab");
      const isMarked = await page.evaluate(() => {
        const one = document.activeElement as Element;
        return getComputedStyle(one).outlineStyle !== "none";
      });
      if (!isMarked) unmarked.push(await focused(page));
    }
    expect(unmarked).toEqual([]);
    const list = page.locator('[data-key="Pointers that do not resolve"]');
    await list.scrollIntoViewIfNeeded();
    const unresolved = list.getByRole("link", { name: "policy-price-match" });
    await unresolved.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("[data-path='/related/1']"));
  });

  it("on a phone the menu opens and closes", async () => {
    const viewport = { width: 360, height: 700 };
    const page = await openPage(browser(), preview(), { viewport });
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
