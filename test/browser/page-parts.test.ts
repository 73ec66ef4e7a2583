import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { NEIGHBOUR, STOREFRONT } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { chromiumForTests } from "./browser.ts";

const EXPERIENCES = "storefront/projects/prj_web/experiences";

/** Rich text with what can be in it. */
const RICH = {
  "models.json": [
    {
      id: "m",
      key: "m",
      name: "M",
      fields: [{ key: "body", type: "rich-text", nodeTypes: ["doc", "p"] }],
    },
  ],
  "blocks.json": [{ id: "b", key: "note", name: "Note", fields: [{ key: "words", type: "text" }] }],
  "entries.json": [
    { id: "other", modelId: "m", data: {} },
    {
      id: "home",
      modelId: "m",
      data: {
        body: {
          type: "doc",
          content: [
            { contentBlockId: "gone", data: {} },
            { type: "p", attrs: { to: { contentEntryId: "other" } } },
            { contentBlockId: "b", data: { words: "in the note" } },
            { type: "odd", to: { contentEntryId: "nobody" } },
            { assetId: "no-asset" },
          ],
        },
      },
    },
  ],
};

const browser = chromiumForTests();

describe("what an author sees on the preview page", () => {
  let bed: PreviewBed;
  let page: Page;
  shared(async () => {
    bed = await PreviewBed.ofStore(STOREFRONT, NEIGHBOUR, workspaceFolder(RICH));
    page = await openPage(browser(), bed, { viewport: { width: 1280, height: 3000 } });
  });

  const texts = (selector: string) => page.locator(selector).allTextContents();

  it("with several workspaces a list leads to the others", async () => {
    await page.getByLabel("Workspace", { exact: true }).first().selectOption("neighbour");
    await page.locator("h1", { hasText: "repair workshop" }).waitFor();
  });

  it("an entry: named fields, pictures, nested blocks, references as links", async () => {
    await goTo(page, "storefront/entries/page-home");
    const picture = page.locator("main img").first();
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    expect(await texts(".field-name")).toEqual(expect.arrayContaining(["Heading", "Banner"]));
    expect(await texts(".block .block .block-name")).toContain("Rich text");
    await page.getByText("Not published", { exact: true }).waitFor();
    await page.getByText('there is no block definition "blk_retired_banner"').waitFor();
    await page.locator(".field a.target", { hasText: "How to choose a tent" }).click();
    await page.locator("h1", { hasText: "How to choose a tent" }).waitFor();
  });

  it("V11, H25: rich text has in place what is in it, with the problems there", async () => {
    await goTo(page, "w/entries/home");
    const field = page.locator('[data-path="/body"]');
    await field.getByText('the node "odd"').waitFor();
    await expect
      .poll(() => field.locator(".embedded").allTextContents())
      .toEqual([
        expect.stringContaining("other"),
        expect.stringContaining("in the note"),
        expect.stringMatching(/nobody.*no entry "nobody"/),
        expect.stringMatching(/no-asset.*no asset "no-asset"/),
      ]);
    await field.getByText('no block definition "gone"').waitFor();
    await field.locator("a.target").click();
    await page.locator("h1", { hasText: "other" }).waitFor();
  });

  it("an experience: its steps in order with their layouts, then referenced entries, nearest first", async () => {
    await goTo(page, `${EXPERIENCES}/exp_browse`);
    expect(await texts(".step-head h2")).toEqual(["Home", "Collection", "Product"]);
    expect(await texts(".step-head p")).toEqual([
      "layout landing",
      "layout listing",
      "layout detail",
    ]);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.locator(".windowed-list .depth").first().waitFor();
    const away = (await texts(".windowed-list .depth")).map((text) =>
      Number(text.replace(/\D/g, "")),
    );
    expect(away).toEqual(away.toSorted((a, b) => a - b));
    expect(new Set(away)).toEqual(new Set([1, 2, 3, 4]));
    await goTo(page, `${EXPERIENCES}/exp_help`);
    await page.getByText("shown above").waitFor();
  });

  it("an experience: unresolved references with their reasons", async () => {
    await goTo(page, `${EXPERIENCES}/exp_journal`);
    const reasons = page.locator('[data-key="Pointers that do not resolve"] .row');
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await reasons.first().waitFor();
    expect((await reasons.allTextContents()).sort()).toEqual([
      expect.stringMatching(
        /^Day six: Lunefoot to Garsmerein Day five: .*more than 5 references away$/,
      ),
      expect.stringMatching(/^policy-price-matchin Delivery, returns and repairs.*deleted$/),
      expect.stringMatching(
        /^repair-zip-replacementin Delivery, returns and repairs.*in another workspace$/,
      ),
    ]);
  });

  it("problems: those of svc check, each linked to its field", async () => {
    await goTo(page, "storefront/problems");
    const problems = bed.json(0, "check", "--workspace", "storefront").problems;
    const rows = await texts("main .problem-text");
    expect(rows.length).toBe(problems.length);
    for (const { message } of problems) {
      expect(
        rows.some((text) => text.startsWith(message)),
        message,
      ).toBe(true);
    }
    for (const [message, path] of [
      ['there is no asset "ast_lull_bag_open"', "/photos/1"],
      ['there is no field "supplierCode"', "/supplierCode"],
      ['the step "sale" shows the entry', "/steps/3/layoutContentId"],
      ['the entry "article-northfell-day-6" is more than 5', "/next"],
    ] as const) {
      await goTo(page, "storefront/problems");
      await page
        .locator("main .problem-row", { hasText: message })
        .getByRole("link")
        .first()
        .click();
      await page.waitForFunction(
        (at) => document.activeElement?.getAttribute("data-path") === at,
        path,
      );
    }
  });

  it("H23: back, forward and reload restore the scroll position", async () => {
    const tab = await openPage(browser(), bed, { viewport: { width: 1000, height: 500 } });
    await goTo(tab, "storefront/projects/prj_web");
    const row = tab.locator("main .row", { hasText: "Get help" });
    await row.scrollIntoViewIfNeeded();
    await tab.evaluate(() => scrollTo(0, 120));
    const scrolled = await tab.evaluate(() => scrollY);
    expect(scrolled).toBe(120);
    await row.click();
    await tab.locator("h1", { hasText: "Get help" }).waitFor();
    await tab.goBack();
    await tab.locator("h1", { hasText: "Tarn & Trail website" }).waitFor();
    await expect.poll(() => tab.evaluate(() => scrollY)).toBeGreaterThanOrEqual(scrolled);
    const before = await tab.evaluate(() => scrollY);
    await tab.reload();
    await tab.locator("h1", { hasText: "Tarn & Trail website" }).waitFor();
    await expect.poll(() => tab.evaluate(() => scrollY)).toBe(before);
    await tab.goForward();
    await tab.locator("h1", { hasText: "Get help" }).waitFor();
    await expect.poll(() => tab.evaluate(() => scrollY)).toBe(0);
  });

  it("documents: URLs, curl, size, and the JSON, folded", async () => {
    await goTo(page, `${EXPERIENCES}/exp_browse/documents`);
    const { origin } = new URL(bed.link);
    const path = `/api/v1/${EXPERIENCES.slice("storefront/".length)}/exp_browse/content`;
    const address = origin + path;
    const content = page.locator('[data-key="content"]');
    await expect
      .poll(() => content.locator("dd code").allTextContents())
      .toEqual([
        address,
        `${address}?preview_token=$TOKEN`,
        `curl "${address}?preview_token=$TOKEN"`,
      ]);
    await expect
      .poll(() => content.locator(".group-head p").textContent())
      .toMatch(/^\d+(\.\d+)? kB$/);
    await content.getByText("JSON of the draft").click();
    const json = JSON.parse((await content.locator("pre").textContent()) ?? "");
    expect(json).toMatchObject({ experienceId: "exp_browse", versionId: null });
    expect(JSON.stringify(json)).toContain('"heading":"Carry less, sleep better"');
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await content.getByRole("button", { name: "Copy Published of Experience content" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  });

  it("changes: by field, and schema changes with their verdicts", async () => {
    bed.ok("publish", "--workspace", "storefront", "--out", bed.path("out"));
    await goTo(page, "storefront/changes");
    await page.getByText("No changes").waitFor();
    const model = bed.file("models", "page.json");
    const { fields, ...more } = JSON.parse(readFileSync(model, "utf8"));
    const without = fields.filter(({ key }: { key: string }) => key !== "showInSearch");
    writeFileSync(model, JSON.stringify({ ...more, fields: without }));
    bed.ok("import", bed.content);
    await page.getByText("1 breaking").waitFor();
    await page.getByText("1 change of the schema").click();
    await page.locator('[data-key="Documents"] .change').first().waitFor();
    expect(await texts('[data-key="Documents"] .change')).toEqual([
      "breaking model page, field showInSearchremoved: code that reads it breaks in prj_kiosk, prj_web",
    ]);
    const change = page.locator('[data-key^="page-help "] .compared dl');
    await expect.poll(() => change.textContent()).toBe("showInSearchwas yesis now nothing");
    await goTo(page, `${EXPERIENCES}/exp_help/changes`);
    expect(await texts('[data-key="Entries"] .change-head a')).toEqual([
      "Delivery, returns and repairs",
      "Visit our shop in Thornbeck",
    ]);
    await page.getByText("1 document").click();
    await page.locator('[data-key="Documents"] .change.is-line a').waitFor();
    expect(await texts('[data-key="Documents"] .change.is-line a')).toEqual(["Get help"]);
  });
});
