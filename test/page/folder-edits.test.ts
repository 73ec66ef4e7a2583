import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOCK } from "../../src/files/lock.ts";
import { EntryTexts } from "../../src/folder/edit/entry-texts.ts";
import { FolderEditor } from "../../src/folder/edit/folder-editor.ts";
import { stageMigration } from "../../src/folder/migrate/replace-files.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { editedFolder } from "../support/edited-folder.ts";
import { randomRuns } from "../support/random-runs.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const TEASER = {
  id: "b-teaser",
  key: "teaser",
  name: "Teaser",
  fields: [{ key: "line", type: "text", localized: true, maxLength: 9 }],
};
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", type: "text", required: true, maxLength: 20, unique: true, title: true },
    { key: "count", type: "integer", minimum: 1 },
    { key: "tags", type: "text", repeatable: true, maxItems: 3 },
    { key: "kind", type: "select", options: ["a", "b"] },
    { key: "lead", type: "text", localized: true },
    { key: "next", type: "reference", models: ["page"] },
    { key: "body", type: "content-block", repeatable: true },
    { key: "text", type: "rich-text" },
    { key: "constructor", type: "text" },
  ],
};
const teaser = (data: JsonObject) => ({ contentBlockId: "b-teaser", data });
const HOME = {
  id: "home",
  modelId: "m",
  data: {
    title: "Home",
    count: 3,
    tags: ["x", "y"],
    lead: { en: "Hello", de: "Hallo" },
    body: [teaser({ line: { en: "One" } }), teaser({})],
  },
};
/** An own layout: tabs, an empty line, members on one line. */
const TEXT = `{\n\t"id": "home",   "modelId": "m",\n\n\t"data": {\n\t\t"title" : "Home", "count": 3.0,\n\t\t"tags": [ "x", "y" ],\n\t\t"lead": { "en": "Hello", "de": "Hall\\u006f" },\n\t\t"body": [\n\t\t\t{ "contentBlockId": "b-teaser", "data": { "line": { "en": "One" } } },\n\t\t\t{ "contentBlockId": "b-teaser", "data": {} }\n\t\t]\n\t}\n}`;
const EMPTY = { id: "m2", key: "empty", name: "Empty", fields: [] };
const OTHER = { id: "other", modelId: "m", data: { title: "Other" } };

const FILES: Files = {
  "models/page.json": MODEL,
  "blocks/teaser.json": TEASER,
  "projects/site.json": { id: "site", name: "S", locale: "en", steps: [], experiences: [] },
  "entries/pages/start.json": TEXT,
  "entries/other.json": OTHER,
};

const edits = (files: Files = FILES) => editedFolder(files);

