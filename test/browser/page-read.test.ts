import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { CliBed, STOREFRONT } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { chromiumForTests } from "./browser.ts";

const BLOG = join(import.meta.dirname, "../../fixtures/contentful/blog.json");
const PICTURES = "https://images.blog.example";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const link = (href: string) => ({ type: "link", attrs: { href } });
const word = (text: string, href?: string) => ({
  type: "text",
  text,
  ...(href !== undefined && { marks: [link(href)] }),
});
/** As deep as a folder may have it. */
const deep = (levels: number): object =>
  levels === 0 ? word("the bottom") : { type: "blockquote", content: [deep(levels - 1)] };
const HOSTILE = `import Chart from "./chart.tsx"
import './style.css'

export const meta = { title: "MDX" }

import "goods" is what the trade says

<script>window.hit=1</script> <img src=x onerror="window.hit=1"> [run](javascript:window.hit=1)
[data](data:text/html,<script>window.hit=1</script>) [other](//evil.example/x) ![p](https://evil.example;script-src/x.png)
![q](data:image/svg+xml,<svg/onload=window.hit=1>) [fine](https://good.example/a?b=1)

${"> ".repeat(5000)}deep

# A heading in the text\u202e reversed

| a | b |
|---|---|
| 1 | 2 |`;

/** As Contentful has an entry in a line of text. */
const IN_A_LINE = {
  ...{ nodeType: "document", data: {} },
  content: [
    {
      ...{ nodeType: "paragraph", data: {} },
      content: [
        { nodeType: "text", value: "Read ", marks: [], data: {} },
        {
          nodeType: "embedded-entry-inline",
          data: { target: { contentEntryId: "home" } },
          content: [],
        },
      ],
    },
  ],
};

const FOLDER = {
  "workspace.json": { id: "hard", name: "Hard", assetTexts: true },
  "models.json": [
    {
      id: "m",
      key: "m",
      name: "Hard page",
      fields: [
        { key: "title", type: "text", title: true },
        { key: "body", name: "Body", type: "rich-text" },
        { key: "text", name: "Text", type: "text", format: "markdown" },
        { key: "long", name: "Long", type: "text" },
        { key: "on", name: "Open", type: "boolean" },
        { key: "day", name: "Day", type: "date" },
        { key: "colour", name: "Colour", type: "text" },
        { key: "data", name: "More", type: "json" },
        { key: "sheet", name: "Sheet", type: "asset" },
        { key: "none", name: "Never", type: "text" },
        { key: "void", name: "Blank", type: "reference", repeatable: true },
      ],
    },
  ],
  "entries.json": [
    {
      id: "home",
      modelId: "m",
      data: {
        title: "Hard content",
        body: {
          type: "doc",
          content: [
            {
              type: "paragraph",
              content: [
                word("run", "javascript:window.hit=1"),
                word("go", "https://good.example/"),
              ],
            },
            { type: "heading", attrs: { level: 1 }, content: [word("A heading")] },
            { type: "bullet_list", content: [{ type: "list_item", content: [word("a point")] }] },
            deep(80),
          ],
        },
        text: HOSTILE,
        long: `${"many words ".repeat(95_000)}the last word`,
        on: true,
        day: "2026-11-22",
        colour: "#ff0000",
        data: { a: [1] },
        sheet: { assetId: "pdf" },
      },
    },
    { id: "line", modelId: "m", data: { title: "A line", body: IN_A_LINE } },
  ],
  "assets.json": [
    {
      id: "pdf",
      fileName: "a.pdf",
      mimeType: "application/pdf",
      file: "files/a.pdf",
      title: "Size guide",
    },
  ],
  "files/a.pdf": "%PDF-1.4",
};

const browser = chromiumForTests();

