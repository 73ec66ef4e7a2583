import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { STARTER, STOREFRONT } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { makeSite } from "../support/workspaces/make-site.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

/** Replaces a text in a file by writing a temporary file and renaming it, as many editors do. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(`${file}~`, text.replace(from, to));
  renameSync(`${file}~`, file);
}

/** Milliseconds from `act` until the page shows a text. */
async function timeUntil(page: Page, text: string, act: () => void): Promise<number> {
  const shown = page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector("main")?.textContent?.includes(wanted)) {
            resolve(Date.now());
          } else requestAnimationFrame(look);
        };
        look();
      }),
    text,
  );
  await page.evaluate(() => undefined);
  const started = Date.now();
  act();
  return (await shown) - started;
}

describe("the preview page, live", () => {
  it("a saved file is shown at once, and the scroll position stays", async () => {
    const bed = await PreviewBed.of(STOREFRONT);
    const page = await openPage(browser(), bed, { viewport: { width: 1000, height: 500 } });
    await goTo(page, "storefront/projects/prj_web/experiences/exp_browse");
    await page.getByRole("button", { name: "Read here" }).first().click();
    const opened = page.getByRole("button", { name: "Close" }).first();
    await opened.scrollIntoViewIfNeeded();
    /** Of what has the focus, in the window: the title above it becomes shorter. */
    const where = () =>
      page.evaluate(() => {
        const { activeElement: focused } = document;
        return { top: focused?.getBoundingClientRect().top, text: focused?.textContent };
      });
    // Unfolding parts and loading frames may move the page for a moment.
    const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight);
    for (let last = -1, height = await heightOf(); last !== height; height = await heightOf()) {
      last = height;
      await page.waitForTimeout(500);
    }
    const before = await where();
    const home = bed.file("entries", "pages", "home.json");
    await timeUntil(page, "Kit for any weather", () =>
      edit(home, "Kit for long days and changing weather", "Kit for any weather"),
    );
    const after = await where();
    expect(after.text).toBe(before.text);
    expect(Math.abs((after.top ?? Infinity) - (before.top ?? 0)), "pixels").toBeLessThan(2);
    expect(await opened.count()).toBe(1);
    await page.locator("#status", { hasText: "Updated at" }).waitFor({ state: "attached" });
    edit(home, "Kit for any weather", "<b>Bold</b> & bolder");
    await page.getByText("<b>Bold</b> & bolder").first().waitFor();
  });

  it("with 1,000 entries each saved file is shown, by at most one request for each part", async () => {
    const bed = new PreviewBed();
    makeSite(bed.content, { experiences: 55 });
    await bed.start();
    const page = await openPage(browser(), bed);
    await goTo(page, "bench/projects/bench/experiences/e7");
    const entries = bed.file("entries.ndjson");
    const [, title = ""] = /"id":"page-7","modelId":"page","data":\{"title":"([^"]+)"/.exec(
      readFileSync(entries, "utf8"),
    ) as RegExpExecArray;
    const times: number[] = [];
    const requested: string[] = [];
    // That of the first view comes after it.
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("data/standing")),
    );
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    for (let round = 0; round < 6; round += 1) {
      const [from, to] = [round === 0 ? title : `Round ${round - 1} `, `Round ${round} `];
      times.push(await timeUntil(page, to, () => edit(entries, `"${from}"`, `"${to}"`)));
      await page.waitForTimeout(250);
    }
    console.log(`saved to shown, 1,000 entries, in ms: ${times.join(", ")}`);
    const counts = Map.groupBy(requested, (path) => path);
    expect(counts.get("/_svc/data/experience")).toHaveLength(times.length);
    for (const [path, { length }] of counts) {
      expect(length, path).toBeLessThanOrEqual(times.length);
    }
  });

  it("H10a: a broken edit shows every fault with its place, the entry as it was, and other edits; the fix is shown", async () => {
    const bed = await PreviewBed.of(STARTER);
    const page = await openPage(browser(), bed);
    const [workspace] = (await page.evaluate(() => location.hash)).slice(2).split("/");
    await goTo(page, `${workspace}/entries/home-page`);
    const file = bed.file("entries", "home-page.json");
    const good = readFileSync(file, "utf8");
    writeFileSync(file, good.replace('"headline":', '"headline"'));
    const banner = page.getByRole("alert");
    await banner.waitFor();
    await expect
      .poll(() => banner.textContent())
      .toMatch(
        /The folder has 1 fault: all else is shown as it is, these records as they were.*entries\/home-page\.json:\d+:\d+ /,
      );
    await page.getByRole("button", { name: "1 fault" }).click();
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("faults");
    await expect
      .poll(() => page.locator("main h1").textContent())
      .toBe("Welcome to your workspace");
    await expect.poll(() => bed.server.stderr).toMatch(/entries\/home-page\.json:\d+:\d+/);
    await goTo(page, `${workspace}/entries/sam-rivers`);
    edit(bed.file("entries", "sam-rivers.json"), "Sam Rivers", "Meanwhile");
    await page.locator("main h1", { hasText: "Meanwhile" }).waitFor();
    expect(await banner.count()).toBe(1);
    await goTo(page, `${workspace}/entries/home-page`);
    writeFileSync(file, good.replace("Welcome to your workspace", "Repaired"));
    await page.locator("main h1", { hasText: "Repaired" }).waitFor();
    expect(await banner.count()).toBe(0);
  });

  it("H10: a folder that was moved away is reported as such, and the last draft stays", async () => {
    const bed = await PreviewBed.of(STARTER);
    const page = await openPage(browser(), bed);
    await goTo(page, "starter/entries/home-page");
    renameSync(bed.content, bed.path("elsewhere"));
    const banner = page.getByRole("alert");
    await banner.waitFor();
    await expect
      .poll(() => banner.textContent())
      .toBe(
        `The folder cannot be read: this is the last draft there is no folder "${bed.content}"`,
      );
    await expect
      .poll(() => page.locator("main h1").textContent())
      .toBe("Welcome to your workspace");
    renameSync(bed.path("elsewhere"), bed.content);
    await expect.poll(() => banner.count()).toBe(0);
  });

  it("H10a: faults at the first start are shown as 'no draft' if there is no workspace.json to show", async () => {
    const folder = workspaceFolder({ "workspace.json": "[", "models.json": "[" });
    const bed = await PreviewBed.of(folder);
    const page = await openPage(browser(), bed);
    await page.locator("main h1", { hasText: "There is no draft yet" }).waitFor();
    const banner = page.getByRole("alert").locator("h2");
    await expect
      .poll(() => banner.textContent())
      .toBe("The folder has 2 faults: there is no draft until you fix them");
    writeFileSync(bed.file("workspace.json"), '{ "id": "w", "name": "Workspace" }');
    writeFileSync(bed.file("models.json"), "[]");
    await page.goto(bed.link);
    await page.locator("main h1", { hasText: "Workspace" }).waitFor();
    // A workspace without projects has nothing to publish.
    await goTo(page, "w/changes");
    const changes = await page.locator("main").textContent();
    expect(changes).toContain("There is nothing to publish yet");
    expect(changes).not.toMatch(/what is published|this is what publishing/);
  });

  it("if the folder becomes another workspace, the page of the old one leads to it", async () => {
    const bed = await PreviewBed.of(workspaceFolder({}));
    const page = await openPage(browser(), bed);
    await page.locator("main h1", { hasText: "Workspace" }).waitFor();
    edit(bed.file("workspace.json"), '"id":"w"', '"id":"other"');
    await page.locator("main h1", { hasText: "There is no such workspace" }).waitFor();
    await page.locator("main").getByRole("link", { name: "Go to Workspace" }).click();
    await page.waitForFunction(() => location.hash === "#/other");
    await page.locator("main h1", { hasText: /^Workspace$/ }).waitFor();
  });

  it("without a folder, imports and publishes of other processes are shown", async () => {
    const bed = new PreviewBed(STARTER);
    await bed.startStore();
    const page = await openPage(browser(), bed);
    await page.getByText("Nothing is published yet").waitFor();
    bed.ok("publish", "--out", bed.path("out"));
    await page.getByText(/^Changes since/).waitFor();
    await goTo(page, "starter/changes");
    await page.getByText("No changes").waitFor();
    cpSync(STARTER, bed.content, { recursive: true });
    edit(bed.file("entries", "home-page.json"), "Welcome to your workspace", "From elsewhere");
    bed.ok("import", bed.content);
    await page.locator("ins", { hasText: "From elsewhere" }).waitFor();
    const change = page.locator(".compared dl > div", { hasText: "Headline" });
    await expect
      .poll(() => change.textContent())
      .toBe("Headlinewas Welcome to your workspaceis now From elsewhere");
  });

  it("a hidden tab has no connection, and shows the newest state when visible again", async () => {
    const bed = await PreviewBed.of(STARTER);
    const page = await openPage(browser(), bed);
    await goTo(page, "starter/entries/home-page");
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await page.getByText("Connected", { exact: true }).waitFor();
    await hide(true);
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().includes("/data/overview")) asked += 1;
    });
    edit(bed.file("entries", "home-page.json"), "Welcome to your workspace", "Seen later");
    await page.waitForTimeout(600);
    expect(asked).toBe(0);
    await hide(false);
    await page.locator("main h1", { hasText: "Seen later" }).waitFor();
  });

  it("a removed entry is shown as removed, and comes back", async () => {
    const bed = await PreviewBed.of(STARTER);
    const page = await openPage(browser(), bed);
    const [workspace] = (await page.evaluate(() => location.hash)).slice(2).split("/");
    await goTo(page, `${workspace}/entries/sam-rivers`);
    const file = bed.file("entries", "sam-rivers.json");
    renameSync(file, bed.path("away.json"));
    await page.getByText("Not found").waitFor();
    renameSync(bed.path("away.json"), file);
    await page.locator("h1", { hasText: "Sam Rivers" }).waitFor();
  });

  it("H8: after a restart the page goes on; with another key the view stays and says so, until the new link is opened in any tab", async () => {
    const bed = await PreviewBed.of(STARTER);
    const page = await openPage(browser(), bed);
    const [workspace] = (await page.evaluate(() => location.hash)).slice(2).split("/");
    await goTo(page, `${workspace}/entries/home-page`);
    await page.getByText("Connected", { exact: true }).waitFor();
    const { port } = new URL(bed.link);
    bed.server.signal("SIGTERM");
    await page.getByText("Reconnecting…").waitFor();
    await bed.server.end();
    const heading = page.locator("main h1", { hasText: "Welcome to your workspace" });
    expect(await heading.count(), "what is shown stays").toBe(1);
    await bed.start("--port", port);
    await page.getByText("Connected", { exact: true }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    bed.server.signal("SIGTERM");
    await bed.server.end();
    await bed.start("--port", port, "--new-key");
    await page.getByText("Disconnected").waitFor();
    expect(await heading.count(), "what is shown stays").toBe(1);
    const other = await page.context().newPage();
    await other.goto(bed.link);
    await page.getByText("Connected", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    edit(bed.file("entries", "home-page.json"), "Welcome to your workspace", "Heard again");
    await page.locator("main h1", { hasText: "Heard again" }).waitFor();
    // A click keeps what is shown too; what it leads to is loaded with the link.
    bed.server.signal("SIGTERM");
    await bed.server.end();
    await bed.start("--port", port, "--new-key");
    await page.getByText("Disconnected").waitFor();
    await goTo(page, `${workspace}/problems`);
    await expect.poll(() => page.locator("main h1").textContent()).toBe("Heard again");
    await expect
      .poll(() => page.getByRole("alert").textContent())
      .toContain("Open the link that it printed");
    await other.goto(bed.link);
    await page.locator("main h1", { hasText: "Problems" }).waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
  });

  it("H14: while the server does not answer, the last view stays and says so; the view is loaded once it does", async () => {
    const bed = await PreviewBed.of(STARTER);
    const page = await openPage(browser(), bed);
    await goTo(page, "starter/entries/home-page");
    await page.getByText("Connected", { exact: true }).waitFor();
    const { port } = new URL(bed.link);
    bed.server.signal("SIGTERM");
    await bed.server.end();
    await goTo(page, "starter/problems");
    await page.getByText("The preview server does not answer", { exact: true }).waitFor();
    await expect
      .poll(() => page.locator("main h1").textContent())
      .toBe("Welcome to your workspace");
    await bed.start("--port", port);
    const other = await page.context().newPage();
    await other.goto(bed.link);
    await page.locator("main h1", { hasText: "Problems" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});
