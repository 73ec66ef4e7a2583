import { readFileSync, writeFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { Author } from "../support/page/author.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const text = (key: string, more = {}) => ({ key, name: key.toUpperCase(), type: "text", ...more });
const card = (line: string) => ({ contentBlockId: "b-card", data: { line } });
const CARD = {
  id: "b-card",
  key: "card",
  name: "Card",
  fields: [
    text("line", { required: true, maxLength: 12 }),
    text("note", { localized: true }),
    { key: "body", name: "Inside", type: "content-block", repeatable: true },
  ],
};
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    text("code"),
    text("title", { title: true, required: true, maxLength: 30, description: "As it is listed" }),
    text("lead"),
    text("intro", { localized: true }),
    { key: "day", name: "Day", type: "date" },
    { key: "story", name: "Story", type: "rich-text" },
    { key: "settings", name: "Settings", type: "json" },
    { key: "picture", name: "Picture", type: "asset" },
    { key: "next", name: "Next", type: "reference", models: ["page"] },
    { key: "found", name: "Found", type: "reference", repeatable: true, query: { limit: 2 } },
    { key: "body", name: "Body", type: "content-block", repeatable: true },
    text("broken", { localized: true }),
  ],
};
const HOME = `{ "id": "home", "modelId": "m",
   "data": { "title": "Hoem", "lead" : "Long", "intro": { "en": "Hello", "de": "Hall\\u006f" }, "settings": { "a": 1.0 },
     "story": { "type": "doc", "content": [ { "type": "paragraph", "content": [ { "type": "text", "text": "Once" } ] } ] },
     "broken": "not by language",
     "body": [
       { "contentBlockId": "b-card", "data": { "line": "One" } },
       { "contentBlockId": "b-card", "data": { "line" : "Two" } }
     ] } }
`;
const step = { id: "s", key: "s", name: "Home", layoutName: "m", layoutContentId: "home" };
const project = (id: string, locale: string) => ({
  ...{ id, name: id, locale, steps: [step] },
  experiences: [{ id: "e", key: "e", name: "Home", stepIds: ["s"] }],
});
const FILES = {
  "models/page.json": MODEL,
  "blocks.json": [CARD, { ...CARD, id: "b-row", key: "row", name: "Row", fields: [text("gap")] }],
  "projects.json": [project("site", "en"), project("seite", "de")],
  "entries/home.json": HOME,
  "entries/other.json": { id: "other", modelId: "m", data: { title: "Another" } },
};

const browser = chromiumForTests();

