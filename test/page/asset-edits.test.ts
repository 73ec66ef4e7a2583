import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/documents/version-id.ts";
import { LOCK } from "../../src/files/lock.ts";
import type { Edited, OpenedAsset } from "../../src/page/edited.ts";
import { MOST_BYTES } from "../../src/page/uploads.ts";
import { editedFolder } from "../support/edited-folder.ts";
import { bytesBelow, pathsBelow } from "../support/file-tree.ts";
import { limitFiles } from "../support/limited-files.ts";
import { HEIC, jpeg, png, SVG } from "../support/pictures.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { type Files, faultsOf, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const TREE = { id: "tree", fileName: "tree.svg", file: "files/tree.svg" };
/** An own layout. */
const LIST = `[\n\t{ "id": "tree", "fileName": "tree.svg",\n\t  "file": "files/tree.svg" }\n]\n`;
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [{ key: "picture", type: "asset" }],
};
const FILES: Files = {
  "models.json": [MODEL],
  "projects.json": [
    { id: "site", name: "S", locale: "en", steps: [], experiences: [] },
    { id: "seite", name: "S", locale: "de", steps: [], experiences: [] },
  ],
  "files/tree.svg": SVG,
  "assets.json": LIST,
};
const WITH_TEXTS: Files = { ...FILES, "workspace.json": { id: "w", name: "W", assetTexts: true } };

const pathOf = (bytes: Uint8Array, name: string) => `files/${sha256(bytes).slice(0, 16)}/${name}`;

function bed(files: Files = FILES) {
  const edited = editedFolder(files);
  const put = (name: string, bytes: Uint8Array, more: object = {}) =>
    edited.act<Edited>("asset-put", { name, ...more }, bytes);
  const tree = () => bytesBelow(edited.folder);
  return { ...edited, put, tree };
}

