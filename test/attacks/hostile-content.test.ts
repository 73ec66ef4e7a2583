import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { chromium, type Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { chromiumForTests, VIEWS } from "../browser/browser.ts";
import { chromiumOptions } from "../browser/chromium.ts";
import { shared } from "../support/at-end.ts";
import { listening } from "../support/server/listening.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const EVIL = `<script>top.hit = 1; parent.hit = 1</script><img src="https://evil.example/x.png" onerror="top.hit = 1">
<style>body { background: url(https://evil.example/y.png) }</style><form action="https://evil.example/"><button>Go</button></form>
<meta http-equiv="refresh" content="0; url=https://evil.example/"><h1>Shown apart</h1><a href="https://evil.example/" target="_top">Leave</a>
<a href="https://evil.example/stay">Stay</a><link rel="stylesheet" href="https://evil.example/z.css"><iframe src="https://evil.example/f"></iframe>`;
const TEXT = `"><script>window.hit = 1</script><img src=x onerror="window.hit = 1">`;

const MARKDOWN = `${TEXT} [run](javascript:window.hit=1) ![p](data:image/svg+xml,<svg/onload=window.hit=1>)
![q](https://evil.example/q.png) <iframe src="https://evil.example/"></iframe>`;
const RICH = {
  type: "doc",
  content: [
    { type: "paragraph", content: [{ type: "text", text: TEXT, marks: [{ type: TEXT }] }] },
    {
      type: "link",
      attrs: { href: "javascript:window.hit=1", onclick: "window.hit=1" },
      content: [{ type: "text", text: "run" }],
    },
    { type: "image", attrs: { src: "https://evil.example/r.png", onerror: "window.hit=1" } },
    { type: "script", content: [{ type: "text", text: "window.hit=1" }] },
    { contentBlockId: "b", data: { words: TEXT } },
  ],
};

/** Of files too: such a name is valid on Linux. */
const FILE_NAME = `"><img src=x onerror=window.hit=1>`;

/** Each in a file of its own. */
const entries = (...all: readonly { readonly id: string; readonly [name: string]: unknown }[]) =>
  Object.fromEntries(all.map((one) => [`entries/${FILE_NAME} ${one.id}.json`, one]));

const FOLDER = {
  "workspace.json": { id: "w", name: "Workspace", assetTexts: true },
  "models.json": [
    {
      id: "m",
      key: "page",
      name: TEXT,
      fields: [
        { key: "title", name: TEXT, type: "text" },
        { key: "link", type: "url" },
        { key: "html", type: "html-asset" },
        { key: "picture", type: "asset" },
        { key: "held", type: "asset" },
        { key: "more", type: "json" },
        { key: "body", name: TEXT, type: "rich-text" },
        { key: "marked", type: "text", format: "markdown" },
        { key: "kind", type: "select", options: [TEXT, "small"] },
        { key: "next", name: TEXT, type: "reference", repeatable: true },
        { key: "parts", type: "content-block", repeatable: true },
        {
          key: "found",
          name: TEXT,
          type: "reference",
          repeatable: true,
          models: ["page"],
          query: { where: { kind: TEXT }, sort: "title", limit: 5 },
        },
      ],
    },
  ],
  "features.json": [
    { id: "f", key: "f", name: TEXT, type: "text", variants: [{ id: "v", key: "v", name: TEXT }] },
  ],
  "blocks.json": [
    { id: "b", key: "b", name: TEXT, fields: [{ key: "words", name: TEXT, type: "text" }] },
  ],
  ...entries(
    {
      id: "home",
      modelId: "m",
      data: {
        title: TEXT,
        link: "javascript:window.hit=1",
        html: { assetId: "evil" },
        picture: { assetId: "far" },
        held: { assetId: "svg" },
        more: { [TEXT]: TEXT },
        body: RICH,
        marked: MARKDOWN,
        kind: TEXT,
        next: [{ contentEntryId: "other" }, { contentEntryId: TEXT }],
        parts: [{ contentBlockId: "b", data: { words: TEXT } }],
      },
    },
    { id: "other", modelId: "m", data: { title: `Other ${TEXT}`, marked: MARKDOWN } },
    { id: "calls", modelId: "m", data: { title: "Calls", html: { assetId: "calls" } } },
  ),
  "assets.json": [
    { id: "evil", fileName: "evil.html", file: "files/evil.html" },
    { id: "calls", fileName: "calls.html", file: "files/calls.html" },
    {
      id: "svg",
      fileName: "evil.svg",
      file: "files/evil.svg",
      title: TEXT,
      description: TEXT,
    },
    { id: "far", fileName: "far.png", mimeType: "image/png", url: "https://evil.example/far.png" },
  ],
  "projects.json": [
    {
      id: "site",
      name: TEXT,
      steps: [{ id: "s", key: "s", name: TEXT, layoutName: TEXT, layoutContentId: "home" }],
      experiences: [{ id: "e", key: "e", name: TEXT, stepIds: ["s"] }],
      collections: [{ model: "page", id: "{id}", name: "{title}", layoutName: TEXT }],
    },
  ],
  "files/evil.html": EVIL,
  "files/calls.html": "<p>Shown</p>",
  "files/evil.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>parent.hit=1</script></svg>`,
};

/** What is published before: as hostile, and valid. */
const PUBLISHED = {
  ...FOLDER,
  ...entries(
    {
      id: "home",
      modelId: "m",
      data: { title: `Before ${TEXT}`, marked: `Before ${MARKDOWN}`, parts: [] },
    },
    { id: "other", modelId: "m", data: { title: "Other" } },
    { id: "calls", modelId: "m", data: { title: "Calls" } },
  ),
};

const browser = chromiumForTests({ hasFrames: true });

const wasHit = (page: Page) => page.evaluate(() => "hit" in globalThis);

/** Elements that content must not have made. */
const harmful = (page: Page) =>
  page.evaluate(() => {
    const runs =
      'body :is(script, [onerror], [onload], [onclick], a[href^="javascript"], a[href^="data"])';
    const loads =
      "body :is(img, iframe, video, audio, source, link, object, embed):is([src], [srcset], [srcdoc], [href], [data], [poster])";
    const isOwn = (one: Element) => /^\/(?:assets|_svc)\//.test(one.getAttribute("src") ?? "");
    return [
      ...document.querySelectorAll(runs),
      ...[...document.querySelectorAll(loads)].filter((one) => !isOwn(one)),
    ].map((one) => one.outerHTML);
  });

/** Waits until a picture has failed that was loaded after all others: their handlers have run. */
const settled = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const last = new Image();
        last.onerror = () => resolve();
        last.src = "/assets/none.png";
      }),
  );

