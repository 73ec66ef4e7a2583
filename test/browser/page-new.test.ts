import { cpSync, readFileSync } from "node:fs";
import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, it } from "vitest";
import { STOREFRONT } from "../support/cli-bed.ts";
import { Author } from "../support/page/author.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();
const NARROW = { viewport: { width: 390, height: 844 } };

async function storefront(place: string, options: BrowserContextOptions = {}) {
  const bed = new PreviewBed();
  cpSync(STOREFRONT, bed.content, { recursive: true });
  await bed.start("--edit");
  const page = await openPage(browser(), bed, options);
  await goTo(page, `storefront/${place}`);
  const dialog = page.locator("dialog.edit-dialog");
  const read = (file: string) => JSON.parse(readFileSync(bed.file("entries", file), "utf8"));
  const project = (name: string) =>
    JSON.parse(readFileSync(bed.file("projects", `${name}.json`), "utf8"));
  return { page, dialog, read, project };
}

describe("H67 to H70: what is new, in a browser", () => {
  it("H67: from Entries, with the model chosen there, by keyboard alone: no id and no slug is typed", async () => {
    const { page, dialog, read } = await storefront("entries");
    await page.getByLabel("Model", { exact: true }).selectOption({ label: "Article" });
    await page.getByRole("button", { name: "New entry" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Title").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Ten days: on the Coast!");
    await expect.poll(() => dialog.getByLabel("Slug").inputValue()).toBe("ten-days-on-the-coast");
    expect(await dialog.getByLabel("Id").inputValue()).toBe("ten-days-on-the-coast");
    await expectAccessible(page, "a new entry");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ten days: on the Coast!", level: 1 }).waitFor();
    expect(read("articles/ten-days-on-the-coast.json")).toEqual({
      id: "ten-days-on-the-coast",
      modelId: "mdl_article",
      draft: true,
      data: { slug: "ten-days-on-the-coast", headline: "Ten days: on the Coast!" },
    });
    await page.locator(".edit-bar").getByRole("button", { name: "Undo" }).click();
    await page.locator(".edit-bar").getByText("Undone: the new entry").waitFor();
    expect(await page.locator(".edit-bar").getByRole("button", { name: "Undo" }).count()).toBe(0);
  });

  it("H67b: sent twice, as by two clicks, a new entry is made once", async () => {
    const { page, dialog, read } = await storefront("entries");
    await page.getByRole("button", { name: "New entry" }).click();
    await dialog.getByLabel("Title").fill("Ten days");
    await expect.poll(() => dialog.getByLabel("Id").inputValue()).toBe("ten-days");
    await dialog.locator("form").evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await page.getByRole("heading", { name: "Ten days", level: 1 }).waitFor();
    // One undo takes all of it away.
    await page.locator(".edit-bar").getByRole("button", { name: "Undo" }).click();
    await page.locator(".edit-bar").getByText("Undone: the new entry").waitFor();
    expect(() => read("articles/ten-days.json")).toThrow();
    expect(() => read("articles/ten-days-2.json")).toThrow();
  });

  it("H67b: what was typed stays over Escape and another view, and a reload asks, until it is discarded", async () => {
    const { page, dialog } = await storefront("entries");
    const title = dialog.getByLabel("Title");
    const bar = page.locator(".edit-bar");
    await page.getByRole("button", { name: "New entry" }).click();
    await title.fill("Ten days");
    // What makes it is seen above the fields that are not.
    const [above = 0, below = 0] = await Promise.all(
      [dialog.getByRole("button", { name: "Create" }), dialog].map((one) =>
        one.evaluate((element) => element.getBoundingClientRect().bottom),
      ),
    );
    expect(above).toBeLessThan(below);
    await page.keyboard.press("Escape");
    await bar.getByText("New entry is not saved yet").waitFor();
    await bar.getByRole("link", { name: "Continue" }).click();
    expect(await title.inputValue()).toBe("Ten days");
    // By the button of the browser, as all else is behind the dialog.
    await goTo(page, "storefront/assets");
    await bar.getByText("New entry is not saved yet").waitFor();
    const asked = page.waitForEvent("dialog");
    void page.reload().catch(() => undefined);
    await (await asked).dismiss();
    await bar.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("button", { name: "New entry" }).click();
    expect(await title.inputValue()).toBe("Ten days");
    await dialog.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => title.inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await bar.waitFor({ state: "detached" });
    await page.reload();
    await page.waitForSelector("h1");
  });

  it("H67a: an id that exists is said beside its field, at 390 pixels; one that is free is taken by a button", async () => {
    const { page, dialog, read } = await storefront("", NARROW);
    // Chosen as soon as it is there, it stays.
    await page.evaluate(() => {
      const found = new MutationObserver(() => {
        const list = document.querySelector<HTMLSelectElement>("dialog.edit-dialog select");
        if (list === null) return;
        found.disconnect();
        list.value = "mdl_author";
        list.dispatchEvent(new Event("change", { bubbles: true }));
      });
      found.observe(document.body, { childList: true, subtree: true });
    });
    await page.getByRole("button", { name: "New entry" }).click();
    await dialog.getByLabel("Title").fill("Ida");
    const alert = dialog.getByRole("alert");
    await dialog.getByLabel("Id").fill("ida berg");
    await alert.filter({ hasText: "An id is 1 to 128 letters, digits" }).waitFor();
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByLabel("Id").and(page.locator(":focus")).waitFor();
    expect(await alert.count()).toBe(1);
    await dialog.getByLabel("Id").fill("author-tom-askew");
    await alert.filter({ hasText: "author-tom-askew" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await alert.count()).toBe(1);
    await expectAccessible(page, "an id that exists");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await dialog.getByRole("button", { name: "Use “author-tom-askew-2”" }).click();
    await alert.waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(/entries\/author-tom-askew-2$/);
    expect(read("authors/author-tom-askew-2.json").data).toEqual({ name: "Ida" });
  });

  it("H67: one that is made in the choice of a reference is chosen there, and what else was typed is kept", async () => {
    const { page, dialog, read } = await storefront("entries/article-northfell-day-1");
    await page.getByRole("button", { name: "Change Standfirst", exact: true }).click();
    const form = page.locator("form.edit-form:not(dialog *)");
    await form.locator("textarea").fill("Typed before");
    await page.getByRole("button", { name: "Change Author", exact: true }).click();
    await form.getByRole("button", { name: "Choose Author" }).click();
    await page.getByRole("button", { name: "New Author…" }).click();
    await page.keyboard.type("Ida Berg");
    await expect.poll(() => dialog.getByLabel("Id").inputValue()).toBe("ida-berg");
    await expectAccessible(page, "a new entry in the choice of a reference");
    await page.keyboard.press("Control+Enter");
    await form.locator(".edit-pointer").getByText("Ida Berg").waitFor();
    await page.locator(".edit-pointer button:focus").getByText("Choose…").waitFor();
    expect(await form.locator("textarea").inputValue()).toBe("Typed before");
    await form.last().getByRole("button", { name: "Save" }).click();
    await page.locator(".edit-bar").getByText("Saved Author.").waitFor();
    expect(read("articles/northfell-way-day-1.json").data.author).toEqual({
      contentEntryId: "ida-berg",
    });
  });

  it("H67b: an article with picture, reference and three paragraphs: at most twelve clicks, one saving", async () => {
    const { page, dialog, read } = await storefront("");
    const author = new Author(page);
    const choose = async (field: string, option: string) => {
      await author.click(dialog.getByRole("button", { name: `Choose ${field}` }));
      await author.click(page.getByRole("option", { name: option }).first());
    };
    await author.click(page.getByRole("button", { name: "New entry" }));
    await author.select(dialog.getByLabel("Model"), "Article");
    await dialog.getByLabel("Title").fill("Ten days on the coast");
    await choose("Author", "Tom Askew");
    await choose("Map", "tent");
    await author.click(dialog.getByRole("button", { name: "Add a block… to Body" }));
    await author.click(page.getByRole("option", { name: /^Rich text/ }));
    await author.click(dialog.getByRole("textbox", { name: "Text", exact: true }));
    await page.keyboard.type("In a block");
    await author.click(dialog.locator("[contenteditable=true]"));
    for (const [at, text] of ["One", "Two", "Three"].entries()) {
      if (at > 0) await page.keyboard.press("Enter");
      await page.keyboard.type(text);
    }
    await expectAccessible(page, "a new entry with all its fields");
    await author.click(dialog.getByRole("button", { name: "Create" }));
    await page.getByRole("heading", { name: "Ten days on the coast", level: 1 }).waitFor();
    expect(author.clicks).toBeLessThanOrEqual(12);
    expect(author.savings).toBe(1);
    const { data, draft } = read("articles/ten-days-on-the-coast.json");
    expect(draft).toBe(true);
    expect(data).toMatchObject({
      slug: "ten-days-on-the-coast",
      headline: "Ten days on the coast",
      author: { contentEntryId: "author-tom-askew" },
      map: { assetId: expect.any(String) },
    });
    expect(data.body).toEqual([{ contentBlockId: "blk_rich_text", data: { text: "In a block" } }]);
    expect(data.notes.content.map((one: object) => JSON.stringify(one))).toEqual([
      expect.stringContaining('"One"'),
      expect.stringContaining('"Two"'),
      expect.stringContaining('"Three"'),
    ]);
  });

  it("H68: a row of Entries is duplicated by keyboard", async () => {
    const { page, dialog, read } = await storefront("entries?filter=article-choosing");
    await page.locator("a.table-row", { hasText: "How to choose a tent" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Title").waitFor();
    await expect.poll(() => dialog.getByLabel("Title").inputValue()).toMatch(/ \(copy\)$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /\(copy\)$/, level: 1 }).waitFor();
    const [, id = ""] = /entries\/([^/?]+)$/.exec(page.url()) ?? [];
    expect(read(`articles/${id}.json`).data.slug).toBe(id);
    // H44a: from a copy that is gone.
    await page.keyboard.press("Control+z");
    await page.waitForURL(/entries\?filter=article-choosing$/);
    await page.locator("a.table-row", { hasText: "How to choose a tent" }).waitFor();
  });

  it("H69, H44a: an entry gets another id by keyboard, with what points at it; undone at once", async () => {
    const { page, dialog, read } = await storefront("entries/author-tom-askew");
    await page.getByRole("button", { name: "Change the id" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByText(/Used by \d+ entries/).waitFor();
    await expectAccessible(page, "another id");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("ines moreau");
    await dialog.getByRole("alert").filter({ hasText: "An id is 1 to 128 letters" }).waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("author-ines-moreau");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").filter({ hasText: "already an entry" }).waitFor();
    await page.keyboard.type("-2");
    await page.keyboard.press("Enter");
    await page.waitForURL(/entries\/author-ines-moreau-2$/);
    await page.getByRole("heading", { name: "Tom Askew", level: 1 }).waitFor();
    const author = () => read("articles/choosing-a-tent.json").data.author.contentEntryId;
    expect(author()).toBe("author-ines-moreau-2");
    await page.keyboard.press("Control+z");
    await page.locator(".edit-bar").getByText("Undone: the new id of “Tom Askew”.").waitFor();
    await page.waitForURL(/entries\/author-tom-askew$/);
    await page.getByRole("heading", { name: "Tom Askew", level: 1 }).waitFor();
    expect(author()).toBe("author-tom-askew");
  });

  it("H70: a new page of a project by keyboard, which shows what is chosen, in the order that its steps are moved to; 390 pixels wide", async () => {
    const { page, dialog, project } = await storefront("projects/prj_kiosk", NARROW);
    await page.getByRole("button", { name: "New page" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Add a step…" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Search", exact: true }).fill("how to choose");
    // Enter takes what is of the words, though it may not be there yet (H42).
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Layout of Steps, item 1").waitFor();
    await expect.poll(() => dialog.getByLabel("Id").inputValue()).toBe("how-to-choose-a-tent");
    await expectAccessible(page, "a new page");
    // Its title is beside the layout where there is room, and above it on a phone.
    const step = dialog.locator(".edit-list > li");
    const [title, layout] = [step.getByText("How to choose a tent"), step.locator("select")];
    const isAbove = async () => {
      const [above, below] = [await title.boundingBox(), await layout.boundingBox()];
      return (above?.y ?? 0) + (above?.height ?? 0) <= (below?.y ?? 0);
    };
    expect(await isAbove()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await isAbove()).toBe(false);
    expect((await step.boundingBox())?.height).toBeLessThan(60);
    await page.setViewportSize(NARROW.viewport);
    await dialog.getByRole("button", { name: "Add a step…" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Search", exact: true }).fill("kit for long days");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Layout of Steps, item 2").waitFor();
    await step.nth(1).getByRole("button", { name: "Move up" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => step.nth(1).innerText()).toContain("How to choose a tent");
    await expect
      .poll(() => dialog.getByLabel("Id").inputValue())
      .toBe("kit-for-long-days-and-changing-weather");
    await step.first().getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => dialog.getByLabel("Id").inputValue()).toBe("how-to-choose-a-tent");
    await dialog.getByLabel("Title").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/experiences\/how-to-choose-a-tent$/);
    await page.getByRole("heading", { name: "How to choose a tent", level: 1 }).waitFor();
    const made = project("kiosk");
    await page.keyboard.press("Control+z");
    await page.waitForURL(/projects\/prj_kiosk$/);
    expect(made.experiences.at(-1)).toEqual({
      id: "how-to-choose-a-tent",
      key: "how-to-choose-a-tent",
      name: "How to choose a tent",
      stepIds: ["how-to-choose-a-tent"],
    });
    expect(made.steps.at(-1)).toMatchObject({
      layoutName: "story",
      layoutContentId: "article-choosing-a-tent",
    });
  });
});
