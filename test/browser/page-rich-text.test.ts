import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { goTo, openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { expectAccessible } from "./axe.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

const text = (value: string, marks: readonly object[] = []) =>
  JSON.stringify({ nodeType: "text", value, marks, data: {} });
const paragraph = (value: string) =>
  `{ "data": {}, "content": [${text(value)}], "nodeType": "paragraph", "indent": 1.0 }`;
const TABLE = `{ "nodeType": "table", "data": {},  "content": [${paragraph("In a table")}] }`;
const CONTENTFUL = `{"nodeType": "document", "data": {}, "content": [
  ${paragraph("A sentense with a typo.")},
  ${TABLE},
  ${paragraph("The last one.")}
]}`;
const PORTABLE = `[
  { "_type": "block", "_key": "a", "style": "normal", "markDefs": [],
    "children": [{ "_type": "span", "_key": "s", "text": "One block", "marks": [] }] },
  { "_type": "map", "_key": "m", "zoom": 3.0 }
]`;
const PROSEMIRROR = `{ "type": "doc", "content": [
  { "type": "paragraph", "attrs": { "textAlign": null }, "content": [{ "text": "Plain", "type": "text" }] }
] }`;
const GUIDE =
  "Packing\n=======\n\n* rope\n* __boots__\n\n<b>kept</b> | a\n\n[k]: /k\n\nA typpo, [there][k].\n";
const HOME = `{ "id": "home", "modelId": "m", "data": { "title": "Home",
  "body": ${CONTENTFUL},
  "notes": ${PORTABLE},
  "story": ${PROSEMIRROR},
  "guide": ${JSON.stringify(GUIDE)},
  "settings": { "a": 1.0, "b": [1,2] } } }
`;
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", name: "Title", type: "text", title: true },
    { key: "body", name: "Body", type: "rich-text" },
    { key: "notes", name: "Notes", type: "rich-text" },
    { key: "story", name: "Story", type: "rich-text" },
    {
      key: "extra",
      name: "Extra",
      type: "rich-text",
      nodeTypes: ["document", "paragraph", "text"],
    },
    { key: "guide", name: "Guide", type: "text", format: "markdown" },
    { key: "settings", name: "Settings", type: "json" },
  ],
};
const FILES = {
  "models/page.json": MODEL,
  "projects/site.json": { id: "site", name: "S", locale: "en", steps: [], experiences: [] },
  "entries/home.json": HOME,
  "entries/other.json": { id: "other", modelId: "m", data: { title: "Another page" } },
  "files/tree.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  "assets.json": [{ id: "tree", fileName: "tree.svg", file: "files/tree.svg" }],
};

/** The entry in a page, and what authors do with it. */
async function opened(width = 1280) {
  const bed = new PreviewBed();
  workspaceFolder(FILES, bed.content);
  await bed.start("--edit");
  const page = await openPage(browser(), bed);
  await page.setViewportSize({ width, height: 900 });
  await goTo(page, "w/entries/home");
  const file = bed.file("entries", "home.json");
  const read = () => readFileSync(file, "utf8");
  const editor = page.locator("[role=textbox][contenteditable=true]");
  return {
    bed,
    page,
    file,
    read,
    data: () => JSON.parse(read()).data,
    editor,
    async open(name: string) {
      await page.getByRole("button", { name: `Change ${name}`, exact: true }).click();
      await page.locator("[contenteditable=true]:focus").waitFor();
    },
    async save(name: string) {
      await page.keyboard.press("Control+Enter");
      await page.locator(".edit-bar").getByText(`Saved ${name}.`).waitFor();
      await page.locator("form.edit-form").waitFor({ state: "detached" });
    },
    tool: (name: string) => page.getByRole("toolbar").getByRole("button", { name, exact: true }),
  };
}

/** Selects words of the text, as soon as the editor has heard of it. */
async function select(page: Page, words: string, from = 0) {
  await page.evaluate(
    ([wanted, start]) => {
      const root = document.querySelector("[contenteditable=true]") as HTMLElement;
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const heard = new Promise((resolve) =>
        document.addEventListener("selectionchange", resolve, { once: true }),
      );
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent?.indexOf(wanted) ?? -1;
        if (at < 0) continue;
        getSelection()?.setBaseAndExtent(node, at + start, node, at + wanted.length);
        return heard;
      }
      throw new Error(`no "${wanted}"`);
    },
    [words, from] as const,
  );
}

/** Puts the cursor behind words of the text. */
const cursorBehind = (page: Page, words: string) => select(page, words, words.length);

const paste = (page: Page, html: string) =>
  page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", given);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.querySelector("[contenteditable=true]")?.dispatchEvent(event);
  }, html);

