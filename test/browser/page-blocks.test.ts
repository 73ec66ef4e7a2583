import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const text = (key: string) => ({ key, type: "text" });
const blocks = (key: string) => ({ key, type: "content-block", repeatable: true });
const block = (contentBlockId: string, data: object) => ({ contentBlockId, data });
const to = (contentEntryId: string) => ({ contentEntryId });
const card = (words: string, more = {}) => block("card", { words, width: "67px", ...more });

const PROSE = "Ten days on the coast. ".repeat(40);
const tall = (heading: string) => block("section", { heading, body: PROSE, more: PROSE });

const FOLDER = {
  "models.json": [
    {
      id: "m",
      key: "m",
      name: "Page",
      fields: [
        { ...text("title"), title: true },
        { key: "stars", type: "integer" },
        blocks("body"),
        { key: "next", type: "reference", repeatable: true },
        { key: "all", type: "reference", repeatable: true, models: ["note"], query: { limit: 3 } },
      ],
    },
    { id: "note", key: "note", name: "Note", fields: [{ ...text("title"), title: true }] },
  ],
  "blocks.json": [
    {
      id: "card",
      key: "card",
      name: "Card",
      fields: [
        text("words"),
        text("width"),
        { key: "size", type: "select", options: ["s", "m"] },
        { key: "wide", type: "boolean" },
        text("subtitle"),
        blocks("icons"),
      ],
    },
    { id: "icon", key: "icon", name: "Icon", fields: [text("rootClass")] },
    { id: "row", key: "row", name: "Row", fields: [blocks("items"), text("rootClass")] },
    {
      id: "section",
      key: "section",
      name: "Section",
      fields: [text("heading"), text("body"), text("more")],
    },
  ],
  "entries.json": [
    {
      id: "home",
      modelId: "m",
      data: {
        title: "Home",
        stars: 4,
        body: [
          block("row", {
            items: [
              card("Words to read", {
                size: "m",
                wide: true,
                icons: [block("icon", { rootClass: "is-red big" })],
              }),
            ],
            rootClass: "mt-4 px-2",
          }),
          card("Has a fault", { size: "xxl" }),
        ],
        next: [to("one"), to("home")],
      },
    },
    {
      id: "one",
      modelId: "m",
      data: { title: "One", body: [card("In one")], next: [to("two"), to("home")] },
    },
    {
      id: "two",
      modelId: "m",
      data: { title: "Two", body: [card("In two")], next: [to("three")] },
    },
    { id: "three", modelId: "m", data: { title: "Three", body: [card("In three")] } },
    { id: "n", modelId: "note", data: { title: "A note" } },
    {
      id: "long",
      modelId: "m",
      data: { title: "Long", body: Array.from("ABCDEFGH", (one) => tall(`Part ${one}`)) },
    },
  ],
  "projects.json": [
    {
      id: "site",
      name: "Site",
      steps: [{ id: "s", key: "s", name: "Home", layoutName: "m", layoutContentId: "home" }],
      experiences: [{ id: "e", key: "e", name: "Home", stepIds: ["s"] }],
    },
  ],
};

const browser = chromiumForTests();