describe("H42: values changed on the page", () => {
  it("H42: replaces the value alone, in the layout that its file has", async () => {
    const { edit, read } = edits();
    const steps: [string, JsonValue | undefined, string, string][] = [
      ["/title", "Start", '"title" : "Home"', '"title" : "Start"'],
      ["/count", 4, '"count": 3.0', '"count": 4'],
      ["/tags", ["y", "x", "z"], '[ "x", "y" ]', '[ "y", "x", "z" ]'],
      ["/lead/de", "Servus", '"Hall\\u006f"', '"Servus"'],
      ["/lead/en", undefined, '"en": "Hello", "de": "Servus"', '"de": "Servus"'],
      ["/body/0/data/line/en", "Two", '"One"', '"Two"'],
      ["/body/1/data/line/de", "Zwei", '"data": {} }', '"data": { "line": { "de": "Zwei" } } }'],
      ["/kind", "b", '"tags"', '"tags"'],
    ];
    let expected = TEXT;
    for (const [path, value, from, to] of steps) {
      await edit(path, value);
      expected = expected.replace(from, () => to);
      if (path !== "/kind" && path !== "/body/1/data/line/de") expect(read(), path).toBe(expected);
    }
    expect(JSON.parse(read()).data).toEqual({
      title: "Start",
      count: 4,
      tags: ["y", "x", "z"],
      lead: { de: "Servus" },
      body: [teaser({ line: { en: "Two" } }), teaser({ line: { de: "Zwei" } })],
      kind: "b",
    });
  });

  it("H42: does not wait for another process that writes the folder", async () => {
    const { folder, edit, refusal } = edits();
    const other = new Database(join(folder, LOCK));
    other.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    const start = performance.now();
    for (let times = 0; times < 10; times += 1) {
      expect(await refusal(edit("/title", "Start"))).toContain(
        "out-locked: another svc is writing",
      );
    }
    // Others wait 5 s, each time.
    expect(performance.now() - start).toBeLessThan(50_000);
    other.close();
    await edit("/title", "Start");
  });

  it("H42: removes the last value of a locale with its object, and keeps comments", async () => {
    const text = `\ufeff// A page\r\n{ "id": "home", "modelId": "m",\r\n  "data": { "title": "Home", // its name\r\n    "lead": { "en": "Hi" }, } }\r\n`;
    const { "entries/pages/start.json": _, ...files } = FILES;
    const { edit, read } = edits({ ...files, "entries/home.jsonc": text });
    await edit("/lead/en", undefined);
    expect(read("entries/home.jsonc")).toBe(text.replace(/\s+"lead".*\},(?= \})/, "\r\n "));
    await edit("/constructor", "own");
    expect(read("entries/home.jsonc")).toContain('"constructor": "own"');
  });

  it("H42: edits entries that are lines or elements of one file", async () => {
    const { "entries/pages/start.json": _, "entries/other.json": __, ...files } = FILES;
    const list = `[\n  ${JSON.stringify(HOME)},\n  ${JSON.stringify(OTHER)}\n]\n`;
    const lines = `${JSON.stringify(HOME)}\n${JSON.stringify(OTHER)}\n`;
    for (const [file, text] of [
      ["entries.json", list],
      ["entries.ndjson", lines],
    ] as const) {
      const { act, edit, read } = edits({ ...files, [file]: text });
      await edit("/title", "Start");
      const edited = text.replace('"Home"', '"Start"');
      expect(read(file)).toBe(edited);
      await act("edit-add", { of: "other", id: "third" });
      expect(
        Object.keys(JSON.parse(read(file).trim().split("\n").at(-1) === "]" ? read(file) : "[]"))
          .length,
      ).toBe(file === "entries.json" ? 3 : 0);
      expect(read(file)).toContain('"id":"third"');
      await act("edit-remove", { id: "third" });
      expect(read(file)).toBe(edited);
      await act("edit-remove", { id: "other" });
      expect(read(file)).not.toContain('"other"');
      expect(await act("undo")).toMatchObject({ undone: "the deletion of “Other”" });
      expect(read(file)).toBe(edited);
    }
  });

  it("H42: deletes one entry alone, also the only line, and one whose id another has", async () => {
    const { "entries/pages/start.json": _, "entries/other.json": __, ...files } = FILES;
    const line = JSON.stringify(HOME);
    for (const [file, text, left] of [
      ["entries.ndjson", line, ""],
      ["entries.ndjson", `${line}\n`, ""],
      ["entries.ndjson", `${JSON.stringify(OTHER)}\n${line}`, JSON.stringify(OTHER)],
      ["entries.json", `[${line}]`, "[]"],
    ] as const) {
      const { act, read } = edits({ ...files, [file]: text });
      await act("edit-remove", { id: "home" });
      expect(read(file)).toBe(left);
      await act("undo");
      expect(read(file)).toBe(text);
    }
    const { folder, act, read } = edits({ ...files, "entries.json": [HOME] });
    const namesake = { ...OTHER, id: "home" };
    writeFileSync(join(folder, "entries.json"), JSON.stringify([HOME, namesake]));
    await act("edit-remove", { id: "home" });
    expect(JSON.parse(read("entries.json"))).toEqual([namesake]);
  });

  it("H42: keeps the line ends of NDJSON, also of one with a byte order mark", async () => {
    const { "entries/pages/start.json": _, "entries/other.json": __, ...files } = FILES;
    const [home, other] = [HOME, OTHER].map((one) => JSON.stringify(one));
    const text = `\ufeff${home}\r\n${other}\r\n`;
    const { act, read } = edits({ ...files, "entries.ndjson": text });
    await act("edit-add", { of: "home", id: "copy" });
    await act("edit-add", { model: "m", id: "news" });
    const lines = read("entries.ndjson").split("\r\n");
    expect(lines).toEqual([`\ufeff${home}`, expect.any(String), expect.any(String), other, ""]);
    expect(lines.join("")).not.toMatch(/[\r\n]/);
    for (const id of ["home", "news", "copy"]) await act("edit-remove", { id });
    expect(read("entries.ndjson")).toBe(`\ufeff${other}\r\n`);
    await act("edit-remove", { id: "other" });
    await act("edit-add", { model: "m", id: "news" });
    expect(read("entries.ndjson")).toMatch(/^\ufeff\{.*\}\n$/);
    for (let at = 0; at < 7; at += 1) await act("undo");
    expect(read("entries.ndjson")).toBe(text);
  });

  it("H42f: a file of lines has any size, and is read and written in parts", async () => {
    const { "entries/pages/start.json": _, "entries/other.json": __, ...files } = FILES;
    const others = Array.from({ length: 18 }, (_, at) => {
      const data = { title: `Note ${at}`, lead: { en: "x".repeat(2 ** 20) } };
      return JSON.stringify({ id: `n${at}`, modelId: "m", data });
    });
    const [home, other] = [HOME, OTHER].map((one) => JSON.stringify(one));
    const text = [...others.slice(0, 9), home, ...others.slice(9), other].join("\n");
    const { folder, act, edit, read } = edits({ ...files, "entries.ndjson": text });
    const steps = [
      () => edit("/title", "Start"),
      () => act("edit-add", { of: "home", id: "copy" }),
      () => act("edit-remove", { id: "other" }),
      () => edit("/title", "Last", "n17"),
    ];
    const states = [text];
    for (const step of steps) {
      await step();
      states.push(read("entries.ndjson"));
    }
    const start = home?.replace('"Home"', '"Start"');
    const copy = start
      ?.replace('"home","modelId":"m"', '"copy","modelId":"m","draft":true')
      .replace('"Start"', '"Start (copy)"');
    const last = others[17]?.replace('"Note 17"', '"Last"');
    expect(states[4]).toBe(
      [...others.slice(0, 9), start, copy, ...others.slice(9, 17), last].join("\n"),
    );
    for (const before of states.slice(0, -1).reverse()) {
      await act("undo");
      expect(read("entries.ndjson") === before).toBe(true);
    }
    // Another line was changed since, by another program.
    await edit("/title", "Start");
    writeFileSync(
      join(folder, "entries.ndjson"),
      read("entries.ndjson").replace("Note 17", "Nute 17"),
    );
    await expect(act("undo")).rejects.toMatchObject({ code: "edit-conflict" });
    expect(read("entries.ndjson")).toContain('"Start"');
  });

  it("H42f: a line that is too long for the preview is refused", async () => {
    const { "entries/pages/start.json": _, "entries/other.json": __, ...files } = FILES;
    const long = JSON.stringify({
      ...OTHER,
      data: { title: "Other", lead: { en: "x".repeat(17 * 2 ** 20) } },
    });
    const text = `${JSON.stringify(HOME)}\n${long}\n`;
    const { edit, read, refusal } = edits({ ...files, "entries.ndjson": text });
    expect(await refusal(edit("/title", "Short", "other"))).toMatch(
      /^edit-refused: "entries.ndjson" has a line of more than 16 MiB/,
    );
    await edit("/title", "Start");
    expect(read("entries.ndjson") === text.replace('"Home"', '"Start"')).toBe(true);
  });

  it("H42: a file that cannot be edited prevents no edit of entries in others", async () => {
    const { folder, edit, read, refusal } = edits();
    renameSync(join(folder, "entries/other.json"), join(folder, "entries/x.json"));
    const huge = JSON.stringify({ ...OTHER, id: "huge", data: { title: "Huge" } });
    writeFileSync(join(folder, "entries/a.json"), huge + " ".repeat(17 * 2 ** 20));
    symlinkSync(join(folder, "entries/x.json"), join(folder, "entries/b.json"));
    expect(spawnSync("mkfifo", [join(folder, "entries/c.json")]).status).toBe(0);
    await edit("/title", "Others", "other");
    expect(JSON.parse(read("entries/x.json")).data.title).toBe("Others");
    expect(await refusal(edit("/title", "Short", "huge"))).toMatch(/a\.json" has more than 16 MiB/);
  });

  it("H42: writes nothing where the folder was", async () => {
    const { folder, act, edit, refusal } = edits({ ...FILES, "models/empty.json": EMPTY });
    await edit("/title", "Start");
    renameSync(folder, `${folder}.moved`);
    for (const one of [
      () => edit("/title", "Mine"),
      () => act("edit-add", { model: "m", id: "news" }),
      () => act("edit-add", { model: "m2", id: "news" }),
      () => act("undo"),
    ]) {
      expect(await refusal(one())).toMatch(/^folder-not-found: there is no folder/);
    }
    expect(existsSync(folder)).toBe(false);
    renameSync(`${folder}.moved`, folder);
    await act("undo");
    expect(readFileSync(join(folder, "entries/pages/start.json"), "utf8")).toBe(TEXT);
  });

  it("H42, M3: writes nothing while a migration is interrupted", async () => {
    const { folder, act, edit, read, refusal } = edits({ ...FILES, "models/empty.json": EMPTY });
    await edit("/title", "Start");
    const before = read();
    const file = "entries/other.json";
    stageMigration(folder, "rename-field", [{ file, before: read(file), after: "{}", records: 1 }]);
    for (const one of [
      () => edit("/title", "Mine"),
      () => act("edit-add", { model: "m2", id: "news" }),
      () => act("undo"),
    ]) {
      expect(await refusal(one())).toMatch(/^migration-interrupted: /);
    }
    expect(read()).toBe(before);
  });

  it("H42: refuses when the entry was changed or deleted meanwhile, and writes nothing", async () => {
    const { folder, act, read, refusal } = edits();
    const { was } = await act<{ was: JsonValue }>("edit-open", { id: "home", path: "/title" });
    const change = { id: "home", was, changes: [{ path: "/title", value: "Mine" }] };
    const file = join(folder, "entries/pages/start.json");
    const theirs = TEXT.replace('"Home"', '"Theirs"');
    writeFileSync(file, theirs);
    expect(await refusal(act("edit", change))).toMatch(/^edit-conflict: .*start\.json/);
    expect(read()).toBe(theirs);
    writeFileSync(file, TEXT.replaceAll("\t", "  "));
    await act("edit", change);
    expect(JSON.parse(read()).data.title).toBe("Mine");
    rmSync(file);
    expect(await refusal(act("edit", change))).toMatch(/^entry-not-found/);
  });

  it("H42b: what another program saves while an edit is checked stays", () => {
    const folder = workspaceFolder(FILES);
    const file = join(folder, "entries/pages/start.json");
    const editor = new FolderEditor(folder);
    const other = TEXT.replace("Hello", "Saved by another program");
    const meanwhile = (after: (record: JsonObject) => JsonObject | undefined) => () =>
      editor.change("it", { id: "home", hash: editor.find("home").hash }, (record) => {
        writeFileSync(`${file}~`, other);
        renameSync(`${file}~`, file);
        return after(record);
      });
    const conflict = expect.objectContaining({ code: "edit-conflict" });
    expect(meanwhile((record) => ({ ...record, draft: true }))).toThrow(conflict);
    writeFileSync(file, TEXT);
    expect(meanwhile(() => undefined)).toThrow(conflict);
    expect(readFileSync(file, "utf8")).toBe(other);
    expect(editor.last).toBeUndefined();
  });

  it("H42b, H42f: nor is a line replaced in a file of lines that was changed meanwhile", () => {
    const { "entries/pages/start.json": _, "entries/other.json": __, ...files } = FILES;
    const text = `${JSON.stringify(HOME)}\n${JSON.stringify(OTHER)}\n`;
    const folder = workspaceFolder({ ...files, "entries.ndjson": text });
    const file = join(folder, "entries.ndjson");
    const editor = new FolderEditor(folder);
    const meanwhile = (text: string) => () =>
      editor.change("it", { id: "other", hash: editor.find("other").hash }, (record) => {
        writeFileSync(file, text);
        return { ...record, draft: true };
      });
    const conflict = expect.objectContaining({ code: "edit-conflict" });
    for (const other of [
      text.replace("Home", "A longer title"),
      text.replace("Other", "Othes"),
      "",
    ]) {
      writeFileSync(file, text);
      expect(meanwhile(other)).toThrow(conflict);
      expect(readFileSync(file, "utf8")).toBe(other);
    }
    // Both have their line.
    writeFileSync(file, text);
    meanwhile(text.replace("Home", "Rome"))();
    expect(readFileSync(file, "utf8")).toMatch(/"Rome".*\n.*"draft":true/);
  });

  it("H42b: a read-only file is not replaced", async () => {
    const { folder, edit, read, refusal } = edits();
    chmodSync(join(folder, "entries/pages/start.json"), 0o444);
    expect(await refusal(edit("/title", "Start"))).toMatch(/^edit-refused: .*is read-only$/);
    expect(read()).toBe(TEXT);
  });

  it("H42: looks for an entry among many files while others are answered", async () => {
    const { folder } = edits();
    for (let at = 0; at < 200; at += 1) {
      const record = { ...OTHER, id: `e${at}`, data: { title: "home".repeat(5000) } };
      writeFileSync(join(folder, `entries/n${at}.json`), JSON.stringify(record));
    }
    const texts = new EntryTexts(folder);
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    await expect(texts.findInTurns("nope")).rejects.toMatchObject({ code: "entry-not-found" });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
    expect((await texts.findInTurns("e199")).file).toBe("entries/n199.json");
  });

  it("H42: never writes through a link, nor outside of the entries", async () => {
    const { folder, act, refusal } = edits();
    const outside = temporaryFolder();
    writeFileSync(join(outside, "start.json"), TEXT);
    const { was } = await act<{ was: JsonValue }>("edit-open", { id: "home", path: "/title" });
    renameSync(join(folder, "entries/pages"), join(folder, "entries/.pages"));
    symlinkSync(outside, join(folder, "entries/pages"));
    const change = { id: "home", was, changes: [{ path: "/title", value: "Mine" }] };
    expect(await refusal(act("edit", change))).toMatch(
      /^(?:out-obstructed|edit-refused|entry-not-found)/,
    );
    expect(readFileSync(join(outside, "start.json"), "utf8")).toBe(TEXT);
    rmSync(join(folder, "entries/pages"));
    mkdirSync(join(folder, "entries/pages"));
    symlinkSync(join(outside, "start.json"), join(folder, "entries/pages/start.json"));
    expect(await refusal(act("edit", change))).toMatch(
      /^(?:out-obstructed|edit-refused|entry-not-found)/,
    );
    expect(readFileSync(join(outside, "start.json"), "utf8")).toBe(TEXT);
    for (const id of ["../x", "a/b", "..", "", "a\\b", "x".repeat(129), "a\u0000"]) {
      const added = act("edit-add", { model: "m", id });
      expect(await refusal(added), id).toMatch(/^edit-refused: .*an id is 1 to 128/);
    }
    await act("edit-add", { model: "m", id: "NUL.page" });
    expect(readFileSync(join(folder, "entries/~NUL.page.json"), "utf8")).toContain('"NUL.page"');
  });
});