describe("H60: files that are added", () => {
  it("H60: is written and recorded in the layout of assets.json, measured, and undone byte for byte", async () => {
    const { folder, drafts, put, act, read, tree } = bed();
    const before = tree();
    const bytes = png(40, 30);
    const { id, added, undo } = await put("My Boat.PNG", bytes);
    expect([id, undo]).toEqual(["my-boat", "the new asset “My Boat.png”"]);
    const file = pathOf(bytes, "My Boat.png");
    const own = { fileName: "My Boat.png", mimeType: "image/png", width: 40, height: 30 };
    expect(added).toMatchObject({ id, title: "My Boat.png", file: own });
    expect(drafts.draft().assets.get("my-boat")).toEqual({
      ...{ id, ...own, sizeBytes: bytes.length, sha256: sha256(bytes) },
    });
    expect(readFileSync(join(folder, file))).toEqual(bytes);
    expect(read("assets.json")).toBe(
      LIST.replace(
        " }\n]",
        ` },\n\t{\n\t\t"id": "my-boat",\n\t\t"fileName": "My Boat.png",\n\t\t"file": "${file}"\n\t}\n]`,
      ),
    );
    expect(await act("undo")).toMatchObject({ undone: "the new asset “My Boat.png”", undo: null });
    expect(tree()).toEqual(before);
  });

  it.each<[string, Files, string]>([
    ["a list with comments", { "assets.jsonc": `// ours\n${LIST}` }, "assets.jsonc"],
    ["lines", { "assets.ndjson": `${JSON.stringify(TREE)}\r\n` }, "assets.ndjson"],
    ["single files", { "assets/tree.json": TREE }, "assets/boat.json"],
    ["none yet", {}, "assets/boat.json"],
    ["an empty list", { "assets.json": "[]" }, "assets.json"],
  ])("H60b: is recorded as the folder has assets: %s", async (_, assets, file) => {
    const { "assets.json": __, ...files } = FILES;
    const { folder, drafts, put, act, read, tree } = bed({ ...files, ...assets });
    const before = tree();
    await put("boat.png", png());
    expect(read(file)).toContain('"boat"');
    expect(Object.keys(tree()).length).toBe(Object.keys(before).length + (file in before ? 1 : 2));
    expect(faultsOf(folder)).toEqual([]);
    const count = drafts.draft().assets.size;
    await put("boat.png", png(5, 5), { replaces: "boat" });
    expect(drafts.draft().assets.get("boat")?.width).toBe(5);
    expect(drafts.draft().assets.size).toBe(count);
    await act("asset-remove", { id: "boat" });
    expect(tree()).toEqual(before);
    for (let at = 0; at < 3; at += 1) await act("undo");
    expect(tree()).toEqual(before);
  });

  it("H60c: has a name that any server and system takes, and an ending of its kind", async () => {
    const { folder, put, drafts } = bed();
    let shade = 0;
    for (const [name, fileName, id] of [
      ["../../etc/pass.wd.png", "pass-wd.png", "pass-wd"],
      ["C:\\photos\\boat.png", "boat.png", "boat"],
      [".htaccess", "htaccess.png", "htaccess"],
      ["web.config", "web-config.png", "web-config"],
      ["vite.config.png", "vite-config.png", "vite-config"],
      ["workspace.db-wal", "workspace-db-wal.png", "workspace-db-wal"],
      ["con.png", "~con.png", "con"],
      ["a:b|c?.png", "a~b~c~.png", "a-b-c"],
      ["\u202egnp.\u0000exe", "gnp.png", "gnp"],
      ["Größe 10%#1.jpg", "Größe 10%#1.png", "grosse-10-1"],
      ["…", "….png", "file"],
      ["", "file.png", "file-2"],
      ["node_modules", "node_modules.png", "node_modules"],
      ["\ud800x.png", "�x.png", "x"],
      [`${"é".repeat(300)}.PNG`, `${"é".repeat(50)}.png`, "e".repeat(50)],
      ["boat.png", "boat.png", "boat-2"],
      ["BOAT.png", "BOAT.png", "boat-3"],
    ] as const) {
      shade += 1;
      const made = await put(name, png(4, 3, shade));
      expect([made.added?.file.fileName, made.id], name).toEqual([fileName, id]);
    }
    expect(faultsOf(folder)).toEqual([]);
    expect(drafts.draft().assets.size).toBe(18);
    expect(pathsBelow(folder).filter((file) => !/^(?:[a-z]+\.json|files\/.+)$/.test(file))).toEqual(
      [],
    );
  });

  it.each<[string, string, Uint8Array | string, string]>([
    ["a photograph of a phone", "IMG_1.HEIC", HEIC, "HEIC picture"],
    ["one that says it is JPEG", "IMG_1.jpg", HEIC, "HEIC picture"],
    [
      "HTML that says it is PNG",
      "boat.png",
      "<!doctype html><script>1</script>",
      "kind that is not taken",
    ],
    ["HTML with a drawing in it", "boat.svg", `<html><body>${SVG}</body></html>`, "not taken"],
    ["a drawing that begins and has no end", "boat.svg", `<!-- ${SVG}`, "not taken"],
    ["a program", "boat.png", "#!/bin/sh\n", "not taken"],
    ["TIFF", "boat.tiff", Buffer.from("49492a0008000000", "hex"), "not taken"],
    ["nothing", "boat.png", "", "is empty"],
    ["half of a picture", "boat.png", png().subarray(0, 20), "damaged"],
    ["a picture without size", "boat.png", png(0, 0), "damaged"],
    ["more pixels than memory has room for", "boat.png", png(40_000, 40_000), "100 million pixels"],
    ["more bytes", "boat.png", Buffer.concat([png(), Buffer.alloc(MOST_BYTES)]), "more than 20 MB"],
    ["a store", "boat.pdf", Buffer.from(`%PDF-${"x".repeat(63)}svc1`), "is no content"],
  ])("H60, H60a: is refused, and nothing is left: %s", async (_, name, bytes, says) => {
    const { put, refusal, tree } = bed();
    const before = tree();
    const refused = await refusal(
      put(name, typeof bytes === "string" ? Buffer.from(bytes) : bytes),
    );
    expect(refused).toMatch(/^edit-refused: /);
    expect(refused).toMatch(says);
    expect(tree()).toEqual(before);
  });

  it("H60a: takes each kind that it says, by the bytes", async () => {
    const { put } = bed();
    const doctype = '<!DOCTYPE svg [ <!ENTITY x "<svg>"> ]>';
    for (const [bytes, fileName, mimeType] of [
      [jpeg(), "a.jpg", "image/jpeg"],
      [Buffer.from("GIF89a\x04\0\x03\0", "latin1"), "a.gif", "image/gif"],
      [`\ufeff<?xml version="1.0"?>\n<!-- > -->\n${doctype}\n${SVG}`, "a.svg", "image/svg+xml"],
      [
        '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
        "a.svg",
        "image/svg+xml",
      ],
      ["%PDF-1.7\n", "a.pdf", "application/pdf"],
      [Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isom", "latin1"), "a.mp4", "video/mp4"],
      [Buffer.from("\x1aEß£\x01\0\0\0\0\0\0\x1fB\x82\x84webm", "latin1"), "a.webm", "video/webm"],
      [Buffer.from("ID3\x03", "latin1"), "a.mp3", "audio/mpeg"],
    ] as const) {
      const { added } = await put("a.x", Buffer.from(bytes));
      expect(added?.file).toMatchObject({ fileName, mimeType });
    }
    expect((await put("b.jpeg", jpeg(5))).added?.file.fileName).toBe("b.jpeg");
  });

  it("H60d: offers an asset that has these bytes, and makes a second one on demand", async () => {
    const { put, act, tree, drafts } = bed();
    const before = tree();
    const { equal, id } = await put("boat.svg", Buffer.from(SVG));
    expect([equal?.id, equal?.title, id]).toEqual(["tree", "tree.svg", undefined]);
    expect(tree()).toEqual(before);
    await put("boat.svg", Buffer.from(SVG), { again: "yes" });
    await put("boat.svg", Buffer.from(SVG), { again: "yes" });
    expect([...drafts.draft().assets.keys()]).toEqual(["tree", "boat", "boat-2"]);
    // Both name one file, which stays until the last one goes.
    const file = pathOf(Buffer.from(SVG), "boat.svg");
    await act("asset-remove", { id: "boat" });
    expect(Object.keys(tree())).toContain(file);
  });
});

describe("H61: files that are replaced and removed", () => {
  it("H61, H61a: another file keeps id, texts and versions; the old one goes where nothing has it", async () => {
    const version = { id: "v1", fileName: "old.svg", file: "files/old.svg" };
    const record = { ...TREE, title: "A tree", mimeType: "image/svg+xml", versions: [version] };
    const { folder, put, act, read, tree, refusal } = bed({
      ...WITH_TEXTS,
      "files/old.svg": `${SVG}\n`,
      "assets.json": [record],
    });
    const before = tree();
    const [first, second] = [png(5, 5), png(6, 6)];
    await put("boat.png", first, { replaces: "tree" });
    const { mimeType: _, ...kept } = record;
    const replaced = { ...kept, fileName: "boat.png", file: pathOf(first, "boat.png") };
    expect(JSON.parse(read("assets.json"))).toEqual([replaced]);
    // No file that an export could have written.
    expect(existsSync(join(folder, "files/tree.svg"))).toBe(true);
    const { undo } = await put("ship.png", second, { replaces: "tree" });
    expect(undo).toBe("the replacement of “A tree”");
    expect(existsSync(join(folder, pathOf(first, "boat.png")))).toBe(false);
    expect(await refusal(put("x.png", second, { replaces: "tree" }))).toContain("this very file");
    const film = Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isom", "latin1");
    expect(await refusal(put("x.mp4", film, { replaces: "tree" }))).toContain("another kind");
    expect(await refusal(put("x.png", first, { replaces: "none" }))).toMatch(
      /^entry-not-found: the asset/,
    );
    expect(faultsOf(folder)).toEqual([]);
    await act("undo");
    expect(readFileSync(join(folder, pathOf(first, "boat.png")))).toEqual(first);
    await act("undo");
    expect(tree()).toEqual(before);
  });

  it("H61: one that was given by an address gets a file of its own", async () => {
    const url = { ...TREE, file: undefined, url: "https://cdn.example.com/tree.svg", width: 9 };
    const { put, read } = bed({ ...FILES, "assets.json": [url] });
    await put("tree.svg", Buffer.from(`${SVG}\n`), { replaces: "tree" });
    expect(JSON.parse(read("assets.json"))).toEqual([
      { id: "tree", fileName: "tree.svg", file: pathOf(Buffer.from(`${SVG}\n`), "tree.svg") },
    ]);
  });

  it("H61, H44: undo is refused where a file was changed since, and then changes nothing", async () => {
    const { folder, put, act, refusal, tree } = bed();
    await put("boat.png", png());
    const file = join(folder, pathOf(png(), "boat.png"));
    writeFileSync(file, "theirs");
    const before = tree();
    expect(await refusal(act("undo"))).toMatch(/^edit-conflict: .*boat\.png" was changed since/);
    expect(tree()).toEqual(before);
    rmSync(file);
    await put("ship.png", png(7));
    rmSync(join(folder, pathOf(png(7), "ship.png")));
    expect(await refusal(act("undo"))).toMatch(/^edit-conflict/);
  });

  it("H60b: of a change that fails halfway nothing is left, as on a full disk", async () => {
    const { folder, put, act, refusal, tree } = bed();
    await put("boat.png", png());
    const before = tree();
    for (const bytes of [png(5, 5), png(500, 500)]) {
      const undo = limitFiles({ room: 100 });
      expect(await refusal(put("ship.png", bytes))).toMatch(/^disk-full: /);
      expect(await refusal(put("ship.png", bytes, { replaces: "tree" }))).toMatch(/^disk-full: /);
      undo();
      expect(tree()).toEqual(before);
    }
    chmodSync(join(folder, "assets.json"), 0o444);
    for (const more of [{}, { replaces: "boat" }]) {
      expect(await refusal(put("ship.png", png(5), more))).toMatch(/assets\.json" is read-only/);
    }
    expect(await refusal(act("asset-remove", { id: "boat" }))).toContain("read-only");
    expect(tree()).toEqual(before);
    await expect(put("ship.png", png(5))).rejects.toThrow("read-only");
    expect(existsSync(join(folder, LOCK))).toBe(false);
  });

  it("H61: nothing leads out of the folder, and what stands there already is not replaced", async () => {
    const { folder, put, refusal } = bed();
    const outside = temporaryFolder();
    const at = join(folder, pathOf(png(), "boat.png"));
    mkdirSync(join(at, ".."), { recursive: true });
    writeFileSync(at, "another");
    expect(await refusal(put("boat.png", png()))).toContain("is another file");
    rmSync(at);
    symlinkSync(join(outside, "boat.png"), at);
    expect(await refusal(put("boat.png", png()))).toMatch(
      /^(?:edit-refused|edit-conflict|out-obstructed)/,
    );
    rmSync(join(at, ".."), { recursive: true });
    symlinkSync(outside, join(at, ".."));
    expect(await refusal(put("boat.png", png()))).toMatch(/^out-obstructed/);
    rmSync(join(folder, "files"), { recursive: true });
    symlinkSync(outside, join(folder, "files"));
    expect(await refusal(put("boat.png", png()))).toMatch(/^out-obstructed/);
    expect(pathsBelow(outside)).toEqual([]);
    expect(readFileSync(join(folder, "assets.json"), "utf8")).toBe(LIST);
  });

  it("H61a: removes no file that a record of a stranger names, but those of assets", async () => {
    const names = ["models.json", "files/../models.json", "./models.json", "files/tree.svg"];
    for (const file of names) {
      const { folder, act, tree, readAgain } = bed();
      const before = tree();
      writeFileSync(join(folder, "assets.json"), JSON.stringify([{ ...TREE, file }]));
      readAgain();
      await act("asset-remove", { id: "tree" });
      expect(tree()).toEqual({ ...before, "assets.json": "[]" });
    }
  });
});

describe("H62: titles and descriptions", () => {
  it("H62: are changed as texts or by language, refused when another has changed them", async () => {
    const { folder, act, read, refusal, tree } = bed(WITH_TEXTS);
    const before = tree();
    const opened = await act<OpenedAsset>("asset-open", { id: "tree" });
    expect(opened).toMatchObject({ title: null, description: null });
    expect([...opened.locales].sort()).toEqual(["de", "en"]);
    const { mark } = opened;
    const description = { en: "A tree", de: "Ein Baum", fr: "" };
    const change = { id: "tree", mark, title: "Tree", description: { en: "A tree", de: "" } };
    await act("asset-edit", { ...change, description: null });
    expect(read("assets.json")).toBe(LIST.replace('"tree.svg",', '"tree.svg", "title": "Tree",'));
    await act("undo");
    await act("asset-edit", change);
    expect(JSON.parse(read("assets.json"))).toEqual([
      { ...TREE, title: "Tree", description: { en: "A tree" } },
    ]);
    expect(faultsOf(folder)).toEqual([]);
    expect(await refusal(act("asset-edit", change))).toMatch(/^edit-conflict/);
    const again = await act<OpenedAsset>("asset-open", { id: "tree" });
    expect(again).toMatchObject({ title: "Tree", description: { en: "A tree" } });
    for (const [text, says] of [
      [description, 'no project has the locale "fr"'],
      [5, "description"],
      [["x"], "description"],
    ] as const) {
      const wrong = { ...change, mark: again.mark, description: text };
      expect(await refusal(act("asset-edit", wrong))).toContain(says);
    }
    const same = { en: "Tree", de: "Tree" };
    await act("asset-edit", { ...change, mark: again.mark, title: same });
    expect(JSON.parse(read("assets.json"))[0].title).toBe("Tree");
    await act("asset-edit", { id: "tree", mark: again.mark, title: "", description: { en: "" } });
    expect(JSON.parse(read("assets.json"))).toEqual([TREE]);
    for (let at = 0; at < 2; at += 1) await act("undo");
    expect(tree()).toEqual(before);
  });

  it("H62: are refused where they are not served, with what to do", async () => {
    const { folder } = { folder: workspaceFolder(FILES) };
    expect(faultsOf(folder)).toEqual([]);
    const { act, refusal } = bed();
    const { mark } = await act<OpenedAsset>("asset-open", { id: "tree" });
    const refused = act("asset-edit", { id: "tree", mark, title: "Tree" });
    await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining("assetTexts") });
    expect(await refusal(act("asset-edit", { id: "tree", mark, title: "" }))).toContain(
      "not served",
    );
  });
});