describe("H9: content on the preview page", () => {
  let connections = 0;
  const preview = shared(async () => {
    const canary = createServer((socket) => {
      connections += 1;
      socket.on("error", () => {}).end();
    });
    const calls = `<link rel="preconnect" href="${await listening(canary)}"><p>Shown</p>`;
    const bed = new PreviewBed();
    const files = { "files/calls.html": calls };
    workspaceFolder({ ...PUBLISHED, ...files }, bed.content);
    writeFileSync(bed.file("svc.config.json"), '{ "store": "../w.db", "out": "../out" }');
    bed.json(0, "publish", "content", "--config", bed.file("svc.config.json"));
    workspaceFolder({ ...FOLDER, ...files }, bed.content);
    await bed.start("--edit", "--allow-publish");
    return bed;
  });

  it("scripts in texts, names, urls, pictures and html assets do not run, and no request leaves the machine", async () => {
    const page = await openPage(browser(), preview());
    const others = ["/assets/evil", "/assets/far", "/assets/svg", "/models/m", "/blocks/b"];
    const more = [
      "/history",
      "/entries?q=script",
      "/assets/none",
      "/projects/site/experiences/home",
    ];
    for (const view of [...VIEWS, ...others, ...more]) {
      await goTo(page, `w${view}`);
      expect(await page.locator("main").textContent()).not.toMatch(/failed to load|no such page/i);
      for (const fold of await page.locator("main details:not([open]) > summary").all()) {
        if (await fold.isVisible()) await fold.click();
      }
      expect(await harmful(page), view).toEqual([]);
    }
    // Tables and the grid, filtered by what is in them.
    for (const view of ["/models/m", "/entries", "/assets"]) {
      await goTo(page, `w${view}`);
      await page.getByLabel(/^Filter by/).fill("script");
      await page.locator(".table-row, .asset-card", { hasText: "<script>" }).first().waitFor();
      expect(await harmful(page), `${view}, filtered`).toEqual([]);
    }
    // The file of an entry is named, and its link leads to the editor alone.
    await goTo(page, "w/entries/home");
    const link = page.locator("main .file-link a").first();
    expect(await link.textContent()).toContain(FILE_NAME);
    expect(await link.getAttribute("href")).toMatch(/^vscode:\/\/file\/[^"<> ]+$/);
    await page.getByText("Show pictures from evil.example").first().waitFor();
    await settled(page);
    expect(await wasHit(page)).toBe(false);
  });

  it("nor in what is opened: fields, references, comparisons, forms, choices, the search", async () => {
    const page = await openPage(browser(), preview());
    const main = page.locator("main");
    const dialog = page.locator("dialog[open]");
    await goTo(page, "w/entries/home");
    await main.getByRole("button", { name: "Read here" }).first().click();
    await main.getByRole("button", { name: "Close" }).first().waitFor();
    await main.getByRole("button", { name: "Show fields" }).click();
    await main.locator(".changed-since summary").click();
    await main.locator(".compared ins").first().waitFor();
    expect(await harmful(page), "an entry with its fields and changes").toEqual([]);
    const pencils = page.getByRole("button", { name: /^(?:Change|Edit all of) / });
    const count = await pencils.count();
    expect(count).toBeGreaterThan(5);
    for (let at = 0; at < count; at += 1) {
      await pencils.nth(at).click();
      await page.locator("form.edit-form button[type=submit]:enabled").waitFor();
      const folded = page.getByRole("button", { name: "Unfold all blocks" });
      if (await folded.isVisible()) await folded.click();
      await expect.poll(() => page.getByText("Loading the editor…").count()).toBe(0);
      expect(await harmful(page), `form ${at}`).toEqual([]);
      await page.keyboard.press("Escape");
      await page.locator("form.edit-form").waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByRole("button", { name: "Delete" }).waitFor();
    expect(await harmful(page), "a deletion").toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("script");
    await dialog.getByRole("option").first().waitFor();
    expect(await harmful(page), "the search").toEqual([]);
    await page.keyboard.press("Escape");
    await goTo(page, "w/changes");
    await main.locator(".compared mark").first().waitFor();
    for (const fold of await main.locator("summary").all()) await fold.click();
    expect(await harmful(page), "changes").toEqual([]);
    await goTo(page, "w/history");
    for (const fold of await main.locator("summary").all()) await fold.click();
    await main.locator(".change").first().waitFor();
    expect(await harmful(page), "the history").toEqual([]);
    await settled(page);
    expect(await wasHit(page)).toBe(false);
  });

  it("an html asset is shown in an opaque origin, without permissions", async () => {
    const bed = preview();
    const page = await openPage(browser(), bed);
    await goTo(page, "w/entries/home");
    const frame = page.frameLocator("iframe");
    await frame.getByText("Shown apart").waitFor();
    const sandbox = await page.locator("iframe").getAttribute("sandbox");
    expect(sandbox).toBe("");
    await frame.getByText("Leave").click();
    await frame.getByText("Go").click();
    await frame.getByText("Stay").click();
    await settled(page);
    expect(await wasHit(page)).toBe(false);
    expect(new URL(page.url()).origin).toBe(new URL(bed.link).origin);
    const source = await page.locator("iframe").getAttribute("src");
    // The same if it is opened in its own tab.
    const alone = await page.context().newPage();
    await alone.goto(new URL(source ?? "", bed.link).href);
    await alone.getByText("Shown apart").waitFor();
    expect(await alone.evaluate(() => [origin, "hit" in globalThis])).toEqual(["null", false]);
    await alone.close();
  });

  it("an html asset cannot make the browser open connections (link rel=preconnect)", async () => {
    const bed = preview();
    // A persistent profile: incognito contexts, as of browser().newContext(), never preconnect.
    const context = await chromium.launchPersistentContext(
      temporaryFolder(),
      chromiumOptions({ hasFrames: true }),
    );
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(bed.link);
    await page.goto(`${new URL(bed.link).origin}/#/w/entries/calls`);
    await page.frameLocator("iframe").getByText("Shown").waitFor();
    await page.waitForTimeout(1000);
    expect(connections).toBe(0);
  });
});

describe("H8: the access key of the preview page", () => {
  const preview = shared(() => PreviewBed.ofStore(workspaceFolder(FOLDER)));

  it("is removed from the address bar, and works in other tabs of the browser", async () => {
    const bed = preview();
    const page = await openPage(browser(), bed);
    expect(page.url()).not.toContain(bed.key);
    // A link may lead to any view.
    for (const [to, view] of [
      ["w/entries/home", "#/w/entries/home"],
      ["/w/entries?q=home", "#/w/entries?q=home"],
    ]) {
      await page.goto(`${bed.link.replace(/&to=.*/, "")}&to=${to}`);
      await page.waitForFunction((hash) => location.hash === hash, view);
    }
    const other = await page.context().newPage();
    await other.goto(new URL(bed.link).origin);
    await other.waitForSelector("h1");
    await other.close();
  });

  it("without it the page explains how to open it, and shows nothing of the draft", async () => {
    const bed = preview();
    await openPage(browser(), bed);
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(new URL(bed.link).origin);
    await page.getByText("This page needs its link").waitFor();
    expect(await page.content()).not.toMatch(/home|site|window\.hit/);
    // The link works in an open tab.
    await page.goto(bed.link);
    await page.waitForSelector("h1");
    await context.close();
  });

  it("is replaced only by a valid key, not by one from another site or an old link", async () => {
    const bed = preview();
    const page = await openPage(browser(), bed);
    const { origin } = new URL(bed.link);
    const elsewhere = await page.context().newPage();
    await elsewhere.goto("data:text/html,<h1>Elsewhere</h1>");
    await elsewhere.evaluate((link) => {
      location.href = link;
    }, `${origin}/#key=AAAA`);
    await elsewhere.locator("main h1").waitFor();
    expect(elsewhere.url()).not.toContain("AAAA");
    for (const tab of [elsewhere, page]) {
      await tab.reload();
      await tab.getByText("Connected", { exact: true }).waitFor();
    }
    // In an open tab, too.
    await page.evaluate(() => {
      location.hash = "#key=BBBB";
    });
    await page.waitForFunction(() => location.hash === "#/w");
    await page.reload();
    await page.getByText("Connected", { exact: true }).waitFor();
  });

  it("is printed only on stdout, as a link, and is in no document", async () => {
    const bed = preview();
    await openPage(browser(), bed);
    expect(bed.server.stdout.split(bed.key)).toHaveLength(2);
    expect(bed.server.stderr).not.toContain(bed.key);
    expect(readFileSync(bed.path("workspace.db"), "latin1")).not.toContain(bed.key);
  });

  it("a preview token created on the page is in the URLs, and reads the draft", async () => {
    const bed = preview();
    const page = await openPage(browser(), bed);
    await goTo(page, "w/projects/site/experiences/e/documents");
    await page.getByRole("button", { name: "Create a token for 8 hours" }).click();
    const address = page.locator("dd code", { hasText: "preview_token=svc_" }).first();
    const url = (await address.textContent()) ?? "";
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/projects\/site\?preview_token=svc_/);
    expect((await fetch(url)).status).toBe(200);
    // The page keeps no token: loaded again, it gets the same one.
    await page.reload();
    await page.getByRole("button", { name: "Create a token for 8 hours" }).click();
    expect(await address.textContent()).toBe(url);
    const listed = bed.json(0, "token", "list", "--workspace", "w").tokens;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(["preview page"]);
  });
});
