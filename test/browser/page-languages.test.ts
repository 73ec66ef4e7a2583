import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { chromiumForTests } from "./browser.ts";

const FIELDS = [
  { key: "title", name: "Headline", type: "text", localized: true },
  { key: "teaser", type: "text", required: true, localized: true },
];
const DATA = {
  title: { de: "Anfang", ar: "البداية", fr: "Accueil" },
  teaser: { de: "Kurz", ar: "موجز" },
};

/** A workspace in Austrian German, which falls back to German, in Arabic and in English. */
const folder = () =>
  workspaceFolder({
    "models.json": [{ id: "m", key: "page", name: "Page", fields: FIELDS }],
    "projects.json": [
      { ...projectOf("p-at", "home"), locale: "de-AT", fallbackLocales: ["de"] },
      { ...projectOf("p-ar", "home"), locale: "ar" },
      { ...projectOf("p-en", "home"), locale: "en" },
    ],
    "entries.json": [{ id: "home", modelId: "m", data: DATA }],
  });

const browser = chromiumForTests();

/** The lines of each locale of a field. */
async function localesOf(page: Page, path: string): Promise<string[][]> {
  const items = page.locator(`[data-path="${path}"] .locales > li`);
  const texts = await items.evaluateAll((all) =>
    all.map((one) => Array.from(one.children, (child) => child.textContent ?? "")),
  );
  return texts.map((lines) => lines.filter((line) => line !== ""));
}

describe("H20: languages in the browser", { timeout: 120_000 }, () => {
  it("H20: an entry has all its locales, and the values of each language", async () => {
    const bed = await PreviewBed.of(folder());
    const page = await openPage(browser(), bed);
    await goTo(page, "w/entries/home");
    await page.getByRole("heading", { name: "البداية" }).waitFor();
    expect(await localesOf(page, "/title")).toEqual([
      ["ar", "البداية"],
      ["de-ATno value, so one of a fallback locale is served"],
      ["enno value, and none of a fallback locale"],
      ["defallback of de-AT", "Anfang"],
      ["frnot served in any project", "Accueil", expect.stringContaining("locale-unused")],
    ]);
    expect(await localesOf(page, "/teaser")).toContainEqual([
      "enno value, and none of a fallback locale",
      expect.stringContaining("value-missing"),
    ]);
    const arabic = page.locator('[data-path="/title/ar"] [lang="ar"] .text');
    expect(await arabic.evaluate((text) => getComputedStyle(text).direction)).toBe("rtl");

    const languages = page.getByRole("navigation", { name: "Languages" });
    await languages.getByText("de-AT, else de").click();
    await page.getByRole("heading", { name: "Anfang" }).waitFor();
    expect(await localesOf(page, "/title")).toEqual([["defallback of de-AT", "Anfang"]]);
    expect(await page.getByText("As served in Project p-at").count()).toBe(1);
    expect(await page.getByText("value-missing").count()).toBe(0);
    await languages.getByText("All languages").click();
    await page.locator('[data-path="/title/fr"]').waitFor();
  });

  it("H20a: an experience names its language, and a search hit opens its locale", async () => {
    const bed = await PreviewBed.of(folder());
    const page = await openPage(browser(), bed);
    await goTo(page, "w/projects/p-at/experiences/home");
    await page.locator(".view-head").getByText("de-AT, else de").waitFor();
    expect(await localesOf(page, "/teaser")).toEqual([["defallback of de-AT", "Kurz"]]);
    await goTo(page, "w/entries?q=accueil");
    await page.getByText("Headline (fr):").click();
    await page.waitForFunction(
      () => document.activeElement?.getAttribute("data-path") === "/title/fr",
    );
  });
});
