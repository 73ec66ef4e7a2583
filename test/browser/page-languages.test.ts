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

describe("H20: languages in the browser", () => {
  it("H20, H27: an entry opens in the chosen language, which is kept, and has all its locales by one click", async () => {
    const bed = await PreviewBed.of(folder());
    const page = await openPage(browser(), bed);
    await goTo(page, "w/entries/home");
    await page.getByRole("heading", { name: "البداية" }).waitFor();
    const text = (path: string) => page.locator(`[data-path="${path}"]`).innerText();
    expect(await text("/teaser")).toContain("موجز");
    expect(await page.getByText("Kurz").count()).toBe(0);
    await page.getByText("2 problems in other languages").waitFor();
    await page.getByText("All languages").click();
    await page.locator('[data-path="/title/fr"]').waitFor();
    expect(await localesOf(page, "/title")).toEqual([
      ["Arabic", "البداية"],
      ["Austrian Germanno value, so one of a fallback locale is served"],
      ["Germanfallback of de-AT", "Anfang"],
      ["Frenchnot served in any project", "Accueil", expect.stringContaining("locale-unused")],
    ]);
    expect(await text("/title")).toContain("No value in English");
    expect(await localesOf(page, "/teaser")).toContainEqual([
      "Englishno value, and none of a fallback locale",
      expect.stringContaining("value-missing"),
    ]);
    const arabic = page.locator('[data-path="/title/ar"] [lang="ar"] .text');
    expect(await arabic.evaluate((text) => getComputedStyle(text).direction)).toBe("rtl");

    await page.getByLabel("Language").selectOption({ label: "Austrian German (de-AT), else de" });
    await page.getByRole("heading", { name: "Anfang" }).waitFor();
    expect(await text("/teaser")).toContain("In German, as there is no Austrian German");
    await page.reload();
    await page.getByRole("heading", { name: "Anfang" }).waitFor();
    await goTo(page, "w/entries/home?project=p-en");
    await page.getByText("1 empty field: Headline").waitFor();
  });

  it("H35a: a table shows the entries that are missing in a language, whose variants fall back to it", async () => {
    const bed = await PreviewBed.of(folder());
    const page = await openPage(browser(), bed);
    await goTo(page, "w/entries");
    await page.getByText("1 entry", { exact: true }).waitFor();
    const choice = page.getByLabel("Language");
    for (const [language, count] of [
      ["Austrian German (0)", "0 entries"],
      ["English (1)", "1 entry"],
      ["Arabic (0)", "0 entries"],
    ]) {
      await choice.selectOption({ label: `Missing in ${language}` });
      await page.getByText(count ?? "", { exact: true }).waitFor();
    }
    await page.getByText("No such entries").waitFor();
  });

  it("H20a: an experience names its language, and a search hit opens its locale", async () => {
    const bed = await PreviewBed.of(folder());
    const page = await openPage(browser(), bed);
    await goTo(page, "w/projects/p-at/experiences/home");
    await page.locator(".view-head").getByText("Austrian German (de-AT), else de").waitFor();
    await page.getByText("Kurz").waitFor();
    await goTo(page, "w/entries?q=accueil");
    await page.getByText("Headline (fr):").click();
    await page.waitForFunction(
      () => document.activeElement?.getAttribute("data-path") === "/title/fr",
    );
  });
});
