import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_EVENT_STREAMS } from "../../src/server/live-events.ts";
import { STARTER } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

/** More than the connections that a browser opens to one host. */
const TABS = 8;

const heading = (page: Page, text: string) => page.locator("main h1", { hasText: text });

it("H21: the first load takes at most 9 requests, and the next one requests no part again", async () => {
  const bed = await PreviewBed.of(STARTER);
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  let requests = 0;
  page.on("request", () => {
    requests += 1;
  });
  const load = async () => {
    await page.goto(bed.link);
    await page.getByText("Nothing prevents publishing").waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
    await page.waitForTimeout(300);
    // The bytes of what the browser has kept are not transferred.
    return page.evaluate(() => {
      const all = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const parts = all.filter(({ name }) => name.includes("/_svc/page/"));
      return parts.map(({ transferSize }) => transferSize > 0);
    });
  };
  expect(await load()).toContain(true);
  expect(requests).toBeLessThanOrEqual(9);
  await page.goto("about:blank");
  expect(await load()).not.toContain(true);
});

describe("H13: many tabs of the preview page", () => {
  it("share one event stream, so that each loads and is updated, also when the first are closed", async () => {
    const bed = await PreviewBed.of(STARTER);
    const file = bed.file("entries", "home-page.json");
    let shown = "Welcome to your workspace";
    const edit = (title: string) => {
      writeFileSync(file, readFileSync(file, "utf8").replace(shown, title));
      shown = title;
    };
    const first = await openPage(browser(), bed);
    await goTo(first, "starter/entries/home-page");
    const tabs = [first];
    while (tabs.length < TABS) {
      const tab = await first.context().newPage();
      await tab.goto(`${new URL(bed.link).origin}/#/starter/entries/home-page`);
      await heading(tab, shown).waitFor();
      tabs.push(tab);
    }
    for (const tab of tabs) await tab.getByText("Connected", { exact: true }).waitFor();
    edit("Seen in every tab");
    for (const tab of tabs) await heading(tab, shown).waitFor();
    for (const tab of tabs.splice(0, 3)) await tab.close();
    edit("Seen after the first was closed");
    for (const tab of tabs) await heading(tab, shown).waitFor();
  });

  it("without shared workers, a tab has a stream of its own", async () => {
    const { page, edit } = await openWithoutWorkers();
    await page.reload();
    await goTo(page, "starter/entries/home-page");
    await page.getByText("Connected", { exact: true }).waitFor();
    edit("Seen without it");
    await heading(page, "Seen without it").waitFor();
  });

  it("are live too after a navigation that ended the first request", async () => {
    const { page, edit } = await openWithoutWorkers();
    await page.addInitScript(() =>
      addEventListener("DOMContentLoaded", () => {
        // Before the first response.
        setTimeout(() => Object.assign(location, { hash: "#/starter/entries/home-page" }));
      }),
    );
    await page.reload();
    await page.getByText("Connected", { exact: true }).waitFor();
    edit("Seen after it");
    await heading(page, "Seen after it").waitFor();
  });

  it("H14: get a stream when one of too many ends", async () => {
    const { page, bed } = await openWithoutWorkers();
    const ended = new AbortController();
    const { origin } = new URL(bed.link);
    const headers = { Authorization: `Bearer ${bed.key}` };
    const overview = await fetch(`${origin}/_svc/data/overview`, { headers });
    const { eventsTicket } = (await overview.json()) as { eventsTicket: string };
    const address = `${origin}/_svc/events?ticket=${encodeURIComponent(eventsTicket)}`;
    await page.goto("about:blank");
    // The page's own stream ends with it, a moment later.
    // A response that nothing refers to any more is closed.
    const open: Response[] = [];
    while (open.length < MAX_EVENT_STREAMS) {
      const response = await fetch(address, { signal: ended.signal });
      if (response.ok) open.push(response);
    }
    await page.goto(origin);
    await page.getByText("Not connected", { exact: true }).waitFor();
    expect(open.every(({ bodyUsed }) => !bodyUsed)).toBe(true);
    ended.abort();
    await page.getByText("Connected", { exact: true }).waitFor();
  });
});

async function openWithoutWorkers() {
  const bed = await PreviewBed.of(STARTER);
  const page = await openPage(browser(), bed);
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "SharedWorker"));
  const edit = (title: string) => {
    const file = bed.file("entries", "home-page.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("Welcome to your workspace", title));
  };
  return { bed, page, edit };
}
