import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { NEIGHBOUR, STOREFRONT } from "../support/cli-bed.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { chromiumForTests } from "./browser.ts";

const EXPERIENCES = "storefront/projects/prj_web/experiences";

const browser = chromiumForTests();

describe("what an author sees on the preview page", { timeout: 60_000 }, () => {
  let bed: PreviewBed;
  let page: Page;
  beforeEach(async () => {
    bed = await PreviewBed.ofStore(STOREFRONT, NEIGHBOUR);
    page = await openPage(browser(), bed, { viewport: { width: 1280, height: 3000 } });
  }, 30_000);

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
    expect(await texts(".field-name")).toEqual(expect.arrayContaining(["Headline", "Banner"]));
    expect(await texts(".block .block .block-name")).toContain("Rich text richText");
    await page.getByText("Not served", { exact: true }).waitFor();
    await page.getByText('there is no block definition "blk_retired_banner"').waitFor();
    await page.locator(".field a.target", { hasText: "How to choose a tent" }).click();
    await page.locator("h1", { hasText: "How to choose a tent" }).waitFor();
  });

  it("V11: rich text: its JSON, and what is in it as in fields, with the problems there", async () => {
    const folder = workspaceFolder({
      "models.json": [
        {
          id: "m",
          key: "m",
          name: "M",
          fields: [{ key: "body", type: "rich-text", nodeTypes: ["doc", "p"] }],
        },
      ],
      "blocks.json": [
        { id: "b", key: "note", name: "Note", fields: [{ key: "words", type: "text" }] },
      ],
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
    });
    const other = await openPage(browser(), await PreviewBed.of(folder));
    await goTo(other, "w/entries/home");
    const field = other.locator('[data-path="/body"]');
    await field.getByText('the node "odd"').waitFor();
    expect(await field.locator(".values > li").allTextContents()).toEqual([
      expect.stringMatching(/^Not served.*no block definition "gone"/),
      expect.stringContaining("other"),
      expect.stringContaining("in the note"),
      expect.stringMatching(/nobody.*no entry "nobody"/),
      expect.stringMatching(/no-asset.*no asset "no-asset"/),
    ]);
    expect(await field.locator(".json summary").first().textContent()).toContain("body{2}");
    await field.locator("a.target").click();
    await other.locator("h1", { hasText: "other" }).waitFor();
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
    await page.locator("windowed-list .depth").first().waitFor();
    const away = (await texts("windowed-list .depth")).map((text) =>
      Number(text.replace(/\D/g, "")),
    );
    expect(away).toEqual(away.toSorted((a, b) => a - b));
    expect(new Set(away)).toEqual(new Set([1, 2, 3, 4]));
    await goTo(page, `${EXPERIENCES}/exp_help`);
    await page.getByText("shown above").waitFor();
  });

  it("the graph: rings by distance, and unresolved references with their reasons", async () => {
    await goTo(page, `${EXPERIENCES}/exp_journal/graph`);
    expect(await texts(".ring text")).toEqual(["1", "2", "3", "4", "5", "6"]);
    const radii = await page.locator("a.node:not(.is-unresolved)").evaluateAll((nodes) =>
      nodes.map((node) => {
        const [, x = 0, y = 0] = /\((\S+) (\S+)\)/.exec(node.getAttribute("transform") ?? "") ?? [];
        const depth = /distance (\d)/.exec(node.getAttribute("aria-label") ?? "")?.[1];
        return [Number(depth), Math.round(Math.hypot(Number(x), Number(y)) / 10)];
      }),
    );
    const byDepth = Map.groupBy(radii, ([depth]) => depth);
    for (const [depth, some] of byDepth) {
      expect(new Set(some.map(([, radius]) => radius)).size, `ring ${depth}`).toBe(1);
    }
    expect(byDepth.size).toBe(6);
    const reasons = page.locator('[data-key="Pointers that do not resolve"] .row');
    expect((await reasons.allTextContents()).sort()).toEqual([
      "Day six: Lunefoot to Garsmerefrom article-northfell-day-5 /nextmore than 5 references away",
      "policy-price-matchfrom page-help /related/1deleted",
      "repair-zip-replacementfrom page-help /related/2in another workspace",
    ]);
  });

  it("the graph: names as in the lists, truncated with an ellipsis; rings extend to the frame", async () => {
    await goTo(page, `${EXPERIENCES}/exp_journal/graph`);
    await page.getByRole("link", { name: "Not resolved: Day six: Lunefoot to Garsmere" }).waitFor();
    const names = await page
      .locator("a.node")
      .evaluateAll((nodes) =>
        nodes.map((node) => [
          node.querySelector("text")?.textContent ?? "",
          (node.getAttribute("aria-label") ?? "").replace("Not resolved: ", ""),
        ]),
      );
    const wrong = names.filter(([shown = "", label = ""]) => {
      const isComplete = label.startsWith(`${shown}, `);
      return !isComplete && !(shown.endsWith("…") && label.startsWith(shown.slice(0, -1)));
    });
    expect(wrong).toEqual([]);
    expect(names.some(([shown]) => shown?.endsWith("…"))).toBe(true);
    // The element that clips the rings is as large as the frame.
    const [cut, frame] = await page.locator(".graph").evaluate((graph) => {
      let one: Element = graph;
      while (getComputedStyle(one).overflow === "visible") one = one.parentElement as Element;
      const outer = graph.closest(".graph-frame") as Element;
      return [one, outer].map(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
    });
    expect(cut).toEqual(frame);
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
    expect((await texts('[data-key="Schema"] .change'))[0]).toBe(
      "breaking model page, field showInSearchremoved: code that reads it breaks in prj_kiosk, prj_web",
    );
    const change = page.locator('[data-key="page-help"] .value-change');
    expect(await change.textContent()).toBe("showInSearchwas trueno value");
    await goTo(page, `${EXPERIENCES}/exp_help/changes`);
    expect(await texts('[data-key="Entries"] .change-head a')).toEqual([
      "Delivery, returns and repairs",
      "Visit our shop in Thornbeck",
    ]);
    expect(await texts('[data-key="Documents"] .change a')).toEqual(["Get help"]);
  });

  it("problems: those of svc check, each linked to its field", async () => {
    await goTo(page, "storefront/problems");
    const problems = bed.json(0, "check", "--workspace", "storefront").problems;
    const rows = (await texts("main .row-title")).sort();
    expect(rows).toEqual(problems.map(({ message }: { message: string }) => message).sort());
    for (const [message, path] of [
      ['there is no asset "ast_lull_bag_open"', "/photos/1"],
      ['there is no field "supplierCode"', "/supplierCode"],
      ['the step "sale" shows the entry', "/steps/3/layoutContentId"],
      ['the entry "article-northfell-day-6" is more than 5', "/next"],
    ] as const) {
      await goTo(page, "storefront/problems");
      await page.locator("main .row", { hasText: message }).click();
      await page.waitForFunction(
        (at) => document.activeElement?.getAttribute("data-path") === at,
        path,
      );
    }
  });

  it("back and forward restore the scroll position", async () => {
    await page.setViewportSize({ width: 1000, height: 500 });
    await goTo(page, "storefront/problems");
    await page.evaluate(() => scrollTo(0, 700));
    const row = page.locator("main .row", { hasText: 'no asset "ast_lull_bag_open"' });
    await row.hover();
    const scrolled = await page.evaluate(() => scrollY);
    await row.click();
    await page.waitForFunction(() => document.activeElement?.matches("[data-path='/photos/1']"));
    await page.goBack();
    await page.locator("h1", { hasText: "Problems" }).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
    await page.goForward();
    await page.locator("h1", { hasText: "Lull 400 sleeping bag" }).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
  });

  it("documents: URLs, curl, size, and the JSON, foldable and searchable by value; a match opens its place", async () => {
    await goTo(page, `${EXPERIENCES}/exp_browse/documents`);
    const { origin } = new URL(bed.link);
    const address = `${origin}/api/v1/${EXPERIENCES.slice("storefront/".length)}/exp_browse/content`;
    const content = page.locator('[data-key="content"]');
    expect(await content.locator("dd code").allTextContents()).toEqual([
      address,
      `${address}?preview_token=$TOKEN`,
      `curl "${address}?preview_token=$TOKEN"`,
    ]);
    expect(await content.locator(".group-head p").textContent()).toMatch(/^\d+(\.\d+)? kB$/);
    await content.getByText("JSON of the draft").click();
    await content.getByText("experienceId").waitFor();
    expect(await content.locator(".json-line").count(), "folded").toBe(2);
    await content.getByText("references", { exact: true }).click();
    await content.locator(".json-hint", { hasText: "article-choosing-a-tent" }).waitFor();
    await content.getByRole("searchbox").fill("carry LESS");
    expect(await content.locator(".json-found li").allTextContents()).toEqual([
      '/content/1/data/banner/data/heading"Carry less, sleep better"',
    ]);
    await content.locator(".json-found button").click();
    const line = page.locator(".json-line:focus");
    expect(await line.textContent()).toBe('heading"Carry less, sleep better"');
    expect(await line.getAttribute("data-json")).toBe(
      ["content", "1", "data", "banner", "data", "heading"].join("\n"),
    );
    expect(await line.isVisible()).toBe(true);
    await content.getByRole("searchbox").fill("contentModelKey");
    expect(await content.locator(".json-found li").count(), "names of members").toBe(0);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await content.getByRole("button", { name: "Copy Published of Experience content" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  });
});
