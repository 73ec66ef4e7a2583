import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { HEIC, png, SVG } from "../support/pictures.ts";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

const FILES = {
  "workspace.json": { id: "w", name: "W", assetTexts: true },
  "models.json": [
    {
      ...{ id: "m", key: "page", name: "Page" },
      fields: [
        { key: "title", name: "Title", type: "text", title: true },
        { key: "picture", name: "Picture", type: "asset" },
        { key: "body", name: "Body", type: "rich-text" },
      ],
    },
  ],
  "projects.json": [
    { id: "site", name: "S", locale: "en", steps: [], experiences: [] },
    { id: "seite", name: "D", locale: "de", steps: [], experiences: [] },
  ],
  "entries/home.json": { id: "home", modelId: "m", data: { title: "Home" } },
  "files/tree.svg": SVG,
  "assets.json": `[\n  { "id": "tree", "fileName": "tree.svg", "file": "files/tree.svg" }\n]\n`,
};

type Given = readonly (readonly [name: string, bytes: Uint8Array, zeros?: number])[];

/** What a browser does with files that are dropped or pasted there. */
async function give(page: Page, how: "drop" | "paste", on: string, files: Given): Promise<void> {
  await page.evaluate(
    ({ how, on, files }) => {
      const data = new DataTransfer();
      for (const { name, text, zeros } of files) {
        const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
        data.items.add(new File([bytes, new Uint8Array(zeros)], name));
      }
      const target = document.querySelector(on) as Element;
      const usual = { bubbles: true, cancelable: true };
      if (how === "paste") {
        target.dispatchEvent(new ClipboardEvent("paste", { ...usual, clipboardData: data }));
        return;
      }
      for (const name of ["dragover", "drop"]) {
        target.dispatchEvent(new DragEvent(name, { ...usual, dataTransfer: data }));
      }
    },
    {
      ...{ how, on },
      files: files.map(([name, bytes, zeros = 0]) => {
        return { name, text: Buffer.from(bytes).toString("base64"), zeros };
      }),
    },
  );
}

async function choose(page: Page, press: () => Promise<void>, files: Given): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press()]);
  const payload = files.map(([name, bytes]) => {
    return { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
  });
  await chooser.setFiles(chooser.isMultiple() ? payload : payload.slice(0, 1));
}

async function opened(options = {}) {
  const bed = new PreviewBed();
  workspaceFolder(FILES, bed.content);
  await bed.start("--edit");
  const page = await openPage(browser(), bed, options);
  // From now on choosers are events: a key would be quicker than what turns them into some.
  page.on("filechooser", () => undefined);
  const assets = () => JSON.parse(readFileSync(bed.file("assets.json"), "utf8"));
  const data = () => JSON.parse(readFileSync(bed.file("entries", "home.json"), "utf8")).data;
  const bar = page.locator(".edit-bar");
  return { bed, page, assets, data, bar };
}