describe("H43: values are checked before they are written", () => {
  it("H43: refuses what its field refuses, and says why", async () => {
    const { edit, read, refusal } = edits();
    for (const [path, value, says] of [
      ["/title", "x".repeat(21), "may have 20"],
      ["/title", "Other", 'the entry "other" has the same value'],
      ["/title", " ", "is empty or blank"],
      ["/title", undefined, "has no value"],
      ["/count", 0, "1"],
      ["/count", 1.5, "fraction"],
      ["/tags", ["a", "b", "c", "d"], "3"],
      ["/tags", "a", "list"],
      ["/kind", "c", "a"],
      ["/next", "home", "not"],
      ["/body/0/data/line/en", "x".repeat(10), "may have 9"],
      ["/none", "x", "not edited here"],
      ["/lead/__proto__", "x", "not edited here"],
      ["/body/7/data/line/en", "x", "not edited here"],
      ["", "x", "not edited here"],
    ] as const) {
      const refused = await refusal(edit(path, value));
      expect(refused, path).toMatch(/^edit-refused: /);
      expect(refused, path).toContain(says);
    }
    expect(read()).toBe(TEXT);
    expect(await edit("/next", { contentEntryId: "gone" })).toMatchObject({
      warnings: [expect.stringContaining("gone")],
    });
    expect(await edit("/next", { contentEntryId: "other" })).toMatchObject({ warnings: [] });
  });

  it("H43: a block that is added has its values with it, but in a draft", async () => {
    const fields = [{ key: "line", type: "text", required: true, minLength: 3 }];
    const { act, edit, read, refusal } = edits({
      ...FILES,
      "blocks/teaser.json": { ...TEASER, fields },
    });
    expect(await refusal(edit("/body", [teaser({})], "other"))).toContain("has no value");
    await act("edit-publishing", { id: "other", draft: true });
    const added = await edit("/body", [teaser({})], "other");
    expect(added.warnings).toEqual([expect.stringContaining("has no value")]);
    expect(JSON.parse(read("entries/other.json")).data.body).toEqual([teaser({})]);
  });

  it("H43: what is wrong elsewhere does not prevent an edit; a draft may be unfinished", async () => {
    const wrong = { ...OTHER, data: { count: 0, title: "" } };
    const { act, edit, read } = edits({ ...FILES, "entries/other.json": wrong });
    await edit("/title", "Other", "other");
    await act("edit-publishing", { id: "home", draft: true });
    expect(read()).toBe(TEXT.replace('"modelId": "m",', '"modelId": "m",   "draft": true,'));
    const { warnings } = await edit("/title", "");
    expect(warnings).toEqual([expect.stringContaining("is empty or blank")]);
    await act("edit-publishing", { id: "home", draft: false });
    expect(read()).toBe(TEXT.replace('"Home"', '""'));
  });
});

