import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bareRepository, GitClone } from "../support/git-clone.ts";
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

describe("H77 to H80: saving for the team in a browser", () => {
  it("H77, H78, H79, H80: by keyboard alone one saves, and decides by field what another one has changed too", async () => {
    const remote = bareRepository();
    const bed = new PreviewBed();
    workspaceFolder(FILES, bed.content);
    const ada = new GitClone("Ada", remote, bed.content);
    ada.commit("start");
    ada.push();
    const bo = new GitClone("Bo", remote);
    bo.pull();
    const home = ada.read("entries/home.json");
    bo.write("entries/home.json", home.replace("nine", "ten").replace('"Home"', '"Harbour"'));
    bo.commit("Ten");
    bo.push();
    ada.write("entries/home.json", home.replace("nine", "noon"));
    await bed.start("--edit");
    const page = await openPage(browser(), bed);
    await goTo(page, "w/changes");

    const link = page.locator(".team-link");
    await expect.poll(() => link.textContent()).toBe("main1 not saved for the team");
    await link.focus();
    await page.keyboard.press("Enter");
    const words = page.getByLabel("What have you changed?");
    await words.and(page.locator(":enabled")).waitFor();
    expect(await words.inputValue()).toBe("Changed: Home (Lead)");
    await page.getByText("live after the next run").waitFor();
    await expectAccessible(page, "what is to be saved");
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await words.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("We sail at <i>noon</i>");
    await page.keyboard.press("Tab");
    await page
      .getByRole("link", { name: "Home", exact: true })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");

    const conflict = page.locator("li.change", { hasText: "Lead" });
    await conflict.locator("del mark", { hasText: "ten" }).waitFor();
    await conflict.locator("ins mark", { hasText: "noon" }).waitFor();
    expect(ada.read("entries/home.json")).toBe(home.replace("nine", "noon"));
    await expectAccessible(page, "what both have changed");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const below = page.locator(".view-head .below");
    await below.getByText("1 saving is not sent").waitFor();
    // What was so before is not told while it is asked again.
    const held = Promise.withResolvers<void>();
    await page.route("**/do/git-plan?*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Keep mine" }).focus();
    await page.keyboard.press("Enter");
    await below.getByText("Reading…").waitFor();
    expect(await page.locator(".note", { hasText: "All is saved" }).count()).toBe(0);
    held.resolve();
    await page.locator(".note", { hasText: "All is saved. 1 change of others came." }).waitFor();
    await expect.poll(() => below.textContent()).toContain("all is saved");
    await page.unroute("**/do/git-plan?*");
    const both = home.replace("nine", "noon").replace('"Home"', '"Harbour"');
    expect(ada.read("entries/home.json")).toBe(both);
    await expect.poll(() => link.textContent()).toBe("main");
    bo.git("pull", "--quiet");
    expect(bo.read("entries/home.json")).toBe(both);
    expect(bo.git("log", "--format=%s").split("\n").slice(0, 2)).toContain(
      "We sail at <i>noon</i>",
    );

    // A hook is told as text.
    ada.write(
      ".git/hooks/pre-commit",
      "#!/bin/sh\necho '<b>No</b>' >&2\necho Ask Bo >&2\nexit 1\n",
    );
    chmodSync(ada.path(".git", "hooks", "pre-commit"), 0o755);
    ada.write("entries/home.json", both.replace("Harbour", "Port"));
    await words.waitFor();
    await expect.poll(() => words.inputValue()).toBe("Changed: Port (Title)");
    await page.getByRole("button", { name: "Save for the team" }).click();
    await page.getByRole("alert").getByText("<b>No</b>\nAsk Bo").waitFor();
    await expect.poll(() => link.textContent()).toContain("1 not saved");
  });

  it("H77: in a folder without a repository nothing is said of one", async () => {
    const bed = new PreviewBed();
    workspaceFolder(FILES, bed.content);
    await bed.start("--edit");
    const page = await openPage(browser(), bed);
    await goTo(page, "w/entries/home");
    await page.locator(".entry-history summary").click();
    await page.getByText("this folder is in no Git repository").waitFor();
    expect(await page.locator(".team-link").count()).toBe(0);
  });
});