describe("H63 to H66: one form for an entry", () => {
  let bed: PreviewBed;
  let page: Page;
  let form: Locator;
  let author: Author;
  shared(async () => {
    bed = new PreviewBed();
    workspaceFolder(FILES, bed.content);
    await bed.start("--edit");
    page = await openPage(browser(), bed, { viewport: { width: 1280, height: 900 } });
    author = new Author(page);
    form = page.locator("form.edit-form");
  });

  beforeEach(async () => {
    author.clicks = 0;
    writeFileSync(bed.file("entries", "home.json"), HOME);
    await goTo(page, "w/assets");
    await goTo(page, "w/entries/home");
    await page.getByRole("heading", { name: "Hoem", level: 1 }).waitFor();
  });

  const read = () => readFileSync(bed.file("entries", "home.json"), "utf8");
  const data = () => JSON.parse(read()).data;
  const row = (name: string) => form.getByRole("group", { name, exact: true });
  const input = (name: string) => form.getByRole("textbox", { name, exact: true });
  const tool = (name: string, at = 0) => form.getByRole("button", { name, exact: true }).nth(at);
  const editAll = () => page.getByRole("button", { name: "Edit all of Hoem" });
  const opened = async () => {
    await author.click(editAll());
    await input("TITLE").waitFor();
  };
  const saved = async (what: string) => {
    await page.locator(".edit-bar").getByText(`Saved ${what}.`).waitFor();
    await form.waitFor({ state: "detached" });
  };

  it("H63: a typo and another field are two clicks beside typing, one saving, one step of undo", async () => {
    await opened();
    // What is loaded later takes no focus from what is typed.
    await row("Story").locator("[contenteditable]").waitFor();
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe("TITLE");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Home");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Longer");
    await author.click(tool("Save"));
    await saved("TITLE, LEAD");
    expect(author.clicks).toBe(2);
    expect(read()).toBe(HOME.replace("Hoem", "Home").replace('"Long"', '"Longer"'));
    await page.locator(".of-entry:focus").waitFor();
    await page.keyboard.press("Control+z");
    await expect.poll(read).toBe(HOME);
  });

  it("H63, H65: every kind of input is in the form, and blocks are filled in by keyboard alone", async () => {
    await editAll().focus();
    await page.keyboard.press("Enter");
    await page.locator('textarea[aria-label="TITLE"]:focus').waitFor();
    // H66.
    await row("BROKEN").getByText("Change it in the file").waitFor();
    expect(await row("Found").count()).toBe(0);
    await row("TITLE").getByText("As it is listed").waitFor();
    await row("Day").locator("input").fill("2026-11-23");
    await row("Story").locator("[contenteditable]").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" more");
    await input("Settings").fill('{ "a": 2 }');
    await tool("Choose Next").press("Enter");
    await page.getByRole("option", { name: "Another" }).waitFor();
    await page.keyboard.press("Enter");
    await row("Next").getByText("Another").waitFor();

    // A fold is opened by Enter, and what is behind it is next.
    await form.locator("summary", { hasText: "Card: One" }).press("Enter");
    await input("LINE").focus();
    await page.keyboard.press("End");
    await page.keyboard.type("s");
    await form.getByText("Card: Ones").waitFor();
    await tool("Duplicate").press("Enter");
    await expect.poll(() => form.getByText("Card: Ones").count()).toBe(2);
    await page.keyboard.press("Shift+Tab");
    // The copy is moved below the last, and another one is added, which is open.
    await page.keyboard.press("Enter");
    await page.locator('button[aria-label="Move up"]:focus').waitFor();
    await form.getByRole("button", { name: "Add a block… to Body" }).press("Enter");
    await page.getByRole("combobox", { name: "Search", exact: true }).fill("gap");
    await page.getByRole("option", { name: "Row GAP" }).waitFor();
    await expectAccessible(page, "the choice of a block");
    await page.keyboard.press("Enter");
    await input("GAP").and(page.locator(":focus")).waitFor();
    // What was saved before is not undone while there is something to save.
    await form.getByRole("button", { name: "Add a block… to Body" }).focus();
    const before = data();
    // The key alone: the browser takes back what was typed last.
    await page.evaluate(() => {
      const key = { key: "z", ctrlKey: true, bubbles: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", key));
    });
    await input("GAP").fill("wide");
    expect(data()).toEqual(before);
    await expectAccessible(page, "a form of all fields");
    await page.keyboard.press("Control+Enter");
    await saved("Day, Story, Settings and 2 more");
    expect(data()).toMatchObject({
      day: "2026-11-23",
      settings: { a: 2 },
      next: { contentEntryId: "other" },
      body: [
        card("Ones"),
        card("Two"),
        card("Ones"),
        { contentBlockId: "b-row", data: { gap: "wide" } },
      ],
      broken: "not by language",
    });
    expect(JSON.stringify(data().story)).toContain("Once more");
    expect(read()).toContain('{ "contentBlockId": "b-card", "data": { "line" : "Two" } }');
    await page.keyboard.press("Control+z");
    await expect.poll(read).toBe(HOME);
  });

  it("H64: problems are beside their fields before anything is saved, and open their block", async () => {
    await opened();
    await input("TITLE").fill("");
    await row("TITLE").getByText("has no value").waitFor();
    await input("Settings").fill('{ "a": }');
    await row("Settings").getByText("line 1, column 6").waitFor();
    await form.getByText("Card: Two").click();
    await input("LINE").fill("x".repeat(13));
    await row("LINE").getByText("may have 12").waitFor();
    await expectAccessible(page, "a form with problems");
    await tool("Fold all blocks").or(tool("Unfold all blocks")).click();
    await row("LINE").getByText("may have 12").waitFor();
    await tool("Save").click();
    await form.getByRole("alert").filter({ hasText: "has no value" }).waitFor();
    expect(read()).toBe(HOME);
    await input("TITLE").fill("Home");
    await row("TITLE").getByText("has no value").waitFor({ state: "detached" });
    await tool("Discard changes").click();
    await form.waitFor({ state: "detached" });
  });

  it("H64: a field that nobody filled in yet is a problem once it was touched or a saving was tried, in words", async () => {
    await opened();
    const missing = row("LINE").getByText("This field has no value");
    const add = async () => {
      await form.getByRole("button", { name: "Add a block… to Body" }).click();
      await page.getByRole("option", { name: /^Card/ }).click();
    };
    const checked = page.waitForResponse(/edit-check/);
    await add();
    await input("LINE").and(page.locator(":focus")).waitFor();
    await checked;
    expect(await missing.count()).toBe(0);
    await page.keyboard.press("Tab");
    await missing.waitFor();
    expect(await form.locator(".note code").count()).toBe(0);
    await add();
    await input("LINE").nth(1).and(page.locator(":focus")).waitFor();
    expect(await missing.count()).toBe(1);
    await tool("Save").click();
    await expect.poll(() => missing.count()).toBe(2);
    expect(read()).toBe(HOME);
    await tool("Discard changes").click();
    await form.waitFor({ state: "detached" });
  });

  it("H63a, H81a: what was typed stays over Escape, another view and another program; both are put together", async () => {
    await opened();
    await input("TITLE").fill("Mine");
    await form.getByRole("combobox", { name: "Language" }).selectOption("de");
    await input("INTRO").fill("Servus");
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await page.locator(".edit-bar").getByText("Hoem is not saved yet").waitFor();
    await page.locator(".edit-bar").getByRole("link", { name: "Continue" }).click();
    await expect.poll(() => input("INTRO").inputValue()).toBe("Servus");
    await goTo(page, "w/assets");
    await page.locator(".edit-bar").getByRole("link", { name: "Continue" }).click();
    await expect.poll(() => input("TITLE").inputValue()).toBe("Mine");
    // H81: another field is theirs, the same one is decided.
    const theirs = HOME.replace('"Long"', '"Theirs"');
    writeFileSync(bed.file("entries", "home.json"), theirs.replace('"Hoem"', '"Their title"'));
    await tool("Save").click();
    await form.getByRole("alert").filter({ hasText: "changed meanwhile" }).waitFor();
    expect(data()).toMatchObject({ title: "Their title", lead: "Theirs" });
    await expect.poll(() => input("LEAD").inputValue()).toBe("Theirs");
    expect(await input("TITLE").inputValue()).toBe("Mine");
    expect(await tool("Save").isDisabled()).toBe(true);
    await expectAccessible(page, "two changes of one field in a form of many");
    await tool("Go on writing").click();
    await input("TITLE").fill("Mine");
    await tool("Save").click();
    await saved("TITLE, INTRO");
    expect(data()).toMatchObject({
      ...{ title: "Mine", lead: "Theirs", intro: { en: "Hello", de: "Servus" } },
    });
  });

  it("H63: in an experience a block's pencil opens the form of the block, at 390 pixels too", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await goTo(page, "w/projects/site/experiences/e");
    await author.click(page.getByRole("button", { name: "Change Card" }).nth(1));
    await input("LINE").fill("Second");
    expect(await form.getByRole("group").count()).toBe(3);
    await form
      .getByRole("button", { name: "Add Card to Inside" })
      .or(tool("Add a block… to Inside"))
      .click();
    await page.getByRole("option", { name: /^Card/ }).click();
    await input("LINE").nth(1).fill("In it");
    await expectAccessible(page, "the form of a block on a phone");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await tool("Save").click();
    await saved("LINE, Inside");
    expect(data().body[1]).toEqual({
      ...{ contentBlockId: "b-card", data: { line: "Second", body: [card("In it")] } },
    });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("button", { name: "Edit all of Hoem" }).click();
    await input("TITLE").waitFor();
    await tool("Cancel").click();
    await form.waitFor({ state: "detached" });
  });
});
