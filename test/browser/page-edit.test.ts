import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", name: "Title", type: "text", required: true, title: true, maxLength: 30 },
    { key: "lead", name: "Lead", type: "text", localized: true },
    { key: "price", name: "Price", type: "number", minimum: 1 },
    { key: "day", name: "Day", type: "date" },
    { key: "kind", name: "Kind", type: "select", options: ["small", "large"] },
    { key: "open", name: "Open", type: "boolean" },
    { key: "tags", name: "Tags", type: "text", repeatable: true },
    { key: "next", name: "Next", type: "reference", models: ["page"] },
    { key: "picture", name: "Picture", type: "asset" },
    { key: "body", name: "Body", type: "content-block", repeatable: true },
    { key: "text", name: "Text", type: "rich-text" },
  ],
};
const TEASER = {
  id: "t",
  key: "teaser",
  name: "Teaser",
  fields: [{ key: "line", name: "Line", type: "text", required: true }],
};
const HOME = `{ "id": "home", "modelId": "m",
   "data": { "title": "Home", "lead": { "en": "Hello" }, "price": 2.50,
     "tags": ["a", "b"], "kind": "small", "open": false } }
`;

const FILES = {
  "models/page.json": MODEL,
  "blocks/teaser.json": TEASER,
  "projects/site.json": { id: "site", name: "S", locale: "en", steps: [], experiences: [] },
  "entries/home.json": HOME,
  "entries/other.json": { id: "other", modelId: "m", data: { title: "Another" } },
  "files/tree.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  "assets.json": [{ id: "tree", fileName: "tree.svg", file: "files/tree.svg" }],
};

