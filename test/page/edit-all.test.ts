import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenedForm } from "../../src/page/edited.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { editedFolder } from "../support/edited-folder.ts";
import type { Files } from "../support/workspaces/workspace-folder.ts";

const CARD = {
  id: "b-card",
  key: "card",
  name: "Card",
  fields: [
    { key: "line", name: "Line", type: "text", required: true, maxLength: 9 },
    { key: "size", type: "number" },
    { key: "note", type: "text", localized: true },
    { key: "extra", type: "json" },
    { key: "inner", type: "content-block", repeatable: true },
  ],
};
const ICON = { ...CARD, id: "b-icon", key: "icon", name: "Icon", category: "small", fields: [] };
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", type: "text", required: true, maxLength: 20, title: true },
    { key: "slug", type: "text", pattern: "^[a-z-]+$", unique: true },
    { key: "lead", type: "text", localized: true },
    { key: "next", type: "reference", models: ["page"] },
    { key: "all", type: "reference", repeatable: true, models: ["page"], query: { limit: 3 } },
    { key: "settings", type: "json" },
    { key: "top", type: "content-block", category: "small" },
    { key: "body", type: "content-block", repeatable: true },
  ],
};
/** An own layout: numbers and strings as nobody prints them. */
const TEXT = `{
\t"id": "home", "modelId": "m",
\t"data": {
\t\t"title" : "Home",   "slug": "home",
\t\t"lead": { "en": "Hello", "de": "Hall\\u006f" }, "unknown": 1.0,
\t\t"next": { "contentEntryId": "other" },
\t\t"settings": { "a" : [1.0, 2e1] },
\t\t"body": [
\t\t\t{ "contentBlockId": "b-card", "data": { "line": "One", "size": 1.50, "extra": {"x":1.0} } },
\t\t\t{ "contentBlockId": "b-card", "data": { "line": "Two",
\t\t\t\t"inner": [ { "contentBlockId": "b-card", "data": { "line" : "Deep", "size": 2.0 } } ] } }
\t\t]
\t}
}
`;
const OTHER = { id: "other", modelId: "m", data: { title: "Other", slug: "other" } };
const FILES: Files = {
  "models/page.json": MODEL,
  "blocks/card.json": CARD,
  "blocks/icon.json": ICON,
  "projects.json": [
    { id: "a-site", name: "S", locale: "en", steps: [], experiences: [] },
    { id: "b-seite", name: "S", locale: "de", steps: [], experiences: [] },
  ],
  "entries/home.json": TEXT,
  "entries/other.json": OTHER,
};

function bed(files: Files = FILES) {
  const { act, read, ...rest } = editedFolder(files);
  const open = (path = "") => act<OpenedForm>("edit-open", { id: "home", path });
  const save = (was: JsonValue, changes: Record<string, JsonValue>) =>
    act("edit", { id: "home", was, changes: changed(changes) });
  const check = async (changes: Record<string, JsonValue>, path = "") => {
    const body = { id: "home", path, changes: changed(changes) };
    const { problems } = await act<Pick<OpenedForm, "problems">>("edit-check", body);
    return problems.map(({ level, at, message }) => [at.path, level, message]);
  };
  return { ...rest, act, open, save, check, read: () => read("entries/home.json") };
}

const changed = (changes: Record<string, JsonValue>) =>
  Object.entries(changes).map(([path, value]) => ({ path, value }));

