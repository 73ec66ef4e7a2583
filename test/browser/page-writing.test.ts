import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { host } from "../support/server/hosts.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests({ hasScrollbars: true });

const text = (key: string, more = {}) => ({ key, name: key, type: "text", ...more });
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    text("title", { required: true, title: true }),
    text("body"),
    text("long", { maxLength: 201 }),
    text("short", { maxLength: 200 }),
    text("slug", { pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$" }),
    text("tags", { repeatable: true }),
    { key: "counts", name: "counts", type: "integer", repeatable: true },
    { key: "opens", name: "opens", type: "date-time" },
    { key: "closes", name: "closes", type: "date-time" },
    { key: "map", name: "map", type: "asset" },
    text("note"),
    { key: "parts", name: "parts", type: "content-block", repeatable: true },
    { key: "about", name: "about", type: "reference", models: ["person", "place"] },
    text("last"),
  ],
};
const model = (key: string) => ({ id: key, key, name: key, fields: [text("name")] });
const of = (modelId: string, id: string, name: string) => ({ id, modelId, data: { name } });
const NOTES = Array.from({ length: 300 }, (_, at) => of("note", `n${at}`, `A note ${at}`));
const HOME = {
  id: "home",
  modelId: "m",
  draft: true,
  data: {
    title: "Home",
    slug: "home",
    tags: ["one", "two", "three", "four"],
    counts: [1, 2],
    opens: "2025-08-23T19:40:00+01:00",
    closes: "2025-08-23T22:00:00Z",
    map: { assetId: "gone" },
    parts: [],
  },
};
const START = { id: "start", modelId: "m", data: { title: "Start here" } };
const FILES = {
  "models/page.json": MODEL,
  "models/person.json": model("person"),
  "models/place.json": model("place"),
  "models/note.json": model("note"),
  "blocks/teaser.json": { id: "t", key: "teaser", name: "Teaser", fields: [text("line")] },
  "projects/site.json": {
    ...{ id: "site", name: "Site", locale: "en" },
    steps: [{ id: "s", key: "s", name: "S", layoutName: "l", layoutContentId: "start" }],
    experiences: [{ id: "e", key: "start", name: "Start here", stepIds: ["s"] }],
  },
  "entries.json": [
    ...[HOME, START, of("person", "zoe", "Zoe"), of("place", "zug", "Zug")],
    ...NOTES,
  ],
};