describe("H42 to H45: svc dev --edit in a browser", () => {
  it("H42: every kind of value is changed by keyboard and mouse, in its file; undone, refused, kept", async () => {
    const bed = new PreviewBed();
    workspaceFolder(FILES, bed.content);
    await bed.start("--edit");
    const page = await openPage(browser(), bed);
    await goTo(page, "w/entries/home");
    const file = bed.file("entries", "home.json");
    const read = () => readFileSync(file, "utf8");
    const data = () => JSON.parse(read()).data;
    const pencil = (name: string) =>
      page.getByRole("button", { name: `Change ${name}`, exact: true });
    const form = page.locator("form.edit-form");
    const saved = async (name: string) => {
      await page.locator(".edit-bar").getByText(`Saved ${name}.`).waitFor();
      await form.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Hide this" }).click();
    };
    const open = async (name: string) => {
      await pencil(name).first().click();
      await form.getByRole("button", { name: "Save" }).and(page.locator(":enabled")).waitFor();
    };

    // By keyboard alone: the focus is in the form, and returns to the field, of which the pencil is next.
    await pencil("Title").focus();
    await page.keyboard.press("Enter");
    await page.locator("textarea:focus").waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("x".repeat(31));
    await page.keyboard.press("Enter");
    await form.getByRole("alert").filter({ hasText: "31" }).waitFor();
    expect(read()).toBe(HOME);
    await expectAccessible(page, "a form with a refused value");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Start");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Start", level: 1 }).waitFor();
    await page.locator('[data-path="/title"]:focus').waitFor();
    expect(read()).toBe(HOME.replace('"Home"', '"Start"'));
    await saved("Title");

    await page.keyboard.press("Control+z");
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    expect(read()).toBe(HOME);

    await pencil("Title").click();
    await form.locator("textarea").fill("Never");
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    expect(read()).toBe(HOME);

    await open("Price");
    await form.locator("input").fill("12.5");
    await page.keyboard.press("Enter");
    await saved("Price");
    await open("Kind");
    await form.locator("select").selectOption("large");
    await page.keyboard.press("Control+Enter");
    await saved("Kind");
    await open("Open");
    await form.locator("select").selectOption("Yes");
    await form.getByRole("button", { name: "Save" }).click();
    await saved("Open");
    await open("Day");
    await form.locator("input").fill("2026-11-23");
    await form.getByRole("button", { name: "Save" }).click();
    await saved("Day");
    // What the browser gives no value removes none.
    await open("Day");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Enter");
    await form.getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
    await open("Price");
    for (const text of ["1-2", "9007199254740993"]) {
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await form.getByRole("alert").waitFor();
    }
    await page.keyboard.press("Escape");
    expect(data()).toMatchObject({ day: "2026-11-23", price: 12.5 });
    await open("Lead");
    await form.locator("textarea").fill("Hello\nyou");
    await page.keyboard.press("Control+Enter");
    await saved("Lead");
    await open("Tags");
    await form.getByRole("button", { name: "Move down" }).first().click();
    await form.getByRole("button", { name: "Add one" }).click();
    await form.locator("textarea").last().fill("c");
    await form.getByRole("button", { name: "Add one" }).click();
    await form.locator("textarea").last().fill("d");
    await form.locator("textarea").last().fill("");
    await expectAccessible(page, "a form of a list");
    await form.getByRole("button", { name: "Save" }).click();
    await saved("Tags");
    await open("Next");
    await form.getByRole("button", { name: "Choose Next" }).click();
    await page.getByRole("combobox", { name: "Search", exact: true }).fill("anoth");
    await page.getByRole("option", { name: "Another" }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await saved("Next");
    await open("Picture");
    await form.getByRole("button", { name: "Choose Picture" }).click();
    await page.getByRole("option", { name: "tree.svg" }).waitFor();
    await expectAccessible(page, "the choice of an asset");
    await page.getByRole("option", { name: "tree.svg" }).click();
    // The answer comes after the entry was drawn anew, where the field has a value, and another place.
    const drawn = page.waitForResponse(/\/data\/standing\?/);
    const late = async (route: Route) => {
      const response = await route.fetch();
      await drawn;
      await route.fulfill({ response });
    };
    await page.route("**/_svc/do/edit?*", late, { times: 1 });
    await form.getByRole("button", { name: "Save" }).click();
    await saved("Picture");
    await open("Body");
    await form.getByRole("button", { name: "Add Teaser to Body" }).click();
    await form.getByRole("textbox", { name: "Line" }).fill("New");
    await expectAccessible(page, "a form of blocks");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await open("Teaser");
    await form.locator("textarea").fill("In a block");
    await page.keyboard.press("Control+Enter");
    await saved("Line");
    expect(data()).toEqual({
      title: "Home",
      lead: { en: "Hello\nyou" },
      price: 12.5,
      tags: ["b", "a", "c"],
      kind: "large",
      open: true,
      day: "2026-11-23",
      next: { contentEntryId: "other" },
      picture: { assetId: "tree" },
      body: [{ contentBlockId: "t", data: { line: "In a block" } }],
    });

    // A view is left while a form is open, and the fields are shown in another way.
    await open("Price");
    await form.locator("input").fill("77");
    await goTo(page, "w/assets");
    await page.locator(".edit-bar").getByText("Price is not saved yet").waitFor();
    await page.locator(".edit-bar").getByRole("link", { name: "Continue" }).click();
    await form.locator("input").waitFor();
    await page.getByRole("button", { name: "Show fields" }).click();
    await expect.poll(() => form.locator("input").inputValue()).toBe("77");
    await page.getByRole("button", { name: "Show fields" }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await saved("Price");
    expect(data().price).toBe(77);

    // Changed by another program while the form is open.
    await open("Title");
    await form.locator("textarea").fill("Mine");
    writeFileSync(file, read().replace('"Home"', '"Theirs"'));
    await page.getByRole("heading", { name: "Theirs", level: 1 }).waitFor();
    await page.keyboard.press("Enter");
    await form.getByRole("alert").filter({ hasText: "changed meanwhile" }).waitFor();
    expect(data().title).toBe("Theirs");
    await expectAccessible(page, "two changes of one value");
    await expect
      .poll(() => form.locator("del mark, ins mark").allTextContents())
      .toEqual(["Theirs", "Mine"]);
    expect(await form.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    await form.getByRole("button", { name: "Save mine" }).click();
    await saved("Title");
    expect(data().title).toBe("Mine");

    // Deleted by another program: what was typed is still there.
    const text = read();
    await open("Title");
    await form.locator("textarea").fill("Kept");
    rmSync(file);
    await page.getByText("This is not there any more").waitFor();
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByRole("alert").filter({ hasText: "not there any more" }).waitFor();
    expect(await form.locator("textarea").inputValue()).toBe("Kept");
    writeFileSync(file, text);
    await page.getByText("This is not there any more").first().waitFor({ state: "detached" });
    await form.getByRole("button", { name: "Save" }).click();
    await saved("Title");

    // H45.
    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.locator("dialog").getByRole("button", { name: "Duplicate" }).click();
    await page.waitForURL(/entries\/kept-copy$/);
    await page.getByText("draft", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("dialog").getByText("nothing uses it").waitFor();
    await expectAccessible(page, "the question before a deletion");
    await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/entries$/);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".edit-bar").getByText("Undone: the deletion of “Kept (copy)”.").waitFor();
    expect(readFileSync(bed.file("entries", "kept-copy.json"), "utf8")).toContain('"draft": true');
  });
});