describe("H63: all fields of an entry are changed at once", () => {
  it("H63: a form has what is edited of an entry, of a block or of a field, with its blocks' fields", async () => {
    const { open, refusal } = bed();
    const all = await open();
    expect(all).toMatchObject({ path: "", locale: "en", locales: ["de", "en"], problems: [] });
    expect(all.fields.map(({ key }) => key)).toEqual(
      "title slug lead next settings top body".split(" "),
    );
    expect(all.data).toMatchObject({ title: "Home", next: { contentEntryId: "other" } });
    expect(all.data).not.toHaveProperty("unknown");
    // H59: JSON is a text, in blocks too.
    expect(all.data.settings).toBe('{\n  "a": [\n    1,\n    20\n  ]\n}');
    expect((all.data.body as JsonObject[])[0]?.data).toMatchObject({ extra: '{\n  "x": 1\n}' });
    expect(all.blocks.map(({ key }) => key)).toEqual(["card", "icon"]);
    expect(all.shown).toEqual({ other: { title: "Other", model: "Page" } });
    const block = await open("/body/1/data");
    expect([block.path, block.fields.length]).toEqual(["/body/1/data", 5]);
    expect([all.title, block.title]).toEqual(["/title", null]);
    expect(block.data).toMatchObject({ line: "Two" });
    const deep = await open("/body/1/data/inner/0/data/line");
    expect(deep).toMatchObject({ path: "/body/1/data/inner/0/data", data: { line: "Deep" } });
    expect([deep.fields.length, deep.locale, deep.blocks]).toEqual([1, null, []]);
    for (const path of ["/all", "/body/2/data", "/body/0", "/title/x", "/body/0/data/line/x"]) {
      expect(await refusal(open(path)), path).toContain("not edited here");
    }
  });

  it("H63: several changes are one action and one step of undo, and change their bytes alone", async () => {
    const { act, open, save, read } = bed();
    const { was, data } = await open();
    const [one, two] = data.body as JsonObject[];
    const inner = [{ contentBlockId: "b-card", data: { line: "Deeper", size: 2 } }];
    const body = [one, { ...two, data: { line: "Two", inner } }] as JsonValue;
    await save(was, { "/title": "Start", "/lead/de": "Servus", "/slug": null, "/body": body });
    expect(read()).toBe(
      TEXT.replace('"title" : "Home",   "slug": "home",', '"title" : "Start",')
        .replace("Hall\\u006f", "Servus")
        .replace('"Deep"', '"Deeper"'),
    );
    await act("undo");
    expect(read()).toBe(TEXT);
  });

  it("H65: of a block that is changed, moved or copied the others keep their bytes", async () => {
    const { act, open, save, read } = bed();
    const { was, data } = await open();
    const [one, two] = data.body as JsonObject[];
    const first = TEXT.split("\n").find((line) => line.includes('"One"')) ?? "";
    await save(was, { "/body": [one, one, two] as JsonValue });
    expect(read()).toContain(first);
    expect(read()).toContain('"line" : "Deep", "size": 2.0');
    expect(JSON.parse(read()).data.body).toEqual([
      { contentBlockId: "b-card", data: { line: "One", size: 1.5, extra: { x: 1 } } },
      ...JSON.parse(TEXT).data.body,
    ]);
    await act("undo");
    await save(was, { "/body": [two, one] as JsonValue });
    expect(JSON.parse(read()).data.body).toEqual(JSON.parse(TEXT).data.body.reverse());
    expect(read()).toContain(first.trim().replace(/,$/, ""));
    expect(read()).toContain('"line" : "Deep", "size": 2.0');
    await act("undo");
    const [ofOne, ofTwo] = [await open("/body/0/data"), await open("/body/1/data")];
    await save(ofOne.was, { "/body/0/data/extra": '{"x":1.0,\n"y":2}' });
    await save(ofTwo.was, { "/body/1/data/note/de": "Neu" });
    const { data: after } = JSON.parse(read());
    expect(after.body[0].data.extra).toEqual({ x: 1, y: 2 });
    expect(after.body[1].data.note).toEqual({ de: "Neu" });
    expect(read()).toContain('"extra": {"x":1.0,"y":2}');
    expect(read()).toContain('"line" : "Deep", "size": 2.0');
  });

  it("H63: nothing is written where one change is refused, or the entry is another one by now", async () => {
    const { open, save, edit, read, refusal } = bed();
    const { was } = await open();
    const refused = save(was, { "/slug": "other", "/title": null });
    expect(await refusal(refused)).toMatch(
      /^edit-refused: .*has no value.*the entry "other" has the same value/,
    );
    expect(await refusal(save(was, { "/title": "Start", "/all": [] }))).toContain("not edited");
    expect(read()).toBe(TEXT);
    await edit("/title", "Theirs");
    const late = save(was, { "/title": "Mine", "/slug": "x" });
    expect(await refusal(late)).toMatch(
      /^edit-conflict: "entries\/home.json" was changed meanwhile: title has/,
    );
    expect(await refusal(save({}, { "/slug": "x" }))).toMatch(/^edit-conflict/);
    expect(JSON.parse(read()).data).toMatchObject({ title: "Theirs", slug: "home" });
  });

  it("H63: saved without a change it writes nothing", async () => {
    const { act, open, save, read } = bed();
    const { was, data } = await open();
    await save(was, { "/settings": data.settings ?? null, "/body": data.body ?? null });
    await save(was, {});
    expect(read()).toBe(TEXT);
    await expect(act("undo")).rejects.toMatchObject({ code: "edit-refused" });
  });

  it("H63: hostile requests change nothing", async () => {
    const { act, open, read, refusal } = bed();
    const { was } = await open();
    for (const changes of [
      [{ path: "/__proto__", value: "x" }],
      [{ path: "/body/__proto__/data/line", value: "x" }],
      [{ path: "/body/-1/data/line", value: "x" }],
      [{ path: ["title"], value: "x" }],
      ["/title"],
      { path: "/title", value: {} },
      [{ path: "/body", value: { data: { __proto__: 1 } } }],
      [{ path: "/settings", value: "{" }],
    ]) {
      const said = await refusal(act("edit", { id: "home", was, changes }));
      expect(said, JSON.stringify(changes)).toMatch(/^edit-refused/);
    }
    expect(read()).toBe(TEXT);
  });
});