describe("what an author writes", () => {
  const preview = shared(async () => {
    const bed = new PreviewBed();
    workspaceFolder(FILES, bed.content);
    await bed.start("--edit");
    return { bed, page: await openPage(browser(), bed, { timezoneId: "America/New_York" }) };
  });
  let page: Page;
  let form: Locator;
  beforeEach(async () => {
    ({ page } = preview());
    form = page.locator("form.edit-form");
    await goTo(page, "w/entries/home");
  });
  const read = () => readFileSync(preview().bed.file("entries.json"), "utf8");
  const data = () => JSON.parse(read())[0].data;
  const pencil = (name: string) =>
    page.getByRole("button", { name: `Change ${name}`, exact: true });
  const open = async (name: string) => {
    await pencil(name).first().click();
    await form.getByRole("button", { name: "Save" }).and(page.locator(":enabled")).waitFor();
  };
  const saved = async (name: string) => {
    await page.locator(".edit-bar").getByText(`Saved ${name}.`).waitFor();
    await form.waitFor({ state: "detached" });
  };
  const focused = () =>
    page.evaluate(() => {
      const { ariaLabel, tagName, dataset } = document.activeElement as HTMLElement;
      return ariaLabel ?? dataset.path ?? tagName;
    });

  it("H42c: Enter makes a line in a text that may be long, and saves one that is short; no key of the same burst is lost or presses a button", async () => {
    for (const name of ["body", "long"]) {
      await open(name);
      await page.keyboard.type("First.\n\nSecond paragraph.");
      await page.keyboard.press("Control+Enter");
      await saved(name);
      expect(data()[name]).toBe("First.\n\nSecond paragraph.");
    }
    for (const name of ["short", "title", "slug"]) {
      await open(name);
      await page.keyboard.press("Control+A");
      await page.keyboard.type("first\n second\n third");
      await saved(name);
      expect(data()[name]).toBe("first");
      expect(await form.count()).toBe(0);
    }
    // Its pencil is next.
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Change slug");
    // One that is held opens the form, and does nothing more.
    await page.keyboard.down("Enter");
    await page.locator("textarea:focus").waitFor();
    for (let times = 0; times < 5; times += 1) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    expect(await page.locator("textarea:focus").count()).toBe(1);
    await page.keyboard.press("Escape");
    await pencil("body").focus();
    await page.keyboard.down("Enter");
    await page.locator("textarea:focus").waitFor();
    for (let times = 0; times < 5; times += 1) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    expect(await form.locator("textarea").inputValue()).toBe("First.\n\nSecond paragraph.");
    await page.keyboard.press("Escape");
  });

  it("H35a, H42: a reference is chosen by keys among the entries that its field accepts, wherever others are in the list", async () => {
    await open("about");
    await form.getByRole("button", { name: "Choose about" }).click();
    const options = page.locator("#choices").getByRole("option");
    await expect.poll(() => options.allTextContents()).toEqual(["Zoeperson", "Zugplace"]);
    await expectAccessible(page, "the choice of an entry");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await form.getByText("Zug").waitFor();
    await form.getByRole("button", { name: "Choose about" }).press("Enter");
    await page.keyboard.type("note");
    await page.getByText("Nothing was found.").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.locator(".edit-picker").waitFor({ state: "detached" });
    await form.getByRole("button", { name: "Save" }).click();
    await saved("about");
    expect(data().about).toEqual({ contentEntryId: "zug" });
  });

  it("H42e: an item that is moved keeps the focus, and what was typed in it; it is dragged too", async () => {
    await open("tags");
    const items = () =>
      form
        .locator("textarea")
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    await form.getByRole("button", { name: "Move down" }).first().focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    expect(await items()).toEqual(["two", "three", "one", "four"]);
    await page.keyboard.press("Enter");
    // At the end it has no other way.
    expect(await focused()).toBe("Move up");
    expect(await items()).toEqual(["two", "three", "four", "one"]);
    const handles = form.locator(".drag");
    const from = await handles.nth(3).boundingBox();
    const to = await handles.nth(0).boundingBox();
    if (!from || !to) throw new Error("no handles");
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 5, { steps: 3 });
    await page.locator(".is-target-before").waitFor();
    await page.mouse.up();
    expect(await items()).toEqual(["one", "two", "three", "four"]);
    await page.keyboard.press("Escape");
    await open("counts");
    await form.locator("input").first().fill("7");
    await form.getByRole("button", { name: "Move down" }).first().click();
    expect(
      await form
        .locator("input")
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
    ).toEqual(["2", "7"]);
    await form.getByRole("button", { name: "Save" }).click();
    await saved("counts");
    expect(data().counts).toEqual([2, 7]);
  });

  it("H42e: it is dragged by touch", async () => {
    const touched = await openPage(browser(), preview().bed, { hasTouch: true });
    await goTo(touched, "w/entries/home");
    await touched.getByRole("button", { name: "Change tags" }).tap();
    const items = touched.locator("form.edit-form textarea");
    await items.last().waitFor();
    const [from, to] = await touched.locator(".drag").evaluateAll((all) =>
      [all[0], all[2]].map((one) => {
        const { x, y } = (one as Element).getBoundingClientRect();
        return { x: x + 5, y: y + 5 };
      }),
    );
    const finger = await touched.context().newCDPSession(touched);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", at: typeof from) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [at] : [] });
    await touch("touchStart", from);
    await touch("touchMove", to);
    await touched.locator(".is-target-after").waitFor();
    await touch("touchEnd", undefined);
    const values = () =>
      items.evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
    await expect.poll(values).toEqual(["two", "three", "one", "four"]);
  });

  it("H42d: a date is read and changed in a zone that is named, and keeps it", async () => {
    const times = page.locator("time");
    await expect
      .poll(() => times.allTextContents())
      .toEqual(["23 Aug 2025, 19:40 UTC+01:00", "23 Aug 2025, 18:00 GMT-4"]);
    await open("opens");
    await form.getByText("UTC+01:00").waitFor();
    await form.locator("input").fill("2025-08-23T10:00");
    await form.getByRole("button", { name: "Save" }).click();
    await saved("opens");
    await open("closes");
    await form.getByText("GMT-4").waitFor();
    await form.locator("input").fill("2025-12-24T10:30");
    await form.getByText("GMT-5").waitFor();
    await form.getByRole("button", { name: "Save" }).click();
    await saved("closes");
    expect(data()).toMatchObject({
      opens: "2025-08-23T10:00:00+01:00",
      closes: "2025-12-24T15:30:00Z",
    });
  });

  it("H43a: a value that breaks the pattern of its field is not written, in a draft neither, and one that fits is named", async () => {
    await open("slug");
    await form.locator("textarea").fill("Ten Days: on the Coast!");
    await page.keyboard.press("Enter");
    await form.getByRole("alert").filter({ hasText: '"ten-days-on-the-coast"' }).waitFor();
    expect(read()).not.toContain("Ten Days");
    await page.keyboard.press("Escape");
  });

  it("H25b: a field without a value, or with a broken one, is named", async () => {
    const name = page.locator('[data-path="/map"] dt');
    await name.getByText("map").waitFor();
    expect((await name.boundingBox())?.height, "it is read").toBeGreaterThan(10);
  });

  it("H42g: a form does not cut a sentence in two; a notice covers no button", async () => {
    const line = page.locator(".empty-fields");
    await line.waitFor();
    await open("parts");
    const box = (of: Locator) =>
      of.boundingBox().then((found) => found ?? expect.unreachable("it is not there"));
    const formBox = await box(form);
    const others = await line.locator("> span:not(:has(form))").all();
    expect(others.length).toBeGreaterThan(1);
    for (const span of others) {
      const { y, height } = await box(span);
      expect(y + height).toBeLessThanOrEqual(formBox.y);
    }
    await page.keyboard.press("Escape");
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await open("short");
      await page.keyboard.type("x");
      await page.keyboard.press("Enter");
      await page.locator(".edit-bar").waitFor();
      await form.waitFor({ state: "detached" });
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      expect(await coveredButtons(page)).toEqual([]);
      await open("short");
      expect(await coveredButtons(page)).toEqual([]);
      await page.keyboard.press("Escape");
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("H38b: an experience whose entry is found by the same title is found once", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("start here");
    await expect.poll(() => page.locator(".palette-state").textContent()).toBe("1 result found");
    // It is opened again before the page has heard that it is closed.
    await page.evaluate(() => {
      document.querySelector<HTMLDialogElement>("dialog.palette")?.close();
      const pressed = { key: "k", ctrlKey: true, bubbles: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", pressed));
    });
    await page.locator(".palette-state").getByText("Type a word").waitFor();
    expect(await page.getByRole("combobox").count()).toBe(1);
    await page.keyboard.press("Escape");
  });

  it("H10a: nothing is said to be ready while a file cannot be read", async () => {
    const { bed } = preview();
    await goTo(page, "w");
    await page.getByText("Nothing prevents publishing").waitFor();
    writeFileSync(bed.file("projects", "other.json"), "<<<<<<< ours\n=======\n>>>>>>> theirs\n");
    await page.getByText("1 fault above prevents publishing").waitFor();
    expect(await page.getByText("Nothing prevents publishing").count()).toBe(0);
    rmSync(bed.file("projects", "other.json"));
    await page.getByText("Nothing prevents publishing").waitFor();
  });

  it("H35: no mark of an entry is cut off; a place in the navigation is as high when it is shown", async () => {
    await goTo(page, "w/entries?filter=home");
    await page.locator(".table-marks .count").first().waitFor();
    await page.locator(".table-marks .tag").first().waitFor();
    const cut = await page.locator(".table-marks > *").evaluateAll(
      (all) =>
        all.filter((one) => {
          const row = (one.closest(".table-row") as Element).getBoundingClientRect();
          const { right, bottom } = one.getBoundingClientRect();
          return right > row.right || bottom > row.bottom + 1;
        }).length,
    );
    expect(cut).toBe(0);
    const heights = () =>
      page
        .locator("#nav a")
        .evaluateAll((all) => [
          ...new Set(all.map((one) => Math.round(one.getBoundingClientRect().height))),
        ]);
    for (const place of ["w/projects/site", "w/projects/site/experiences/e", "w/entries"]) {
      await goTo(page, place);
      expect(await heights()).toHaveLength(1);
    }
  });
});

describe("a large file", () => {
  it("H42f: an entry of NDJSON above 16 MiB is changed as any other, and undone", async () => {
    const { "entries.json": entries, ...files } = FILES;
    const lines = entries.slice(0, 17).map(({ data, ...one }, at) => {
      return JSON.stringify({ ...one, data: { ...data, body: `${at} `.repeat(2 ** 19) } });
    });
    const before = `${lines.join("\n")}\n`;
    const bed = new PreviewBed();
    workspaceFolder({ ...files, "entries.ndjson": before }, bed.content);
    await bed.start("--edit");
    const page = await openPage(browser(), bed);
    await goTo(page, "w/entries/start");
    await page.getByRole("button", { name: "Change title" }).click();
    await page.locator("form.edit-form textarea").fill("Changed");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Changed", level: 1 }).waitFor();
    const read = () => readFileSync(bed.file("entries.ndjson"), "utf8");
    expect(read() === before.replace("Start here", "Changed")).toBe(true);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Start here", level: 1 }).waitFor();
    expect(read() === before).toBe(true);
  });
});

describe("the site beside the content", () => {
  it("H46a: a phone is as wide as it says, whatever a bar for scrolling takes", async () => {
    const site = await host((_request, response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end('<!doctype html><body style="height: 3000px; margin: 0">A site');
    });
    const bed = new PreviewBed();
    workspaceFolder(FILES, bed.content);
    await bed.start("--site", `${site}/{experience.key}`);
    const page = await openPage(browser(), bed, {}, [site]);
    await goTo(page, "w/projects/site/experiences/e");
    const frame = page.frameLocator("iframe.site-frame");
    await frame.getByText("A site").waitFor();
    expect(await frame.locator("html").evaluate((one) => one.clientWidth)).toBe(390);
    await page.getByRole("button", { name: "Tablet" }).click();
    await expect.poll(() => frame.locator("html").evaluate((one) => one.clientWidth)).toBe(768);
  });
});

/** The names of the buttons and fields that the notice is above. */
function coveredButtons(page: Page) {
  return page.evaluate(() => {
    const bar = document.querySelector(".edit-bar")?.getBoundingClientRect();
    const all = document.querySelectorAll<HTMLElement>(
      "main :is(button, input, textarea, a), #nav a",
    );
    return [...all]
      .filter((one) => {
        const { left, right, top, bottom, height } = one.getBoundingClientRect();
        const isShown = height > 0 && bar !== undefined && bar.height > 0;
        return (
          isShown && left < bar.right && right > bar.left && top < bar.bottom && bottom > bar.top
        );
      })
      .map((one) => one.ariaLabel ?? one.textContent);
  });
}
