import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { makeSite } from "../support/workspaces/make-site.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

describe("the preview page with 10,000 entries", () => {
  it("lists render only the visible rows, from the first to the last", async () => {
    const bed = new PreviewBed();
    const { entries } = makeSite(bed.content, { experiences: 960 });
    expect(entries).toBeGreaterThan(10_000);
    await bed.start();
    const page = await openPage(browser(), bed);
    await goTo(page, "bench/entries");
    const rows = page.locator(".windowed-list li");
    expect(await rows.count()).toBeLessThan(60);
    expect(await rows.first().getAttribute("aria-setsize")).toBe(String(entries));
    await page.locator(".windowed-list a").first().focus();
    await page.keyboard.press("End");
    await page.locator(`li[aria-posinset="${entries}"] a`).waitFor();
    expect(await rows.count()).toBeLessThan(60);
    const place = () =>
      page.evaluate(() => document.activeElement?.closest("li")?.getAttribute("aria-posinset"));
    expect(await place(), "End waits for the rows that it goes to").toBe(String(entries));
    await page.keyboard.press("ArrowUp");
    expect(await place()).toBe(String(entries - 1));
    await page.keyboard.press("Home");
    await expect.poll(place).toBe("1");
    // Keys pressed while rows load continue from there.
    await page.locator("#search").click();
    await page.keyboard.type("item");
    await page.getByRole("link", { name: "All that was found" }).click();
    await page.getByText(/entries with item/).waitFor();
    await page.locator(".windowed-list a").first().focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    const last = Number(await rows.first().getAttribute("aria-setsize"));
    await expect.poll(place).toBe(String(last - 1));
    await goTo(page, "bench/entries");
    await rows.first().waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
    await page.locator(`li[data-key="${Math.floor(entries / 2)}"] a`).waitFor();
    expect(await rows.count()).toBeLessThan(60);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(700);
  });

  it("search, problems and an experience with thousands of entries respond quickly", async () => {
    const bed = new PreviewBed();
    makeSite(bed.content, { experiences: 960 });
    oneExperienceOfAll(bed);
    await bed.start();
    const page = await openPage(browser(), bed);
    const took = async (place: string, text: string) => {
      const started = Date.now();
      await goTo(page, place);
      await page.locator("main").getByText(text).first().waitFor();
      return Date.now() - started;
    };
    const times = {
      search: await took("bench/entries?q=item-77", "item-77"),
      searchAgain: await took("bench/entries?q=stove+river+9999", "Found"),
      problems: await took("bench/problems", "A reference points at an entry"),
      experience: await took("bench/projects/bench/experiences/all", "References"),
    };
    console.log("10,000 entries, in ms:", JSON.stringify(times));
    await goTo(page, "bench/projects/bench/experiences/all");
    await page.evaluate(async () => {
      for (let at = 0; at < 40; at += 1) {
        scrollBy(0, 900);
        await new Promise(requestAnimationFrame);
      }
    });
    // H25e: twenty references stand open, the other 940 are in a list of which a part is drawn.
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(3500);
    // A problem inside a folded part is still one click away.
    await goTo(page, "bench/problems");
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const problem = page.locator(".problem-row", { hasText: 'there is no entry "gone"' });
    await problem.getByRole("link").first().click();
    await page.waitForFunction(() => document.activeElement?.matches("[data-path='/items/960']"));
  });
});

/** Adds an experience with one entry that references every page and a missing entry. */
function oneExperienceOfAll(bed: PreviewBed): void {
  const items = Array.from({ length: 960 }, (_, n) => ({ contentEntryId: `page-${n}` }));
  const data = { title: "All", items: [...items, { contentEntryId: "gone" }] };
  appendFileSync(
    bed.file("entries.ndjson"),
    `${JSON.stringify({ id: "all", modelId: "page", data })}\n`,
  );
  const file = bed.file("projects.ndjson");
  const project = JSON.parse(readFileSync(file, "utf8"));
  project.steps.push({
    id: "all",
    key: "all",
    name: "All",
    layoutName: "page",
    layoutContentId: "all",
  });
  project.experiences.push({ id: "all", key: "all", name: "All", stepIds: ["all"] });
  writeFileSync(file, `${JSON.stringify(project)}\n`);
}
