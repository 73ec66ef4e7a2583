import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { chromiumForTests, VIEWS } from "./browser.ts";

const HEBREW = "שלום, עולם!";
/** A bidi override reverses the following text of its paragraph, unless it is isolated. */
const OVERRIDE = "\u202e";
const TURNED = `${OVERRIDE}Turned`;

const FOLDER = {
  "models.json": [
    {
      id: "m",
      key: "page",
      name: TURNED,
      fields: [
        { key: "title", name: TURNED, type: "text" },
        { key: "text", type: "text" },
        { key: "more", type: "json" },
        { key: "next", type: "reference" },
      ],
    },
  ],
  "entries.json": [
    {
      id: "home",
      modelId: "m",
      data: {
        title: HEBREW,
        text: HEBREW,
        more: { a: TURNED },
        next: { contentEntryId: "turned" },
      },
    },
    { id: "turned", modelId: "m", data: { title: TURNED, text: TURNED } },
  ],
  "projects.json": [
    {
      id: "site",
      name: TURNED,
      steps: [{ id: "s", key: "s", name: TURNED, layoutName: "l", layoutContentId: "turned" }],
      experiences: [{ id: "e", key: "e", name: TURNED, stepIds: ["s"] }],
    },
  ],
};

const browser = chromiumForTests();

/** Texts with an override that share a paragraph with other texts without being isolated. */
const turning = (page: Page) =>
  page.evaluate((override) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const text = walker.currentNode;
      let one = text.parentElement as Element;
      if (!text.nodeValue?.includes(override) || one.closest("svg, option")) continue;
      while (true) {
        const { display, unicodeBidi } = getComputedStyle(one);
        if (/isolate|plaintext/.test(unicodeBidi)) break;
        if (one.textContent !== text.nodeValue) found.push(one.outerHTML.slice(0, 200));
        if (!display.startsWith("inline") || one.textContent !== text.nodeValue) break;
        one = one.parentElement as Element;
      }
    }
    return found;
  }, OVERRIDE);

const direction = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((one) => getComputedStyle(one).direction);

describe("the direction of texts on the preview page", () => {
  it("the direction of a text depends on its first letters, not on its surroundings", async () => {
    const page = await openPage(browser(), await PreviewBed.of(workspaceFolder(FOLDER)));
    await goTo(page, "w/entries");
    expect(await direction(page, 'a[href$="/home"] .row-title')).toBe("rtl");
    expect(await direction(page, 'a[href$="/home"] .table-cell [dir]')).toBe("ltr");
    await goTo(page, "w/entries/home");
    expect(await direction(page, "main h1")).toBe("rtl");
    expect(await direction(page, '[data-path="/text"] .value')).toBe("rtl");
    expect(await direction(page, '[data-path="/text"] dt')).toBe("ltr");
  });

  it("an override in a text reverses only that text", async () => {
    const bed = await PreviewBed.ofStore(workspaceFolder(FOLDER));
    const page = await openPage(browser(), bed);
    bed.ok("publish", "--workspace", "w", "--out", bed.path("out"));
    const entries = readFileSync(bed.file("entries.json"), "utf8");
    writeFileSync(bed.file("entries.json"), entries.replaceAll("Turned", "Turned again"));
    bed.ok("import", bed.content);
    for (const view of [...VIEWS, "/entries/turned"]) {
      await goTo(page, `w${view}`);
      await page.waitForTimeout(100);
      expect(await turning(page), view).toEqual([]);
    }
    await goTo(page, "w/entries/home");
    await page.getByRole("button", { name: "Show fields" }).click();
    await page.getByText("1 value").click();
    await page.locator(".json").waitFor();
    expect(await turning(page), "opened JSON").toEqual([]);
  });
});
