import { cpSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { STARTER } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

/** The entry of the starter's home page with other values. */
const home = (headline: string, text: string) => ({
  id: "home-page",
  modelId: "page",
  data: {
    headline,
    intro: "<img src=x onerror=alert(1)> is text.",
    body: [{ contentBlockId: "paragraph", data: { text } }],
    author: { contentEntryId: "kim" },
  },
});

it("H30 to H33: changes beside each other, marks on entries, a publish, and the history", async () => {
  const bed = new PreviewBed();
  cpSync(STARTER, bed.content, { recursive: true });
  writeFileSync(bed.file("svc.config.json"), '{ "store": "../w.db", "out": "../out" }');
  const config = ["--config", bed.file("svc.config.json")];
  const { versionId: first, workspaceId } = bed.json(0, "publish", "content", ...config);
  const text =
    "An entry follows its model. The fields of this page are listed in models/page.json.";
  writeFileSync(bed.file("entries", "home-page.json"), JSON.stringify(home("Our shop", text)));
  const kim = { id: "kim", modelId: "author", data: { name: "Kim <b>Lake</b>", email: "k@x.org" } };
  writeFileSync(bed.file("entries", "kim.json"), JSON.stringify(kim));
  await bed.start("--allow-publish");
  const page = await openPage(browser(), bed, { viewport: { width: 1280, height: 900 } });
  const main = page.locator("main");

  // H32: the entry says which of its fields differ, and how, and the navigation how many do.
  await goTo(page, `${workspaceId}/entries/home-page`);
  const since = main.locator(".changed-since");
  await since.getByText(/Changed since .* today/).waitFor();
  await since.getByText("Headline").waitFor();
  await since.locator("summary").click();
  await since.locator("ins mark", { hasText: "Our shop" }).waitFor();
  await page.locator('nav .count:text-is("2")').waitFor();
  await goTo(page, `${workspaceId}/entries/kim`);
  await since.getByText("Not published yet").waitFor();

  // H31: whole words are marked, and what content says is text.
  await goTo(page, `${workspaceId}/changes`);
  const inBody = main.locator(".compared dd", { hasText: "An entry follows" });
  await expect.poll(() => inBody.locator("del mark").allTextContents()).toEqual(["a"]);
  await expect.poll(() => inBody.locator("ins mark").allTextContents()).toEqual(["its"]);
  expect(await main.locator("ins", { hasText: "<img src=x" }).count()).toBe(1);
  await main.locator("ins a", { hasText: "Kim <b>Lake</b>" }).waitFor();
  const [left, right] = await inBody
    .locator("del, ins")
    .evaluateAll((sides) => sides.map((one) => one.getBoundingClientRect().top));
  expect(left).toBe(right);
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const [above, below] = await inBody
    .locator("del, ins")
    .evaluateAll((sides) => sides.map((one) => one.getBoundingClientRect().top));
  expect(below).toBeGreaterThan(above ?? 0);
  await page.setViewportSize({ width: 1280, height: 900 });

  // H33: the plan first, then the publish, which other tabs see too.
  const other = await openPage(browser(), bed);
  await goTo(other, `${workspaceId}/changes`);
  await main.getByRole("button", { name: "Publish…" }).click();
  await main.getByText("Entries: 1 changed, 1 new").waitFor();
  await expectAccessible(page, "changes and what a publish would do");
  // What is published is what was shown.
  kim.data.email = "kim@x.org";
  writeFileSync(bed.file("entries", "kim.json"), JSON.stringify(kim));
  await main.getByText("Something has changed since").waitFor();
  expect(await main.getByRole("button", { name: "Publish now" }).count()).toBe(0);
  await main.getByRole("button", { name: "Look again" }).click();
  await main.getByRole("button", { name: "Publish now" }).click();
  await main.getByText("Published", { exact: false }).filter({ hasText: "version" }).waitFor();
  for (const one of [page, other]) await one.locator("main").getByText("No changes").waitFor();

  // H33a: the versions, compared, and an earlier one made current again.
  await goTo(page, `${workspaceId}/history`);
  expect(await main.locator(".versions > li").count()).toBe(2);
  await main.locator("summary", { hasText: "What it changed" }).first().click();
  await main.locator("ins mark", { hasText: "Our shop" }).waitFor();
  await main.getByRole("button", { name: "Make current again…" }).click();
  await expectAccessible(page, "the history with a version to make current");
  await main.getByLabel("Reason").fill("<i>wrong</i> prices");
  await main.getByRole("button", { name: "Make current", exact: true }).click();
  await main.getByText("<i>wrong</i> prices").waitFor();
  expect(bed.json(0, "versions", ...config).current).toBe(first);
  await main.getByRole("button", { name: "End the hold" }).click();
  await expect.poll(() => bed.json(0, "versions", ...config).hold).toBeNull();
});
