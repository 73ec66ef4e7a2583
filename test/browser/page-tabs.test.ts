import { readFileSync, writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { STARTER } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { launchChromium } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** More than the connections that a browser opens to one host. */
const TABS = 8;

const heading = (page: Page, text: string) => page.locator("main h1", { hasText: text });

describe("H13: many tabs of the preview page", { timeout: 60_000 }, () => {
  it("share one event stream, so that each loads and is updated, also when the first are closed", async () => {
    const bed = await PreviewBed.of(STARTER);
    const file = bed.file("entries", "home-page.json");
    let shown = "Welcome to your workspace";
    const edit = (title: string) => {
      writeFileSync(file, readFileSync(file, "utf8").replace(shown, title));
      shown = title;
    };
    const first = await openPage(browser, bed);
    await goTo(first, "starter/entries/home-page");
    const tabs = [first];
    while (tabs.length < TABS) {
      const tab = await first.context().newPage();
      await tab.goto(`${new URL(bed.link).origin}/#/starter/entries/home-page`);
      await heading(tab, shown).waitFor({ timeout: 10_000 });
      tabs.push(tab);
    }
    for (const tab of tabs) await tab.getByText("Live", { exact: true }).waitFor();
    edit("Seen in every tab");
    for (const tab of tabs) await heading(tab, shown).waitFor({ timeout: 10_000 });
    for (const tab of tabs.splice(0, 3)) await tab.close();
    edit("Seen after the first was closed");
    for (const tab of tabs) await heading(tab, shown).waitFor({ timeout: 10_000 });
  });

  it("without shared workers, a tab has a stream of its own", async () => {
    const bed = await PreviewBed.of(STARTER);
    const page = await openPage(browser, bed);
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, "SharedWorker"));
    await page.reload();
    await goTo(page, "starter/entries/home-page");
    await page.getByText("Live", { exact: true }).waitFor();
    const file = bed.file("entries", "home-page.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("Welcome to your workspace", "Seen without it"));
    await heading(page, "Seen without it").waitFor();
  });
});