describe("H25: content is read on the preview page", () => {
  let bed: PreviewBed;
  shared(async () => {
    const blog = new CliBed();
    blog.ok("import", "--from", "contentful", BLOG, "--write", blog.path("blog"));
    bed = await PreviewBed.ofStore(STOREFRONT, blog.path("blog"), workspaceFolder(FOLDER));
  });

  it("H25, H25b: an entry has its text in place, facts, cards that open, and names of fields on demand", async () => {
    const page = await openPage(browser(), bed);
    await goTo(page, "storefront/entries/page-home");
    const main = page.locator("main");
    expect(await main.locator(".field-kind").count()).toBe(0);
    await main
      .getByText(/empty fields?: /)
      .first()
      .waitFor();
    const card = main.locator(".reference", { hasText: "Kestrel 2 tent" }).first();
    await card.getByText("Product", { exact: true }).waitFor();
    await card.getByRole("button", { name: /Read here.*Kestrel 2 tent/ }).click();
    await card.getByText("Stock number").waitFor();
    // What is the only picture of a record needs no name; of two rows of blocks each has its own.
    await card.locator('[data-path="/photos"] > dt.unseen').waitFor({ state: "attached" });
    await main.locator("dt:not(.unseen)", { hasText: "Banner" }).first().waitFor();
    await card
      .getByRole("button", { name: /Close.*Kestrel 2 tent/ })
      .first()
      .click();
    expect(await card.getByText("Stock number").count()).toBe(0);
    await main.getByRole("button", { name: "Show fields" }).click();
    await main.locator(".field-kind", { hasText: "content-block list" }).first().waitFor();
    await goTo(page, "storefront/entries/TT-Gully-Shell");
    await main.locator(".field-kind", { hasText: "sku text, required" }).waitFor();
    await main.getByRole("button", { name: "Show fields" }).click();
    await goTo(page, "storefront/projects/prj_web/experiences/exp_browse");
    await main.locator(".step .block").first().waitFor();
    expect(await main.locator(".field-kind").count()).toBe(0);
  });

  it("H25: an entry in a line of text is read by its title", async () => {
    const page = await openPage(browser(), bed);
    await goTo(page, "hard/entries/line");
    const line = page.locator(".prose p", { hasText: "Read " });
    await line.getByRole("link", { name: "Hard content" }).waitFor();
  });

  it("H26: pictures of other hosts are shown once their host is allowed, which is kept", async () => {
    const page = await openPage(browser(), bed, {}, [PICTURES]);
    const asked: string[] = [];
    await page.route(`${PICTURES}/**`, (route) => {
      asked.push(route.request().url());
      return route.fulfill({ body: PNG, contentType: "image/png" });
    });
    await goTo(page, "blogspace/entries/first");
    await page.getByText("The end.").waitFor();
    await page.locator(".embedded .reference", { hasText: "A card" }).waitFor();
    expect(asked).toEqual([]);
    const allow = page.getByRole("button", { name: "Show pictures from images.blog.example" });
    await allow.first().waitFor();
    await goTo(page, "blogspace/assets");
    await allow.click();
    await page.locator(".asset-card img").first().waitFor();
    await goTo(page, "blogspace/entries/first");
    await page.waitForFunction(() => document.querySelectorAll("main img").length >= 2);
    const loaded = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLImageElement>("main .asset img")].map(
          ({ naturalWidth, alt }) => naturalWidth > 0 && alt,
        ),
      );
    await expect.poll(loaded).toEqual(["Picture", "Picture"]);
    await page.reload();
    await expect.poll(loaded).toEqual(["Picture", "Picture"]);
    expect(await page.getByText("Show pictures from").count()).toBe(0);
  });

  it("H9, H25a, H25c: hostile and huge content is read, does nothing, and has only safe links", async () => {
    const page = await openPage(browser(), bed);
    await goTo(page, "hard/entries/home");
    await page.getByRole("heading", { name: "Hard content" }).waitFor();
    const main = page.locator("main");
    await main.locator("blockquote").getByText("the bottom").waitFor();
    await main.getByText("2 empty fields: Never, Blank").waitFor();
    await main.getByText('import "goods" is what the trade says').waitFor();
    expect(await main.getByText(/chart\.tsx|export const/).count()).toBe(0);
    for (const text of ["22 November 2026", "Yes", "1 value", "a point", "Size guide"]) {
      await main.getByText(text, { exact: true }).first().waitFor();
    }
    await main
      .getByText('<script>window.hit=1</script> <img src=x onerror="window.hit=1">')
      .waitFor();
    await expect.poll(() => main.getByRole("cell").allTextContents()).toEqual(["1", "2"]);
    expect(await main.getByText("the last word").count()).toBe(0);
    await main.getByRole("button", { name: /Show all 1,045,0\d\d characters/ }).click();
    await main.getByText("the last word").waitFor();
    expect(await linksOf(page)).toEqual(["https://good.example/", "https://good.example/a?b=1"]);
    const places = await page.evaluate(() =>
      [...document.querySelectorAll("main :is(img, video, audio, iframe)")].map((one) =>
        one.getAttribute("src"),
      ),
    );
    expect(places).toEqual([]);
    expect(await page.evaluate(() => "hit" in globalThis)).toBe(false);
    const pdf = await main.getByRole("link", { name: "Size guide" }).getAttribute("href");
    expect(pdf).toMatch(/^\/assets\/[0-9a-f]{16}\/a\.pdf$/);
  });
});

/** The addresses of links to other sites. */
function linksOf(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main .card a")]
      .map((one) => one.getAttribute("href"))
      .filter((href) => !/^(?:#\/|\/assets\/)/.test(href ?? "")),
  );
}
