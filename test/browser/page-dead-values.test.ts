import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", name: "Title", type: "text", title: true },
    { key: "next", name: "Next", type: "reference", models: ["page"], repeatable: true },
    { key: "body", name: "Body", type: "content-block", repeatable: true },
  ],
};
const PROJECT = { id: "site", name: "S", locale: "en", steps: [], experiences: [] };
const HOME = `{ "id": "home", "modelId": "m",
   "data": { "title" : "Home", "left-over": 1.0, "older": 2.0,
     "next": [ { "contentEntryId": "ghost" } ],
     "body": [ { "contentBlockId": "b-gone", "data": {} } ] } }
`;

const browser = chromiumForTests();

describe("H82: what is dead is removed on the page", () => {
  let bed: PreviewBed;
  let page: Page;
  shared(async () => {
    bed = new PreviewBed();
    workspaceFolder(
      { "models/page.json": MODEL, "projects.json": [PROJECT], "entries/home.json": HOME },
      bed.content,
    );
    await bed.start("--edit");
    page = await openPage(browser(), bed, { viewport: { width: 1280, height: 900 } });
  });

  const read = () => readFileSync(bed.file("entries", "home.json"), "utf8");
  const button = (dead: string) => page.getByRole("button", { name: `Remove it: ${dead}` });
  const said = (text: string) => page.locator(".edit-bar").getByText(text).waitFor();
  const undo = async (what: string) => {
    await page.keyboard.press("Control+z");
    await said(`Undone: the removal of “${what}” of “Home”.`);
    await button(what).waitFor();
    expect(read()).toBe(HOME);
  };

  it("H82: on the page of its entry, by keyboard, with one step of undo", async () => {
    await goTo(page, "w/entries/home");
    for (const one of ["left-over", "older", "ghost", "b-gone"]) await button(one).waitFor();
    await expectAccessible(page, "problems of an entry with dead values");
    for (const [dead, bytes] of [
      ["left-over", ', "left-over": 1.0'],
      ["ghost", ' { "contentEntryId": "ghost" } '],
      ["b-gone", ' { "contentBlockId": "b-gone", "data": {} } '],
    ] as const) {
      await button(dead).focus();
      await page.keyboard.press("Enter");
      await said(`Removed “${dead}” of Home.`);
      await button(dead).waitFor({ state: "detached" });
      expect(read()).toBe(HOME.replace(bytes, ""));
      await undo(dead);
    }
  });

  it("H82: in the list of problems, where a second Enter removes no other one", async () => {
    await goTo(page, "w/problems");
    await button("older").waitFor();
    await expectAccessible(page, "a list of problems with dead values");
    await button("left-over").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await said("Removed “left-over” of Home.");
    await button("left-over").waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("problem-row");
    expect(read()).toBe(HOME.replace(', "left-over": 1.0', ""));
    await undo("left-over");
  });

  it("H82: without --edit there is no such button", async () => {
    const other = new PreviewBed();
    workspaceFolder(
      { "models/page.json": MODEL, "projects.json": [PROJECT], "entries/home.json": HOME },
      other.content,
    );
    await other.start();
    const reading = await openPage(browser(), other);
    await goTo(reading, "w/problems");
    await reading.getByText("left-over").first().waitFor();
    expect(await reading.getByRole("button", { name: "Remove it" }).count()).toBe(0);
  });
});
