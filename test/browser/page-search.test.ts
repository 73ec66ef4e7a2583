import { join } from "node:path";
import { expect, it } from "vitest";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();
const STOREFRONT = join(import.meta.dirname, "../../fixtures/storefront");

it("H38, H39, H40: search by keys, and problems with links to files", async () => {
  const bed = await PreviewBed.of(STOREFRONT);
  const page = await openPage(browser(), bed);
  const hash = () => page.evaluate(() => location.hash);
  const selected = page.locator('[role="option"][aria-selected="true"]');
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox");
  expect(await box.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type("STOVE");
  await expect.poll(() => selected.textContent()).toContain("Ember gas stove");
  await expect.poll(() => selected.locator("mark").allTextContents()).toEqual(["stove"]);
  expect(await page.getByRole("group", { name: "Assets" }).getByRole("option").count()).toBe(1);
  await expectAccessible(page, "the palette");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => selected.textContent()).toContain("Cairn 45 backpack");
  const active = await box.getAttribute("aria-activedescendant");
  expect(await selected.getAttribute("id")).toBe(active);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => selected.textContent()).toContain("ember-stove.jpg");
  await page.keyboard.press("Escape");
  expect(await box.count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 700 });
  await page.keyboard.press("/");
  await page.keyboard.type("winter sale");
  const marks = () => selected.locator("mark").allTextContents();
  await expect.poll(marks).toEqual(["Winter", "sale"]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await page.keyboard.press("Enter");
  await expect.poll(hash).toContain("/experiences/exp_sale");
  await goTo(page, "storefront/entries?q=stove");
  await page.getByRole("heading", { name: "Assets" }).waitFor();
  await goTo(page, "storefront/problems");
  const problem = page.locator(".problem-row", { hasText: "supplierCode" });
  await expect.poll(() => problem.locator("code").textContent()).toBe('"EMB-88-UK"');
  const link = problem.locator(".file-link a");
  const { problems } = bed.json(0, "check", bed.content);
  const { file, line, column } = problems.find(
    ({ code }: { code: string }) => code === "field-unknown",
  );
  // The server was started in another folder.
  const shown = await link.textContent();
  expect(shown?.endsWith(`/${file}:${line}:${column}`), shown ?? "").toBe(true);
  const href = await link.getAttribute("href");
  expect(href).toBe(
    `vscode://file${bed.file("entries/products/ember-stove.json")}:${line}:${column}`,
  );
});
