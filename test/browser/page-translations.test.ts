import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { GitFolder } from "../support/git-folder.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests({ hasScrollbars: true });

const text = (key: string, more = {}) => ({ key, name: key, type: "text", ...more });
const localized = { localized: true };
const FILES = {
  "models.json": [
    {
      id: "m",
      key: "article",
      name: "Article",
      fields: [
        text("Title", { ...localized, title: true }),
        text("Teaser", localized),
        { key: "Body", name: "Body", type: "rich-text", localized: true },
        text("slug"),
        { key: "Parts", name: "Parts", type: "content-block", repeatable: true },
        { key: "Boxes", name: "Boxes", type: "content-block", repeatable: true, ...localized },
      ],
    },
  ],
  "blocks.json": [
    { id: "q", key: "quote", name: "Quote", fields: [text("Words", localized), text("by")] },
  ],
  "projects.json": [
    { ...projectOf("en", "trip"), locale: "en" },
    { ...projectOf("de", "trip"), locale: "de", fallbackLocales: ["en"] },
    { ...projectOf("fr", "trip"), locale: "fr", fallbackLocales: ["en"] },
  ],
};
const body = (words: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text: words }] }],
});
const trip = (title: string, more = {}) => ({
  id: "trip",
  modelId: "m",
  data: {
    Title: { en: title, de: "Zehn Tage am Meer", ...more },
    Teaser: { en: "What we saw" },
    Body: { en: body("It was a long way.") },
    slug: "trip",
    Parts: [{ contentBlockId: "q", data: { Words: { en: "Go there" }, by: "Zoe" } }],
  },
});
const file = (one: object) => ({ "entries.json": [one] });

