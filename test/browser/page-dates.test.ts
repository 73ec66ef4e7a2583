import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

const FILES = {
  "models/page.json": {
    id: "m",
    key: "page",
    name: "Page",
    fields: [{ key: "title", name: "Title", type: "text", localized: true }],
  },
  "projects/en.json": { id: "en", name: "E", locale: "en", steps: [], experiences: [] },
  "projects/de.json": { id: "de", name: "D", locale: "de", steps: [], experiences: [] },
  "entries/home.json": { id: "home", modelId: "m", data: { title: { en: "Home", de: "Home" } } },
};
// Far from the clock of whoever runs this.
const [FROM, UNTIL] = ["2126-12-04T09:00", "2126-12-06T18:00"];

describe("H56: dates in a browser", () => {
  it("H56: an entry is given dates in three clicks, is listed by day, and the page shows what is published then", async () => {
    const bed = new PreviewBed();
    workspaceFolder(FILES, bed.content);
    await bed.start("--edit");
    const page = await openPage(browser(), bed);
    const data = () => JSON.parse(readFileSync(bed.file("entries", "home.json"), "utf8"));
    const mark = page.locator("#main .title-line .tag").last();

    await goTo(page, "w/entries/home");
    await page.getByRole("button", { name: "Publish on…" }).click();
    const dialog = page.getByRole("dialog", { name: "When is “Home” published?" });
    await dialog.getByLabel("From").fill(FROM);
    await dialog.getByLabel("Until").fill(UNTIL);
    await expectAccessible(page, "the dates of an entry");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => mark.textContent()).toBe("from 4 Dec 2126, 09:00");
    const iso = (local: string) => new Date(local).toISOString().replace(".000Z", "Z");
    expect(data()).toMatchObject({ publishAt: iso(FROM), unpublishAt: iso(UNTIL) });

    await page.getByRole("link", { name: "Coming up" }).click();
    await page.getByRole("heading", { name: /Wednesday,? 4 December 2126/ }).waitFor();
    await expectAccessible(page, "what comes up");
    const rows = page.locator("#main .row");
    await expect
      .poll(() => rows.allTextContents())
      .toEqual(["Homegoes live 4 Dec 2126, 09:00Page", "Homeends 6 Dec 2126, 18:00Page"]);
    const [first] = await page.getByRole("button", { name: "Show the page as of then" }).all();
    await first?.click();
    const bar = page.getByLabel("The time that this page goes by");
    await expect.poll(() => bar.textContent()).toContain("As of 4 Dec 2126, 09:00");
    await expectAccessible(page, "the page as of a time");
    await rows.first().click();
    await expect.poll(() => mark.textContent()).toBe("until 6 Dec 2126, 18:00");
    await bar.getByRole("button", { name: "Back to now" }).click();
    await expect.poll(() => mark.textContent()).toBe("from 4 Dec 2126, 09:00");
  });

  it("H56: a draft in one language is marked in the same form, by keyboard; half a date is not saved", async () => {
    const bed = new PreviewBed();
    workspaceFolder(FILES, bed.content);
    await bed.start("--edit");
    const page = await openPage(browser(), bed, { viewport: { width: 390, height: 844 } });
    const text = () => readFileSync(bed.file("entries", "home.json"), "utf8");
    const before = text();
    await goTo(page, "w/entries/home");
    const open = page.getByRole("button", { name: "Publish on…" });
    await open.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "When is “Home” published?" });
    await page.keyboard.type("0412");
    await page.keyboard.press("Enter");
    expect(await dialog.locator("input:invalid").count()).toBe(1);
    expect(text()).toBe(before);
    await dialog.getByLabel("From").press("Control+a");
    await dialog.getByLabel("From").fill("");
    await dialog.getByLabel("Draft in German").press("Space");
    await page.keyboard.press("Enter");
    const mark = page.locator("#main .title-line .tag").last();
    await expect.poll(() => mark.textContent()).toBe("draft in de");
    expect(JSON.parse(text()).draft).toEqual({ de: true });
    const wide = () => document.documentElement.scrollWidth > innerWidth;
    expect(await page.evaluate(wide)).toBe(false);
    await page.keyboard.press("Control+z");
    await expect.poll(text).toBe(before);
  });
});
