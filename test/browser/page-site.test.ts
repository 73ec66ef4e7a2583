import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Page } from "playwright-core";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { goTo, type PreviewBed } from "../support/server/preview-bed.ts";
import { previewWithSite } from "../support/server/site-preview.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests, clientModule } from "./browser.ts";

const PLAIN = join(import.meta.dirname, "../../fixtures/sites/plain");
const BROWSE = "storefront/projects/prj_web/experiences/exp_browse";
const HOME = "storefront/entries/page-home";
const HELP = "storefront/projects/prj_web/experiences/exp_help";
const HELP_FIELD = '[data-svc="page-help/headline"]';

const browser = chromiumForTests({ hasFrames: true });

/** Ends the sites that the tests of this file have started. */
const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});

describe("the site beside the content", () => {
  const preview = shared(() => previewWithSite(browser()));
  let page: Page;
  let frame: FrameLocator;
  beforeEach(() => {
    ({ page, frame } = preview());
  });
  const outlineOf = (place: string) =>
    frame.locator(`[data-svc="${place}"]`).evaluate((one) => (one as HTMLElement).style.outline);

  it("H46a: says that the site does not answer, and shows it once it does", async () => {
    const { bed, port } = preview();
    await goTo(page, BROWSE);
    await page.getByText(`Your site does not answer at http://localhost:${port}`).waitFor();
    const stop = await startPlainSite(bed, port);
    await frame.getByText("Kit for long days and changing weather").waitFor();
    await expectAccessible(page, "the site beside the content");
    // Also when it ends, and is loaded again.
    stop();
    await page.locator("iframe.site-frame").evaluate((one) => {
      (one as HTMLIFrameElement).src += "";
    });
    await page.getByText("Your site does not answer").waitFor();
    await startPlainSite(bed, port);
    await frame.getByText("Kit for long days and changing weather").waitFor();
  });

  it("H46a: has three widths, is closed by a button, and stays as it was chosen", async () => {
    const widthOf = async () => (await page.locator("iframe.site-frame").boundingBox())?.width ?? 0;
    await expect.poll(widthOf).toBe(390);
    await page.getByRole("button", { name: "Tablet" }).click();
    await expect.poll(widthOf).toBe(768);
    await page.getByRole("button", { name: "Full" }).click();
    await expect.poll(widthOf).toBeGreaterThan(900);
    await page.reload();
    await frame.locator("[data-svc]").first().waitFor();
    await expect.poll(widthOf).toBeGreaterThan(900);
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await expect.poll(() => page.locator("#site, iframe").count()).toBe(0);
    await page.getByRole("button", { name: "Your site" }).click();
    await expect.poll(widthOf).toBe(390);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => page.locator("main").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await expect.poll(() => page.locator("main").isVisible()).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Your site" }).click();
  });

  it("H47: a click opens the entry at the field; links are followed outside of fields, and with Alt", async () => {
    await goTo(page, BROWSE);
    const summary = '[data-svc="page-home/summary"]';
    const loaded = await frame.locator("html").evaluate(() => performance.timeOrigin);
    // A click in the page is none in the site: the test before this one ended with one.
    await page.waitForTimeout(1000);
    await frame.locator(summary).click();
    await page.waitForURL(/page-home\?at=%2Fsummary$/);
    await page.locator('main [data-path="/summary"]:focus').waitFor();
    // The site stays as it is: the entry is on the same page.
    expect(await frame.locator("html").evaluate(() => performance.timeOrigin)).toBe(loaded);
    const nested = frame.locator('[data-svc*="/data/"]', { hasText: "Two-person tent" });
    await nested.click();
    await page.waitForURL(/page-home\?at=%2Fbanner%2Fdata%2Fkicker$/);
    await page.locator('main [data-path="/banner/data/kicker"]:focus').waitFor();
    // Alone, or in a frame of nobody who answers, the script does nothing.
    const link = frame.locator("[data-svc] a").first();
    await link.click({ modifiers: ["Alt"] });
    await expect.poll(() => frame.locator("html").evaluate(() => location.hash)).toMatch(/^#./);
    await frame.getByRole("link", { name: "Get help" }).click();
    await frame.locator(HELP_FIELD).waitFor();
    expect(page.url()).toMatch(/kicker$/);
  });

  it("H47: pointing at a field, also by the keyboard, outlines its element", async () => {
    // The site was led elsewhere.
    await goTo(page, HELP);
    await frame.locator(HELP_FIELD).waitFor();
    await goTo(page, BROWSE);
    await frame.locator('[data-svc="page-home/summary"]').waitFor();
    await goTo(page, HOME);
    await page.locator('main [data-path="/summary"]').first().hover();
    await expect.poll(() => outlineOf("page-home/summary")).toContain("solid");
    await page.locator('main [data-path="/banner/data/kicker"]').first().focus();
    await expect.poll(() => outlineOf("page-home/banner/data/kicker")).toContain("solid");
    expect(await outlineOf("page-home/summary")).toBe("");
    await page.locator("#top").hover();
    await page.locator("#search").focus();
    await expect.poll(() => outlineOf("page-home/banner/data/kicker")).toBe("");
  });

  it("H47a: a save is on the site, the scroll position stays, and other changes load nothing", async () => {
    const { bed } = preview();
    const html = frame.locator("html");
    await html.evaluate(() => scrollTo(0, 300));
    edit(bed, "entries/pages/home.json", "long days", "short days");
    await frame.getByText("Kit for short days").waitFor();
    await expect.poll(() => html.evaluate(() => scrollY)).toBe(300);
    const loaded = await html.evaluate(() => performance.timeOrigin);
    edit(bed, "entries/pages/kiosk.json", '"headline": "', '"headline": "New: ');
    await page.waitForTimeout(600);
    expect(await html.evaluate(() => performance.timeOrigin)).toBe(loaded);
    // A site that refreshes itself is not loaded again.
    await html.evaluate(() => {
      addEventListener("svc:change", (event) => {
        event.preventDefault();
        document.title = "refreshed";
      });
    });
    edit(bed, "entries/pages/home.json", "short days", "wet days");
    await expect.poll(() => html.evaluate(() => document.title)).toBe("refreshed");
    expect(await html.evaluate(() => performance.timeOrigin)).toBe(loaded);
  });

  it("H46a: follows the experience, and of an entry on several pages one can be chosen", async () => {
    await goTo(page, HELP);
    await frame.locator(HELP_FIELD).waitFor();
    await goTo(page, "storefront/entries/TT-Kestrel-2");
    const choice = page.getByRole("combobox", { name: "Page of your site" });
    await choice.waitFor();
    const names = await choice.locator("option").allTextContents();
    expect(names.length).toBeGreaterThan(1);
    await choice.selectOption({ label: names[1] as string });
    await expect.poll(() => choice.locator("option:checked").innerText()).toBe(names[1]);
    expect(preview().errors).toEqual([]);
  });
});

function edit(bed: PreviewBed, file: string, from: string, to: string): void {
  const text = readFileSync(bed.file(file), "utf8");
  expect(text).toContain(from);
  writeFileSync(bed.file(file), text.replace(from, to));
}

/** The example, installed in a folder of its own, with the variables that `--env` wrote. */
async function startPlainSite(bed: PreviewBed, port: number): Promise<() => void> {
  const folder = bed.path("site");
  cpSync(PLAIN, folder, { recursive: true });
  const client = join(folder, "node_modules/@svc-publish/client");
  mkdirSync(client, { recursive: true });
  const exports = { ".": "./client.js", "./rich-text": "./rich-text.js" };
  writeFileSync(join(client, "package.json"), JSON.stringify({ type: "module", exports }));
  for (const name of ["client", "rich-text"]) {
    writeFileSync(join(client, `${name}.js`), clientModule(name));
  }
  const args = [`--env-file=${bed.path(".env.local")}`, "server.js"];
  const site = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  ends.push(() => site.kill());
  await new Promise((resolve) => site.stdout.once("data", resolve));
  return () => site.kill();
}