describe("translations", () => {
  const preview = shared(async () => {
    const bed = new PreviewBed();
    const git = new GitFolder({ ...FILES, ...file(trip("Ten days on the coast")) }, bed.content);
    await bed.start("--edit");
    return { bed, git, page: await openPage(browser(), bed) };
  });
  let page: Page;
  beforeEach(() => {
    const { git, page: own } = preview();
    page = own;
    git.commit(file(trip("Ten days on the coast")));
    git.commit(file(trip("Ten long days on the coast")));
  });
  const stored = () => {
    const { bed } = preview();
    return JSON.parse(readFileSync(bed.file("entries.json"), "utf8"))[0].data;
  };

  it("H73: the overview's numbers lead to the entries that lack a value, or are older than English", async () => {
    await goTo(page, "w");
    await page.getByText("1 entry missing in French").waitFor();
    await page.getByText("German of 1 entry is older than English").click();
    await page.locator(".table-row").getByText("Missing").first().waitFor();
    await expect.poll(() => page.getByLabel("Language").inputValue()).toBe("older de");
    await expect
      .poll(() => page.locator(".table-head").innerText())
      .toMatch(/German\s+English\s+French/);
    await expectAccessible(page, "the table with languages");
  });

  it("H71, H72c, H74: an article is translated with two clicks beside typing, with what has changed since beside it", async () => {
    await goTo(page, "w/entries/trip");
    await page.getByRole("link", { name: "Translate" }).click();
    const title = page.getByRole("group", { name: "Title" });
    await title.getByText("English has changed since German was written").waitFor();
    await expect.poll(() => title.locator("ins mark").allInnerTexts()).toEqual(["long "]);
    await expect
      .poll(() => page.locator(".edit-row > .field-name").allInnerTexts())
      .toEqual([...["Title", "Teaser", "Body", "Parts", "Words", "Boxes"]]);
    await expectAccessible(page, "a translation");
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await page.setViewportSize({ width: 1280, height: 800 });

    // The first value that is missing has the focus.
    await page.keyboard.type("Was wir sahen");
    const focusOn = (name: string) => page.getByRole("textbox", { name }).focus();
    await focusOn("Body, German");
    await page.keyboard.type("Es war ein langer Weg.");
    await focusOn("Words, German");
    await page.keyboard.type("Geh hin");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator('[data-path="/Teaser/de"]').getByText("Was wir sahen").waitFor();
    const { Title, Teaser, Body, Parts } = stored();
    expect(Title).toEqual({ en: "Ten long days on the coast", de: "Zehn Tage am Meer" });
    expect(Teaser).toEqual({ en: "What we saw", de: "Was wir sahen" });
    expect(Body).toEqual({
      en: body("It was a long way."),
      de: body("Es war ein langer Weg."),
    });
    expect(Parts[0].data.Words).toEqual({ en: "Go there", de: "Geh hin" });
    await page.keyboard.press("Control+z");
    await page.locator(".edit-bar").getByText("Undone:").waitFor();
  });

  it("H74: a number of the overview and a row lead to the form of that language: three clicks beside typing", async () => {
    await goTo(page, "w");
    await page.getByText("1 entry missing in French").click();
    await page.locator('.table-row[href*="translate=fr"]').click();
    await page
      .getByRole("textbox", { name: "Title, French" })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.type("Dix jours");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator('[data-path="/Title/fr"]').getByText("Dix jours").waitFor();
    expect(stored().Title.fr).toBe("Dix jours");
    await goTo(page, "w/entries?older=de");
    await page.locator('.table-row[href*="translate=de"]').waitFor();
  });

  it("H74: what lacks nothing in German is translated into French", async () => {
    const german = { Teaser: { en: "What we saw", de: "Was wir sahen" }, Body: {}, Parts: [] };
    const { data, ...one } = trip("Ten long days on the coast");
    preview().git.commit(file({ ...one, data: { ...data, ...german } }));
    await goTo(page, "w/entries/trip");
    await page.getByText("Was wir sahen").or(page.getByText("What we saw")).waitFor();
    const link = page.getByRole("link", { name: "Translate" });
    await expect.poll(() => link.getAttribute("href")).toContain("translate=fr");
  });

  it("H71: blocks that differ by language have all of their fields, on each side those of its own", async () => {
    const { data, ...one } = trip("Ten long days on the coast");
    const Boxes = { en: [{ contentBlockId: "q", data: { by: "Zoe" } }] };
    preview().git.commit(file({ ...one, data: { ...data, Boxes } }));
    await goTo(page, "w/entries/trip?translate=de");
    const by = (side: string) =>
      page.locator(`[data-side="${side}"]`).getByRole("textbox", { name: "by" });
    await by("en").waitFor();
    await page.getByRole("button", { name: "Add Quote to Boxes, German" }).click();
    await by("de").fill("Zoë");
    expect(await by("en").inputValue()).toBe("Zoe");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator('[data-path="/Boxes/de"]').getByText("Zoë").waitFor();
    const de = [{ contentBlockId: "q", data: { by: "Zoë" } }];
    expect(stored().Boxes).toEqual({ ...Boxes, de });
  });

  it("H71: both languages are written by keys alone, and read beside each other", async () => {
    await goTo(page, "w/entries/trip?translate=fr");
    await page.getByRole("textbox", { name: "Title, French" }).waitFor();
    await page.keyboard.type("Dix jours");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Ten days");
    await page.keyboard.press("Control+Enter");
    const names = page.locator(".translation h2");
    await names.first().waitFor();
    await expect
      .poll(() => names.allInnerTexts())
      .toEqual([...["Title", "Teaser", "Body", "Parts › Quote › Words"]]);
    await page.locator('[data-path="/Title/fr"]').getByText("Dix jours").waitFor();
    await page.locator('[data-path$="/Words/fr"]').getByText("No value").waitFor();
    expect(stored().Title).toEqual({ en: "Ten days", de: "Zehn Tage am Meer", fr: "Dix jours" });
    await expectAccessible(page, "two languages");
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel("Translation").selectOption("de");
    await page.getByRole("textbox", { name: "Teaser, German" }).waitFor();
  });
});