describe("H57 to H59: rich text and JSON are changed where they are read", () => {
  it("H57: a typo is changed by one click, keys and Ctrl+Enter; its bytes alone change, and undo gives them back", async () => {
    const { page, open, save, read } = await opened();
    await open("Body");
    await cursorBehind(page, "sentens");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("c");
    await save("Body");
    expect(read()).toBe(HOME.replace("sentense", "sentence"));
    await page.locator(".edit-bar").getByRole("button", { name: /^Undo/ }).click();
    await page.locator(".edit-bar").getByText("Undone").waitFor();
    expect(read()).toBe(HOME);
    // Saved without a change, nothing is written.
    await open("Body");
    await page.keyboard.type("x");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+Enter");
    await page.locator("form.edit-form").waitFor({ state: "detached" });
    expect(read()).toBe(HOME);
  });

  it("H57: bold, link, heading, list, split and join, an entry and a picture; what is not known stays", async () => {
    const { page, open, save, read, data, tool, editor } = await opened();
    await open("Body");
    await expectAccessible(page, "the editor");
    await select(page, "typo");
    await page.keyboard.press("Control+b");
    expect(await tool("Bold").getAttribute("aria-pressed")).toBe("true");
    await select(page, "sentense");
    await tool("Link").click();
    const address = page.getByLabel("Address of the link");
    await address.fill("javascript:alert(1)");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "https:" }).waitFor();
    await address.fill("https://example.com/a");
    await page.keyboard.press("Enter");
    await cursorBehind(page, "The last");
    await page.keyboard.press("Enter");
    await tool("List").click();
    await cursorBehind(page, "A ");
    await page.getByLabel("Style").selectOption("Heading 3");
    await cursorBehind(page, "The last");
    await tool("Add a picture or file").click();
    await page.getByRole("option", { name: "tree.svg" }).click();
    await editor.locator(".opaque", { hasText: "embedded-asset-block" }).waitFor();
    await save("Body");
    const [heading, table, first, picture, list] = data().body.content;
    expect(heading).toEqual({
      data: {},
      nodeType: "heading-3",
      indent: 1,
      content: [
        JSON.parse(text("A ")),
        {
          nodeType: "hyperlink",
          data: { uri: "https://example.com/a" },
          content: [JSON.parse(text("sentense"))],
        },
        JSON.parse(text(" with a ")),
        JSON.parse(text("typo", [{ type: "bold" }])),
        JSON.parse(text(".")),
      ],
    });
    expect([table.nodeType, first.content[0].value]).toEqual(["table", "The last"]);
    expect(picture).toMatchObject({
      nodeType: "embedded-asset-block",
      data: { target: { assetId: "tree" } },
    });
    expect(list.content[0].content[0].content[0].value).toBe(" one.");
    expect(read()).toContain(TABLE);
    await open("Body");
    await cursorBehind(page, "The last");
    await page.keyboard.press("Control+k");
    await page.getByRole("button", { name: "To an entry…" }).click();
    await page.getByRole("option", { name: "Another page" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await save("Body");
    const link = { nodeType: "entry-hyperlink", data: { target: { contentEntryId: "other" } } };
    expect(JSON.stringify(data().body)).toContain(JSON.stringify(link).slice(0, -1));
  });

  it("H57: Portable Text and ProseMirror stay what they are", async () => {
    const { page, open, save, read, data } = await opened();
    await open("Notes");
    await cursorBehind(page, "One");
    await page.keyboard.press("Enter");
    await page.keyboard.type("- ");
    await save("Notes");
    expect(data().notes.map((one: { _key: string }) => one._key)).toEqual(["a", "a-1", "m"]);
    expect(data().notes[1]).toMatchObject({ listItem: "bullet", level: 1, style: "normal" });
    expect(read()).toContain('{ "_type": "map", "_key": "m", "zoom": 3.0 }');
    await open("Story");
    await cursorBehind(page, "Plain");
    await page.keyboard.type("er");
    await save("Story");
    expect(read()).toContain('"attrs": { "textAlign": null }, "content": [{ "text": "Plainer"');
  });

  it("H57a: an empty text is written in the workspace's dialect, with what its field accepts", async () => {
    const { page, open, save, data, tool } = await opened();
    await open("Extra");
    expect(await tool("List").count()).toBe(0);
    expect(await tool("Link").count()).toBe(0);
    await page.keyboard.type("First");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Second");
    await save("Extra");
    const made = data().extra;
    expect(made.nodeType).toBe("document");
    expect(made.content.map((one: { nodeType: string }) => one.nodeType)).toEqual([
      "paragraph",
      "paragraph",
    ]);
  });

  it("H58: what is pasted from Word, Google Docs or an attacker is clean content", async () => {
    const { page, open, save, data, editor } = await opened();
    await open("Story");
    await page.keyboard.press("Control+a");
    await paste(page, WORD);
    await paste(page, GOOGLE);
    await paste(page, "<table><tr><td>Day one</td><td>18 km</td></tr></table>");
    await paste(page, HOSTILE);
    expect(await editor.locator("script, img, style, iframe, [onclick]").count()).toBe(0);
    await save("Story");
    const { story } = data();
    const said = JSON.stringify(story);
    expect(said).not.toMatch(/javascript|alert|onclick|mso|style|evil|data-kept/i);
    const types = story.content.map((one: { type: string }) => one.type);
    expect(types.slice(0, 3)).toEqual(["heading", "paragraph", "bullet_list"]);
    expect(said).toContain('{"type":"text","text":"bold words","marks":[{"type":"bold"}]}');
    expect(story.content[2].content[0].content[1].type).toBe("ordered_list");
    expect(said).toContain('"href":"https://example.com/real"');
    expect(said).toContain("harmless");
    // A table is the paragraphs of its cells.
    expect(said).not.toContain("Day one18");
    expect(said).toContain('"text":"18 km');
  });

  it("H57b: Markdown is changed as it is read, and is written as it was but for what changed; or as a text", async () => {
    const { page, open, save, data, tool, editor } = await opened();
    await open("Guide");
    await editor.getByRole("heading", { name: "Packing" }).waitFor();
    await expectAccessible(page, "the editor of Markdown");
    await cursorBehind(page, "typp");
    await page.keyboard.press("Backspace");
    await save("Guide");
    expect(data().guide).toBe(GUIDE.replace("typpo, [there][k]", "typo, [there](/k)"));

    await open("Guide");
    await cursorBehind(page, "boots");
    await page.keyboard.press("Enter");
    await page.keyboard.type("a *map*");
    await select(page, "rope");
    await tool("Bold").click();
    await save("Guide");
    expect(data().guide).toContain("* **rope**\n* __boots__\n* a \\*map\\*\n\n<b>kept</b> | a");

    await page.getByRole("button", { name: "Change Guide", exact: true }).click();
    const text = page.getByRole("button", { name: "Guide as Markdown text" });
    await text.click();
    await page.getByRole("textbox", { name: "Guide" }).fill("*Short*");
    await text.click();
    await editor.locator("em").getByText("Short").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    // The bar has said so before.
    await page.locator("form.edit-form").waitFor({ state: "detached" });
    expect(data().guide).toBe("*Short*");
  });

  it("H57: what another program changed meanwhile is not overwritten, and what was typed stays", async () => {
    const { page, open, file, read, editor } = await opened();
    await open("Body");
    await cursorBehind(page, "The last");
    await page.keyboard.type(" typed");
    const other = HOME.replace("a typo", "another typo");
    writeFileSync(file, other);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Go on writing" }).waitFor();
    expect(read()).toBe(other);
    await editor.getByText("The last typed one.").waitFor();
    await page.getByRole("button", { name: "Take theirs" }).click();
    await editor.getByText("another typo").waitFor();
    expect(await editor.getByText("typed").count()).toBe(0);
  });

  it("H57: by keyboard alone, and at 390 pixels", async () => {
    const { page, save, data, editor } = await opened(390);
    await page.getByRole("button", { name: "Change Story", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.locator("[contenteditable=true]:focus").waitFor();
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(await isWide()).toBe(false);
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+.");
    await page.locator("[role=toolbar] :focus").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "Italic",
    );
    await page.keyboard.press("Enter");
    await page.locator("[contenteditable=true]:focus").waitFor();
    await page.keyboard.press("End");
    // The editor hears of another selection a moment later.
    await page.waitForFunction(() => document.querySelector("select")?.selectedIndex === 0);
    await page.keyboard.press("Enter");
    await page.keyboard.type("Second");
    await page.keyboard.press("Alt+ArrowUp");
    await editor.locator("p:first-child", { hasText: "Second" }).waitFor();
    await save("Story");
    expect(
      data().story.content.map((one: { content: { text: string }[] }) => one.content[0]?.text),
    ).toEqual(["Second", "Plain"]);
    expect(data().story.content[1].content[0].marks).toEqual([{ type: "italic" }]);
  });

  it("H59: JSON is changed as a text, with its faults in words, by its differences", async () => {
    const { page, read } = await opened();
    await page.getByRole("button", { name: "Change Settings", exact: true }).click();
    const area = page.locator("textarea:focus");
    await area.waitFor();
    const was = await area.inputValue();
    await area.fill(was.replace('"b"', "b"));
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").filter({ hasText: "line 3, column 3" }).waitFor();
    expect(read()).toBe(HOME);
    await area.fill(was.replace("2", "3"));
    await page.keyboard.press("Control+Enter");
    await page.locator(".edit-bar").getByText("Saved Settings.").waitFor();
    expect(read()).toBe(HOME.replace("[1,2]", "[1,3]"));
  });
});

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {mso-style: x}</style></head>
<body lang=EN-US><!--StartFragment--><h1>From Word<o:p></o:p></h1>
<p class=MsoNormal style='margin:0'>Some <b style='mso-bidi-font-weight:normal'>bold words</b><o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span><![endif]>First<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span>Inner</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Second</p>
<!--EndFragment--></body></html>`;
const GOOGLE = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400">Google </span><span style="font-weight:700;font-style:italic">strong</span></p><br><ul><li dir="ltr" style="list-style-type:disc"><p dir="ltr"><a href="https://www.google.com/url?q=https://example.com/real&amp;sa=D"><span style="text-decoration:underline">a link</span></a></p></li></ul></b>`;
const HOSTILE = `<div data-pm-slice='1 1 ["blockquote",{"of":{"type":"evil"}}]'><p onclick="alert(1)">harmless <a href="javascript:alert(1)">words</a><img src=x onerror=alert(1)><span data-kept="0">kept</span></p></div><script>alert(1)</script>`;
