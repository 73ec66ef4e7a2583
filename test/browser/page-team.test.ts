import { describe, expect, it } from "vitest";
import { GitClone } from "../support/git-clone.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

const FILES = {
  "models/page.json": {
    id: "m",
    key: "page",
    name: "Page",
    fields: [
      { key: "title", name: "Title", type: "text", title: true },
      { key: "lead", name: "Lead", type: "text" },
    ],
  },
  "projects/site.json": { id: "site", name: "S", steps: [], experiences: [] },
  "entries/home.json": `{ "id": "home", "modelId": "m",
  "data": { "title": "Home", "lead": "We sail at <b>nine</b>" } }
`,
};

describe("H76: the history of an entry in a browser", () => {
  it("H76, H76a: by keyboard alone it is read, compared and brought back, and that is undone", async () => {
    const bed = new PreviewBed();
    workspaceFolder(FILES, bed.content);
    const clone = new GitClone("Ada", undefined, bed.content);
    clone.commit("The first <i>page</i>");
    const first = clone.read("entries/home.json");
    clone.write("entries/home.json", first.replace("nine", "ten"));
    clone.git("config", "user.name", "Bo");
    clone.commit("Later");
    await bed.start("--edit");
    const page = await openPage(browser(), bed);
    await goTo(page, "w/entries/home");
    const history = page.locator(".entry-history");
    const open = async (summary: string) => {
      await history.locator("summary", { hasText: summary }).first().focus();
      await page.keyboard.press("Enter");
    };
    await open("History");
    const versions = history.locator("ol > li");
    await versions.filter({ hasText: "Ada" }).getByText("The first <i>page</i>").waitFor();
    await versions.filter({ hasText: "Bo" }).getByText("Lead").waitFor();
    await open("What it changed");
    await versions.filter({ hasText: "Bo" }).locator("del mark", { hasText: "nine" }).waitFor();
    await open("Compare two versions");
    await history.getByText("They are the same.").waitFor();
    await history.getByLabel("Another version").selectOption({ index: 2 });
    await history.locator(".rest .rest ins").first().getByText("nine").waitFor();
    await expectAccessible(page, "the history of an entry");
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

    await versions.getByRole("button", { name: "Bring this back" }).focus();
    await page.keyboard.press("Enter");
    await history.getByText("Not saved for the team yet: Lead").waitFor();
    expect(clone.read("entries/home.json")).toBe(first);
    await page.locator(".edit-bar").getByText("again").waitFor();
    await page.keyboard.press("Control+z");
    await history.getByText("Not saved for the team yet").waitFor({ state: "detached" });
    expect(clone.read("entries/home.json")).toContain("ten");
  });
});