describe("H56: when an entry is published", () => {
  it("H56: the dates and draft marks that are given are set or taken away, the others stay, byte for byte", async () => {
    const { act, read } = edits();
    const [from, until] = ["2026-12-04T09:00:00+01:00", "2027-01-01T00:00:00Z"];
    const set = (more: object) => act("edit-publishing", { id: "home", ...more });
    await set({ publishAt: from, unpublishAt: until });
    const said = `"modelId": "m",   "publishAt": "${from}",   "unpublishAt": "${until}",`;
    expect(read()).toBe(TEXT.replace('"modelId": "m",', said));
    await set({ draft: { de: true }, unpublishAt: null });
    expect(JSON.parse(read())).toMatchObject({ draft: { de: true }, publishAt: from });
    expect(JSON.parse(read())).not.toHaveProperty("unpublishAt");
    await set({ draft: false, publishAt: null });
    expect(read()).toBe(TEXT);
  });

  it("H56: dates that the folder could not have are refused, and nothing is written", async () => {
    const { act, read, refusal } = edits();
    const set = (more: object) => refusal(act("edit-publishing", { id: "home", ...more }));
    const [day, before] = ["2026-12-04T09:00:00Z", "2026-12-03T00:00:00Z"];
    expect(await set({ publishAt: "tomorrow" })).toMatch(/not a date and time with zone/);
    expect(await set({ publishAt: day, unpublishAt: before })).toMatch(/not after/);
    expect(await set({ draft: "yes" })).toMatch(/^edit-refused/);
    expect(read()).toBe(TEXT);
  });
});