describe("a page of blocks", () => {
  let bed: PreviewBed;
  let page: Page;
  shared(async () => {
    bed = new PreviewBed();
    workspaceFolder(FOLDER, bed.content);
    await bed.start("--edit");
    page = await openPage(browser(), bed, { viewport: { width: 1440, height: 900 } });
  });

  const open = async (place: string) => {
    await goTo(page, `w/${place}`);
    await page.locator("main .card").first().waitFor();
    return page.locator("main");
  };

  it("H25d: a block shows what is read; its settings, blocks of them and empty fields are folded", async () => {
    const main = await open("entries/home");
    const card = main.getByRole("region", { name: "Block Card" }).first();
    // What may be changed is an answer of its own.
    await expect
      .poll(() => card.innerText())
      .toMatch(/^Card 4 settings, 1 empty field\s+✎\s+Words\s+Words to read$/);
    await card.getByText("4 settings").click();
    await expect
      .poll(() => card.locator(".field-name").allTextContents())
      .toEqual(expect.arrayContaining(["Width", "Size", "Wide", "Icons"]));
    await card.getByText("1 empty field: Subtitle").waitFor();
    // Facts of an entry are no settings.
    await main.getByText("4", { exact: true }).waitFor();
    await expectAccessible(page, "blocks");
    await open("entries/long");
    await open("entries/home");
    await card.getByText("1 empty field: Subtitle").waitFor();
  });

  it("H25g: a fold opens for a problem in it, and for a place that is looked for", async () => {
    const main = await open("entries/home");
    await main.getByText('the value "xxl" is not one of the options').waitFor();
    expect(await main.getByText("mt-4 px-2").count()).toBe(0);
    await goTo(page, "w/entries/home?at=/body/0/data/rootClass");
    await expect.poll(() => main.getByText("mt-4 px-2").isVisible()).toBe(true);
    const place = () => document.activeElement?.getAttribute("data-path");
    await expect.poll(() => page.evaluate(place)).toBe("/body/0/data/rootClass");
    const icon = "/body/0/data/items/0/data/icons/0/data/rootClass";
    await goTo(page, `w/entries/home?at=${icon}`);
    await expect.poll(() => page.evaluate(place)).toBe(icon);
  });

  it("H25h: a block has one pencil, by keyboard too; nested blocks and those without content have no frame", async () => {
    const main = await open("entries/one");
    const card = main.getByRole("region", { name: "Block Card" });
    const frame = (name: string) =>
      main
        .getByRole("region", { name: `Block ${name}` })
        .first()
        .evaluate((element) => getComputedStyle(element).borderTopWidth);
    expect(await card.locator(".pencil").count()).toBe(1);
    await card.locator(".pencil").press("Enter");
    await card.getByRole("textbox", { name: "words" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator('li[data-path="/body/0"]:focus').waitFor();
    expect(await card.locator(".pencil").count()).toBe(1);
    expect(await frame("Card")).toBe("1px");
    await open("entries/home");
    expect([await frame("Row"), await frame("Card")]).toEqual(["0px", "0px"]);
    await goTo(page, "w/entries/long");
    const section = main.getByRole("region", { name: "Block Section" }).first();
    await section.getByRole("button", { name: "Change Section" }).click();
    // H63.
    const form = section.getByRole("form", { name: "Change Section" });
    await form.getByRole("textbox", { name: "body" }).waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
    expect(await section.locator(".pencil").count()).toBe(1);
  });

  it("H25e: in an experience references stand open to depth one, all by Open all, each once", async () => {
    const main = await open("projects/site/experiences/e");
    await main.getByText("In one").waitFor();
    expect(await main.getByText("In two").count()).toBe(0);
    const opened = () => main.locator('[aria-expanded="true"]').count();
    expect(await opened()).toBe(1);
    await main.getByRole("button", { name: "Open all" }).click();
    await main.getByText("In three").waitFor();
    // Neither the page in itself, nor what a query found.
    expect(await opened()).toBe(3);
    await main.getByRole("button", { name: "Close One" }).click();
    expect(await opened()).toBe(0);
  });

  it("H25f: an outline at the side of what has more than three screens leads to its parts", async () => {
    const main = await open("entries/long");
    const outline = main.getByRole("navigation", { name: "On this page" });
    await outline.waitFor();
    await expect
      .poll(() => outline.getByRole("button").allTextContents())
      .toEqual(Array.from("ABCDEFGH", (one) => `Part ${one}`));
    await outline.getByRole("button", { name: "Part F" }).press("Enter");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toContain("Part F");
    await expectAccessible(page, "an outline");
    await page.setViewportSize({ width: 390, height: 844 });
    await outline.waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await open("entries/one");
    expect(await outline.count()).toBe(0);
  });
});
