import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FolderEditor } from "../../src/folder/edit/folder-editor.ts";
import type { Model, Workspace } from "../../src/workspace/records.ts";
import { editedFolder } from "../support/edited-folder.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", type: "text", title: true },
    { key: "next", type: "reference", models: ["page"], localized: true },
    { key: "body", type: "rich-text" },
    { key: "like", type: "reference", query: { where: { next: "home" } }, repeatable: true },
  ],
};
/** An own layout, and the id in a text, which is none. */
const OTHER = `{\t"id": "other", "modelId":"m",\r\n\t"data": { "title": "home" , "next": {"de": { "contentEntryId" : "home"}},\r\n "body": {"type": "doc", "content": [{"contentEntryId": "home"}]} } }`;
const SITE = `{ "id": "site", "name": "S", "locale": "de", "steps": [
   {"id": "s", "key": "s", "name": "home", "layoutName": "page", "layoutContentId": "home"} ],
 "experiences": [{ "id": "home", "key": "home", "name": "Home", "stepIds": ["s"] }],
 "collections": [{"model":"page","id":"c-{id}","layoutName":"page","except":["home"]}]}`;
const HOME = '{ "id": "home", "modelId": "m", "data": { "title": "Start" } }\n';
const FILES: Files = {
  "models/page.json": JSON.stringify(MODEL),
  "projects/site.json": SITE,
  "entries/pages/home.json": HOME,
  "entries/other.json": OTHER,
  "entries/third.json": { id: "third", modelId: "m", data: { title: "Third" } },
};

function folder(files = FILES) {
  const bed = editedFolder(files);
  const texts = (names: readonly string[]) =>
    names.map((name) => {
      const path = join(bed.folder, name);
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    });
  const rename = (newId: string, id = "home") => bed.act("edit-rename", { id, newId });
  return { ...bed, rename, texts };
}

describe("H69: an entry gets another id", () => {
  it("H69: with all that points at it, each other byte as it was, and is put back at once", async () => {
    const { act, rename, texts } = folder();
    const names = [...Object.keys(FILES), "entries/pages/start.json"];
    const before = texts(names);
    expect(await rename("start")).toMatchObject({ id: "start", undo: "the new id of “Start”" });
    const pointer = (text: string) => text.replaceAll(/(contentEntryId" ?: ?)"home"/g, '$1"start"');
    expect(texts(names)).toEqual([
      JSON.stringify(MODEL).replace('"next":"home"', '"next":"start"'),
      SITE.replace('layoutContentId": "home"', 'layoutContentId": "start"').replace(
        '["home"]',
        '["start"]',
      ),
      undefined,
      pointer(OTHER),
      before[4],
      HOME.replace('"home"', '"start"'),
    ]);
    expect(await act("undo")).toMatchObject({ undone: "the new id of “Start”", undo: null });
    expect(texts(names)).toEqual(before);
  });

  it("H69: also where a pointer is written with escapes", async () => {
    const escaped = OTHER.replace('"contentEntryId" : "home"', '"contentEntryId" : "\\u0068ome"');
    const { rename, read } = folder({
      ...FILES,
      "entries/other.json": escaped.replaceAll('"home"', '"\\u0068ome"'),
    });
    await rename("start");
    expect(read("entries/other.json").match(/"contentEntryId" ?: ?"start"/g)).toHaveLength(2);
    expect(read("entries/other.json")).toContain('"title": "\\u0068ome"');
  });

  it("H69: in lists and lines too", async () => {
    const { "entries/pages/home.json": _, "entries/other.json": __, ...files } = FILES;
    const records = [HOME, OTHER].map((text) => JSON.stringify(JSON.parse(text)));
    for (const [file, text] of [
      ["entries.json", `[ ${records.join(",\n")} ]`],
      ["entries.ndjson", `\ufeff${records.join("\r\n")}\r\n`],
    ] as const) {
      const { act, rename, read } = folder({ ...files, [file]: text });
      await rename("start");
      const renamed = text
        .replace('"id":"home"', '"id":"start"')
        .replaceAll('"contentEntryId":"home"', '"contentEntryId":"start"');
      expect(read(file)).toBe(renamed);
      await act("undo");
      expect(read(file)).toBe(text);
    }
  });

  it("H69: is refused where another entry has the id, where it can be none, and where a file that has it cannot be read", async () => {
    const { folder: path, rename, refusal, texts } = folder();
    const names = Object.keys(FILES);
    const before = texts(names);
    expect(await refusal(rename("THIRD"))).toMatch(/^edit-refused: .*already an entry/);
    expect(await refusal(rename("../x"))).toContain("cannot be the id");
    expect(await refusal(rename("home"))).toContain("already");
    for (const text of [
      '{ "next": "home" },',
      '{ "next": "home" }',
      `${HOME.replace("home", "third")} "home"`,
    ]) {
      writeFileSync(join(path, "entries/third.json"), text);
      expect(await refusal(rename("start"))).toMatch(
        /^edit-refused: .*third\.json" cannot be read/,
      );
    }
    expect(texts(names.slice(0, 4))).toEqual(before.slice(0, 4));
  });

  it("H69: writes nothing where one of the files was changed while others were read", async () => {
    const path = workspaceFolder(FILES);
    const site = join(path, "projects/site.json");
    const theirs = SITE.replace('"name": "S"', '"name": "Saved by another program"');
    // Projects are read before entries, whose models are looked for.
    const models = [MODEL] as unknown as Model[];
    const find = models.find.bind(models);
    models.find = ((...args: Parameters<typeof find>) => {
      writeFileSync(site, theirs);
      return find(...args);
    }) as typeof models.find;
    const workspace = { id: "w", name: "W" } as Workspace;
    const entries = new Set(["home", "other", "third"]);
    const definitions = { folder: path, workspace, models, blocks: [], entries, locales: [] };
    const editor = new FolderEditor(path);
    await expect(editor.rename("it", definitions, "home", "start")).rejects.toMatchObject({
      code: "edit-conflict",
    });
    expect(readFileSync(site, "utf8")).toBe(theirs);
    expect(readFileSync(join(path, "entries/pages/home.json"), "utf8")).toBe(HOME);
    expect(existsSync(join(path, "entries/pages/start.json"))).toBe(false);
    expect(readFileSync(join(path, "entries/other.json"), "utf8")).toBe(OTHER);
    expect(editor.last).toBeUndefined();
  });
});