describe("H44: undo", () => {
  it("H44: brings back each file byte for byte, and refuses one that was changed since", async () => {
    const { folder, act, edit, read, refusal } = edits();
    await edit("/title", "Start");
    await edit("/count", 9);
    await act("edit-remove", { id: "home" });
    expect(() => read()).toThrow();
    expect(await act("undo")).toMatchObject({ undone: "the deletion of “Start”" });
    expect(JSON.parse(read()).data).toMatchObject({ title: "Start", count: 9 });
    expect(await act("undo")).toMatchObject({ undo: "the change of “Home”" });
    await act("undo");
    expect(read()).toBe(TEXT);
    expect(await refusal(act("undo"))).toMatch(/nothing to undo/);
    await edit("/title", "Start");
    const theirs = `${read()}\n`;
    writeFileSync(join(folder, "entries/pages/start.json"), theirs);
    expect(await refusal(act("undo"))).toMatch(/^edit-conflict/);
    expect(read()).toBe(theirs);
    await act("edit-remove", { id: "other" });
    const bytes = Buffer.from("not UTF-8: \xff", "latin1");
    writeFileSync(join(folder, "entries/other.json"), bytes);
    expect(await refusal(act("undo"))).toMatch(/^edit-conflict/);
    expect(readFileSync(join(folder, "entries/other.json"))).toEqual(bytes);
  });

  it("H44: what could not be undone can be once that is possible", async () => {
    const { folder, act, read, refusal } = edits();
    await act("edit-remove", { id: "home" });
    writeFileSync(join(folder, "entries/pages"), "");
    expect(await refusal(act("undo"))).toMatch(/^out-/);
    rmSync(join(folder, "entries/pages"));
    await act("undo");
    expect(read()).toBe(TEXT);
  });

  it("H42, H44: a random edit gives what a naive one gives, and its undo the same bytes", async () => {
    const { act, edit, read } = edits();
    const text = fc.string({ unit: "binary", maxLength: 9 }).map((one) => `${one}x`);
    const value = fc.oneof(
      fc.tuple(fc.constant("/constructor"), fc.option(text)),
      fc.tuple(fc.constant("/title"), text),
      fc.tuple(fc.constant("/count"), fc.integer({ min: 1 })),
      fc.tuple(fc.constant("/tags"), fc.option(fc.array(text, { maxLength: 3 }))),
      fc.tuple(fc.constant("/lead/de"), fc.option(text)),
      fc.tuple(fc.constant("/body"), fc.shuffledSubarray(HOME.data.body)),
      fc.tuple(fc.constant("/kind"), fc.option(fc.constantFrom("a", "b"))),
    );
    await fc.assert(
      fc.asyncProperty(value, async ([path, changed]) => {
        const before = JSON.parse(read());
        await edit(path, changed as JsonValue);
        const [first = "", second] = path.split("/").slice(1);
        const { [first]: old, ...data } = before.data;
        const inside = { ...old, de: changed };
        if (changed === null) delete inside.de;
        const value = second === undefined ? changed : inside;
        expect(JSON.parse(read())).toEqual({
          ...before,
          data: value === null ? data : { ...data, [first]: value },
        });
        if (read() !== TEXT) await act("undo");
        expect(read()).toBe(TEXT);
      }),
      { numRuns: randomRuns(100) },
    );
  });
});