describe("H81: a conflict is of a field", () => {
  const write = (folder: string, [from, to]: readonly [string | RegExp, string]) =>
    writeFileSync(join(folder, "entries/home.json"), TEXT.replace(from, to));

  it("H81: what others changed in other fields and languages stays, what both wrote alike is no conflict", async () => {
    const { folder, open, save, read } = bed();
    const { was } = await open();
    write(folder, ["Hall\\u006f", "Servus"]);
    await save(was, { "/title": "Mine", "/lead/en": "Hi", "/lead/de": "Servus" });
    expect(JSON.parse(read()).data).toMatchObject({
      title: "Mine",
      lead: { en: "Hi", de: "Servus" },
    });
  });

  it("H81a: the same field is refused with both texts, and written knowingly", async () => {
    const { folder, act, open, save, read, refusal } = bed();
    const { was } = await open();
    write(folder, ['"Home"', '"Their title"']);
    const mine = { "/title": "My title", "/slug": "mine", "/settings": '{"a":[1,20]}' };
    expect(await refusal(save(was, mine))).toMatch(/^edit-conflict: .*: title has another value/);
    expect(JSON.parse(read()).data).toMatchObject({ title: "Their title", slug: "home" });
    const body = { id: "home", path: "", was, changes: changed(mine) };
    const now = await act<OpenedForm>("edit-open", body);
    expect(now.conflicts).toEqual([
      {
        path: "/title",
        change: {
          ...{ place: ["title"], before: null, after: null },
          pieces: [
            ["before", "Their"],
            ["after", "My"],
            ["both", " title"],
          ],
        },
      },
    ]);
    await save(now.was, mine);
    expect(JSON.parse(read()).data).toMatchObject({ title: "My title", slug: "mine" });
  });

  it("H81b: a value in a block goes to no other block that has its index now", async () => {
    const other = { ...CARD, id: "b-other", key: "other" };
    const { folder, open, save, read, refusal } = bed({ ...FILES, "blocks/other.json": other });
    const one = /\{ "contentBlockId": "b-card", "data": \{ "line": "One".*/;
    const [line = ""] = one.exec(TEXT) ?? [];
    const place = "/body/0/data/note/en";
    const { was } = await open("/body/0/data");
    // Another field of it, and another block.
    for (const change of [
      ['"One"', '"Eins"'],
      ['"Two"', '"Zwei"'],
    ] as const) {
      write(folder, change);
      await save(was, { [place]: "Mine" });
      expect(JSON.parse(read()).data.body[0].data.note).toEqual({ en: "Mine" });
    }
    // One before it, one in its place, and none.
    for (const another of [
      `{ "contentBlockId": "b-card", "data": { "line": "New" } }, ${line}`,
      '{ "contentBlockId": "b-other", "data": { "line": "Other" } },',
      "",
    ]) {
      write(folder, [line, another]);
      const before = read();
      expect(await refusal(save(was, { [place]: "Mine" })), another).toMatch(/^edit-conflict/);
      expect(read()).toBe(before);
    }
    // In a list in it.
    write(folder, ["", ""]);
    const deep = "/body/1/data/inner/0/data";
    const inner = await open(deep);
    write(folder, [
      '"inner": [ {',
      '"inner": [ { "contentBlockId": "b-card", "data": { "line": "New" } }, {',
    ]);
    const late = save(inner.was, { [`${deep}/note/en`]: "Mine" });
    expect(await refusal(late)).toMatch(/^edit-conflict/);
  });

  it("H81: a request that says nothing of what was there, or something else, overwrites nothing", async () => {
    const { save, read, refusal } = bed();
    const all = [null, "", {}, [], { title: "Home" }, { title: { en: 1 } }, { title: [[]] }];
    for (const was of all as readonly JsonValue[]) {
      const refused = await refusal(save(was, { "/title": "x" }));
      expect(refused, JSON.stringify(was)).toMatch(/^edit-conflict/);
    }
    expect(read()).toBe(TEXT);
  });
});

describe("H66: what is not changed here", () => {
  it("H66: a computed field is in no form and takes no value; one that is not by language stays", async () => {
    const broken = TEXT.replace('{ "en": "Hello", "de": "Hall\\u006f" }', '"Hello"');
    const { open, save, read, refusal } = bed({ ...FILES, "entries/home.json": broken });
    const { was, fields, data } = await open();
    expect(fields.map(({ key }) => key)).not.toContain("all");
    expect(data.lead).toBe("Hello");
    for (const path of ["/all", "/lead/en", "/lead"]) {
      expect(await refusal(save(was, { "/title": "Start", [path]: "x" })), path).toContain(
        "not edited here",
      );
    }
    expect(read()).toBe(broken);
  });
});

describe("H64: problems are said before anything is saved", () => {
  it("H64: what the check would say is beside its field, and nothing is written", async () => {
    const { check, open, read } = bed();
    expect(await check({})).toEqual([]);
    const [one] = (await open()).data.body as JsonObject[];
    const found = await check({
      "/title": "x".repeat(21),
      "/slug": "other",
      "/body": [one, { contentBlockId: "b-card", data: { extra: '{\n"a": }' } }] as JsonValue,
    });
    expect(found).toEqual([
      ["/body/1/data/extra", "error", expect.stringMatching(/^line 2, column 4: broken JSON/)],
      ["/body/1/data/line", "error", expect.stringContaining("has no value")],
      ["/title", "error", expect.stringContaining("may have 20")],
      ["/slug", "error", expect.stringContaining('the entry "other" has the same value')],
    ]);
    // Of a form of one block or field those of that.
    expect(await check({ "/title": "", "/body/0/data/line": "" }, "/body/0/data")).toEqual([
      ["/body/0/data/line", "error", expect.stringContaining("empty")],
    ]);
    expect(read()).toBe(TEXT);
  });

  it("H64: what was wrong before is said when the form is opened, and prevents nothing", async () => {
    const wrong = TEXT.replace('"Home"', JSON.stringify("x".repeat(21)));
    const { open, save, read } = bed({ ...FILES, "entries/home.json": wrong });
    const { was, problems } = await open();
    expect(problems.map(({ at }) => at.path)).toEqual(["/title"]);
    await save(was, { "/lead/en": "Hi" });
    expect(read()).toBe(wrong.replace('"Hello"', '"Hi"'));
    expect((await open("/body/0/data")).problems).toEqual([]);
  });
});
