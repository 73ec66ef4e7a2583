import { readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPlaces } from "../../src/folder/find-places.ts";
import type { ProblemPlace } from "../../src/workspace/problem.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const entry = (id: string, data: object) => ({ id, modelId: "m", data });
const at = (id: string, path: string, kind: ProblemPlace["kind"] = "entry") => ({ kind, id, path });

const problemAt = (place: ProblemPlace) => ({ code: "field-unknown", at: place }) as const;

/** The text from a place on. */
function textAt(folder: string, place: ProblemPlace, others: readonly ProblemPlace[] = []) {
  const found = findPlaces(folder, [place, ...others].map(problemAt))(problemAt(place));
  if (found === undefined) return undefined;
  const lines = readFileSync(join(folder, found.file), "utf8").split("\n");
  const line = lines[(found.line as number) - 1]?.slice((found.column as number) - 1) as string;
  return `${found.file}:${found.line} ${line.slice(0, 16)}`;
}

const DATA = { title: "Home", "a/b~c": [1, { x: 2 }], list: [{ contentEntryId: "gone" }] };

describe("P13a: the places of problems in the files of a folder", () => {
  it("P13a: in a folder of files, an NDJSON file or an array", () => {
    const one = entry("one", {});
    const two = entry("two", DATA);
    const files = { "entries/sub/two.json": pretty(two), "entries/one.json": pretty(one) };
    const lines = { "entries.ndjson": [one, two].map((value) => JSON.stringify(value)).join("\n") };
    const array = { "entries.json": pretty([one, two]) };
    expect(textAt(workspaceFolder(files), at("two", "/list/0"))).toBe("entries/sub/two.json:13 {");
    expect(textAt(workspaceFolder(lines), at("two", "/list/0"))).toBe(
      'entries.ndjson:2 {"contentEntryId',
    );
    expect(textAt(workspaceFolder(array), at("two", "/list/0"))).toBe("entries.json:19 {");
  });

  it("P13a: a member is found by its name, an absent value by what is around it", () => {
    const folder = workspaceFolder({ "entries/two.json": pretty(entry("two", DATA)) });
    expect(textAt(folder, at("two", "/title"))).toBe('entries/two.json:5 "title": "Home",');
    expect(textAt(folder, at("two", "/a~1b~0c/1/x"))).toBe('entries/two.json:9 "x": 2');
    expect(textAt(folder, at("two", "/absent/3"))).toBe('entries/two.json:4 "data": {');
    expect(textAt(folder, at("two", ""))).toBe('entries/two.json:4 "data": {');
  });

  it("P13a, B2a: the value of a locale is found by its name, a missing one by the localized value", () => {
    const title = { de: "Haus", constructor: "x" };
    const body = { de: [{ contentBlockId: "b", data: { said: { en: "Yes" } } }] };
    const files = { "entries/two.json": pretty(entry("two", { title, body })) };
    const array = { "entries.json": `[{}, {"id":"two","data":{"title":{"de":1,"fr":2}}}]` };
    const folder = workspaceFolder(files);
    expect(textAt(folder, at("two", "/title/de"))).toBe('entries/two.json:6 "de": "Haus",');
    expect(textAt(folder, at("two", "/title/constructor"))).toMatch(
      /^entries.two.json:7 "constructor":/,
    );
    expect(textAt(folder, at("two", "/title/en"))).toBe('entries/two.json:5 "title": {');
    expect(textAt(folder, at("two", "/body/de/0/data/said/en"))).toBe(
      'entries/two.json:15 "en": "Yes"',
    );
    expect(textAt(folder, at("two", "/body/en/0"))).toBe('entries/two.json:9 "body": {');
    expect(textAt(workspaceFolder(array), at("two", "/title/fr"))).toBe(
      'entries.json:1 "fr":2}}}]',
    );
  });

  it("P13a: files may have any name, and a file with the id as its name may hold another record", () => {
    const folder = workspaceFolder({
      "entries/a.json": pretty(entry("b", DATA)),
      "entries/b.json": pretty(entry("a", DATA)),
      "entries/x.json": pretty(entry("c", DATA)),
    });
    const all = ["a", "b", "c"].map((id) => at(id, "/title"));
    const place = findPlaces(folder, all.map(problemAt));
    expect(all.map((one) => place(problemAt(one))?.file)).toEqual([
      "entries/b.json",
      "entries/a.json",
      "entries/x.json",
    ]);
  });

  it("P13a: of projects, models, blocks and the workspace too", () => {
    const fields = [{ key: "a", type: "text", pattern: "x" }];
    const folder = workspaceFolder({
      "workspace.json": pretty({ id: "w", name: "W", fields }),
      "models/page.json": pretty({ id: "m", key: "page", name: "Page", fields }),
      "blocks.json": pretty([{ id: "b", key: "b", name: "B", fields }]),
      "projects/site.json": pretty({ id: "site", steps: [{ id: "s", layoutContentId: "gone" }] }),
    });
    const pattern = '"pattern": "x"';
    expect(textAt(folder, at("w", "/fields/0/pattern", "workspace"))).toBe(
      `workspace.json:8 ${pattern}`,
    );
    expect(textAt(folder, at("m", "/fields/0/pattern", "model"))).toBe(
      `models/page.json:9 ${pattern}`,
    );
    expect(textAt(folder, at("b", "/fields/0/pattern", "block"))).toBe(`blocks.json:10 ${pattern}`);
    expect(textAt(folder, at("site", "/steps/0/layoutContentId", "project"))).toMatch(
      /^projects\/site\.json:6 "layoutContentId/,
    );
  });

  it("P13a: records that are not there any more have no place, and others keep theirs", () => {
    const folder = workspaceFolder({
      "entries/a.json": pretty(entry("a", DATA)),
      "entries/b.json": "{ broken",
    });
    const others = [at("b", "/title"), at("gone", "/title"), at("none", "", "model")];
    expect(textAt(folder, at("a", "/title"), others)).toContain("entries/a.json:5");
    for (const one of others) expect(textAt(folder, one)).toBeUndefined();
    unlinkSync(join(folder, "workspace.json"));
    expect(textAt(folder, at("w", "", "workspace"))).toBeUndefined();
  });
});