describe("H60 to H62: pictures in a browser", () => {
  it("H60: are chosen, dropped and pasted on Assets, equal ones offered, others refused with what to do", async () => {
    const { bed, page, assets, bar } = await opened();
    await goTo(page, "w/assets");
    const add = page.getByRole("button", { name: "Add files…" });
    await choose(page, () => add.click(), [["My boat.png", png(40, 30)]]);
    await page.waitForURL(/assets\/my-boat$/);
    await page.getByText("40 × 30 pixels").waitFor();
    await bar.getByText("Added “My boat.png”.").waitFor();

    await goTo(page, "w/assets");
    await add.waitFor();
    await give(page, "drop", "#main", [
      ["ship.png", png(8, 8)],
      ["photo.heic", HEIC],
      ["large.jpg", png(), 20_000_000],
      ["quay.png", png(9, 9)],
    ]);
    await page.getByRole("link", { name: "quay.png" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "HEIC picture" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "20 MB are the most" }).waitFor();
    await expectAccessible(page, "files that were refused");

    await give(page, "paste", "body", [["image.png", png(5, 5)]]);
    await page.waitForURL(/assets\/image$/);
    await goTo(page, "w/assets");
    await add.waitFor();
    await give(page, "paste", "body", [["image.png", png(5, 5)]]);
    const question = page.getByText("is there already, as “image.png”");
    await question.waitFor();
    await expectAccessible(page, "the question about an equal file");
    await page.getByRole("button", { name: "Use this one" }).click();
    await page.waitForURL(/assets\/image$/);
    await goTo(page, "w/assets");
    await add.waitFor();
    await give(page, "drop", "#main", [["image.png", png(5, 5)]]);
    await page.getByRole("button", { name: "Add a second copy" }).click();
    await page.waitForURL(/assets\/image-2$/);
    const ids = ["tree", "my-boat", "ship", "quay", "image", "image-2"];
    expect(assets().map(({ id }: { id: string }) => id)).toEqual(ids);

    // What is dropped where nothing takes it opens nothing.
    await goTo(page, "w/entries/home");
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await give(page, "drop", "#main", [["ship.png", png(8, 8)]]);
    expect(assets().length).toBe(6);

    for (let left = 5; left > 0; left -= 1) {
      await page.keyboard.press("Control+z");
      await expect.poll(() => assets().length).toBe(left);
    }
    expect(readFileSync(bed.file("assets.json"), "utf8")).toBe(FILES["assets.json"]);
    expect(pathsBelow(bed.file("files"))).toEqual(["tree.svg"]);
  });

  it("H60: are chosen, dropped and pasted in an asset field, by keyboard and mouse", async () => {
    const { page, assets, data, bar } = await opened();
    await goTo(page, "w/entries/home");
    const pencil = page.getByRole("button", { name: "Change Picture" });
    const form = page.locator("form.edit-form");
    const saved = async () => {
      await form.getByRole("button", { name: "Save" }).click();
      await form.waitFor({ state: "detached" });
      await bar.getByText("Saved Picture.").waitFor();
    };
    await pencil.first().focus();
    await page.keyboard.press("Enter");
    await form
      .getByRole("button", { name: "Choose Picture" })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("Tab");
    const byKey = () => page.keyboard.press("Enter");
    await choose(page, byKey, [["notes.txt", Buffer.from("no picture")]]);
    await form.getByRole("alert").filter({ hasText: "not taken" }).waitFor();
    await expectAccessible(page, "a field that refused a file");
    // Nothing is saved before the file is there.
    const held = Promise.withResolvers<void>();
    await page.route("**/do/asset-put*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await choose(page, byKey, [["boat.png", png()]]);
    await page.keyboard.press("Control+Enter");
    await form.getByRole("alert").filter({ hasText: "“boat.png” is not there yet" }).waitFor();
    held.resolve();
    await form.getByText("boat.png", { exact: true }).waitFor();
    await page.unroute("**/do/asset-put*");
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Upload Picture");
    await page.keyboard.press("Control+Enter");
    await form.waitFor({ state: "detached" });
    expect(data().picture).toEqual({ assetId: "boat" });

    await pencil.first().click();
    await form.getByText("boat.png", { exact: true }).waitFor();
    await give(page, "drop", ".edit-pointer", [["ship.png", png(8, 8)]]);
    await form.getByText("ship.png", { exact: true }).waitFor();
    await saved();
    expect(data().picture).toEqual({ assetId: "ship" });

    await pencil.first().click();
    await form.getByText("ship.png", { exact: true }).waitFor();
    await give(page, "paste", ".edit-pointer button", [["tree-2.svg", Buffer.from(SVG)]]);
    await page.getByRole("button", { name: "Use this one" }).click();
    await form.getByText("tree.svg", { exact: true }).waitFor();
    await form.getByRole("button", { name: "Choose Picture" }).click();
    const picker = page.getByRole("dialog", { name: "Choose an asset" });
    await choose(page, () => picker.getByRole("button", { name: "Upload…" }).click(), [
      ["quay.png", png(9, 9)],
    ]);
    await form.getByText("quay.png", { exact: true }).waitFor();
    await saved();
    expect(data().picture).toEqual({ assetId: "quay" });
    expect(assets().length).toBe(4);
  });

  it("H57c: are dropped on rich text, pasted there and chosen", async () => {
    const { page, data, assets } = await opened();
    await goTo(page, "w/entries/home");
    await page.getByRole("button", { name: "Change Body", exact: true }).click();
    const editor = page.locator("[contenteditable=true]");
    await editor.click();
    await page.keyboard.type("Before");
    await give(page, "drop", "[contenteditable=true]", [["boat.png", png(7, 7)]]);
    await editor.locator(".opaque img").waitFor();
    await page.locator(".rich-field button[aria-busy=false]").waitFor();
    await give(page, "paste", "[contenteditable=true]", [["quay.png", png(6, 6)]]);
    await expect.poll(() => editor.locator(".opaque img").count()).toBe(2);
    await page.keyboard.press("Control+Enter");
    await page.locator(".edit-bar").getByText("Saved Body.").waitFor();
    const said = JSON.stringify(data().body);
    expect(said).toContain("Before");
    for (const assetId of ["boat", "quay"]) {
      expect(said).toContain(JSON.stringify({ assetId }));
      expect(assets().map(({ id }: { id: string }) => id)).toContain(assetId);
    }
  });

  it("H61, H62: an asset gets texts, another file, and goes, on a phone too", async () => {
    const { bed, page, assets, bar } = await opened({ viewport: { width: 390, height: 844 } });
    const fits = async () => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(390);
    };
    await goTo(page, "w/assets");
    await page.getByRole("button", { name: "Add files…" }).waitFor();
    await fits();
    await goTo(page, "w/assets/tree");
    await page.getByRole("button", { name: "Title and description" }).click();
    const dialog = page.locator("dialog[open]");
    await dialog.getByLabel("Title (English)").fill("A tree");
    await dialog.getByLabel("Title (German)").fill("Ein Baum");
    await expectAccessible(page, "the texts of an asset");
    await fits();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Ein Baum", level: 1 }).waitFor();
    expect(assets()[0].title).toEqual({ en: "A tree", de: "Ein Baum" });
    expect(assets()[0].description).toBeUndefined();

    const replace = page.getByRole("button", { name: "Replace…" });
    await choose(page, () => replace.click(), [["boat.png", png(40, 30)]]);
    await page.getByText("40 × 30 pixels").waitFor();
    await expectAccessible(page, "the page of an asset");
    await fits();
    await page.getByRole("button", { name: "Remove" }).click();
    await dialog.getByText("nothing uses it").waitFor();
    await expectAccessible(page, "the question before an asset is removed");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.waitForURL(/\/assets$/);
    expect(assets()).toEqual([]);
    expect(pathsBelow(bed.file("files"))).toEqual(["tree.svg"]);
    for (const undone of ["the removal of", "the replacement of", "the texts of"]) {
      await page.keyboard.press("Control+z");
      await bar.getByText(`Undone: ${undone}`).waitFor();
    }
    expect(readFileSync(bed.file("assets.json"), "utf8")).toBe(FILES["assets.json"]);
  });
});
