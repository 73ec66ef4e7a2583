import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filePath } from "../../src/documents/address.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import type { Entry, Model, Project, ProjectLocales } from "../../src/workspace/records.ts";
import { summaries } from "../support/documents/served-data.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { inLanguageOf, localizedWorkspace } from "../support/workspaces/localized-workspace.ts";
import { NEIGHBOUR } from "../support/workspaces/random-workspace.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { previewTexts } from "./workspace-laws.ts";

const TITLE: FieldDefinition = { key: "title", type: "text", localized: true };
const LINK: FieldDefinition = { key: "link", type: "reference", localized: true };
const NOTE: FieldDefinition = { key: "note", type: "text" };

const model = (fields: readonly object[]): Model =>
  ({ id: "m", key: "page", name: "Page", fields }) as unknown as Model;
const entry = (id: string, data: Entry["data"]): Entry => ({ id, modelId: "m", data });
const project = (id: string, locales: ProjectLocales, ...shown: readonly string[]): Project => ({
  ...projectOf(id, ...(shown.length > 0 ? shown : ["home"])),
  ...locales,
});
const to = (contentEntryId: string) => ({ contentEntryId });

const DE = { locale: "de", fallbackLocales: ["en"] };
const EN = { locale: "en" };

/** A site in two languages. */
const site = (data: Entry["data"], changes: Parts = {}): Parts => ({
  models: [model([TITLE, LINK, NOTE])],
  projects: [project("de", DE), project("en", EN)],
  entries: [entry("home", data)],
  ...changes,
});

const problemsOf = (data: Entry["data"], changes: Parts = {}) =>
  summaries(new TestBed(site(data, changes)).check());

/** The served data of `home` in each project, which is the same on both surfaces. */
function servedIn(bed: TestBed, ...projects: readonly string[]): JsonValue[] {
  bed.publish();
  return projects.map((projectId) => {
    const address = { kind: "content", projectId, experienceId: "home" } as const;
    const published = bed.file(filePath(address));
    const preview = JSON.parse(bed.render("preview", address)?.bytes(null).toString() ?? "null");
    expect({ ...preview, versionId: published.versionId }).toEqual(published);
    return published.content[0].data;
  });
}

describe("B1, B3: the documents of a project are in its language", () => {
  it("B3, S4: they are those of a workspace with the values of this language only, to the byte", () => {
    const [bed, alone] = [new TestBed(NEIGHBOUR), new TestBed(NEIGHBOUR)];
    const property = fc.property(localizedWorkspace, (parts) => {
      bed.import(parts);
      const [all, whole] = [previewTexts(bed), previewTexts(bed, true)];
      let hasErrors = false;
      for (const one of parts.projects) {
        alone.import(inLanguageOf(one, parts));
        const isOwn = ([path]: [string, string]) => path.includes(`/projects/${one.id}/`);
        expect(new Map([...all].filter(isOwn))).toEqual(previewTexts(alone));
        expect(new Map([...whole].filter(isOwn)), "A2").toEqual(previewTexts(alone, true));
        hasErrors ||= alone.check("w").some(({ level }) => level === "error");
      }
      // A JSON value whose members are called as locales looks so.
      const problems = bed.check("w", { "localized-missing": "warning" });
      expect(problems.some(({ level }) => level === "error")).toBe(hasErrors);
      if (hasErrors) return;
      bed.publish({ workspace: "w", maxRemovals: { percent: 100 } });
      for (const one of parts.projects) {
        alone.import(inLanguageOf(one, parts));
        alone.publish({ workspace: "w", maxRemovals: { percent: 100 } });
        const path = `api/v1/projects/${one.id}/`;
        const filesOf = ({ out }: TestBed) =>
          Object.entries(bytesBelow(out))
            .filter(([name]) => name.startsWith(path))
            .map(([name, bytes]) => [name, withoutVersion(bytes)]);
        expect(filesOf(bed)).toEqual(filesOf(alone));
      }
    });
    fc.assert(property, { numRuns: randomRuns(100) });
  });

  it("B1: the value of the locale, else of the first fallback that has one, else none", () => {
    const projects = [
      project("at", { locale: "de-AT", fallbackLocales: ["de", "en"] }),
      project("de", { locale: "de", fallbackLocales: ["en", "fr"] }),
      project("fr", { locale: "fr" }),
      project("upper", { locale: "DE", fallbackLocales: ["fr"] }),
    ];
    const in3 = { "de-AT": null, de: "", en: "Hello", DE: null };
    expect(
      servedIn(
        new TestBed(site({ title: in3, note: "Same" }, { projects })),
        "at",
        "de",
        "fr",
        "upper",
      ),
    ).toEqual([
      { note: "Same", title: "" },
      { note: "Same", title: "" },
      ...Array(2).fill({ note: "Same" }),
    ]);
  });

  it("B1, B2, C1: blocks in fields that are not localized, of entries and projects, are in the language", () => {
    const hero = { id: "b", key: "hero", name: "Hero", fields: [TITLE] };
    const banner = { contentBlockId: "b", data: { title: { de: "Hallo", en: "Hello" } } };
    const fields: FieldDefinition[] = [{ key: "banner", type: "content-block" }];
    const projects = [DE, EN].map((locales) => ({
      ...project(locales.locale, locales),
      fields: { banner },
    }));
    const parts = { blocks: [hero], fields, projects, models: [model(fields)] };
    const bed = new TestBed(site({ banner }, parts));
    const served = ["Hallo", "Hello"].map((title) => ({ banner: { data: { title } } }));
    expect(servedIn(bed, "de", "en")).toMatchObject(served);
    const ofProject = (id: string) => bed.file(`api/v1/projects/${id}/index.json`).fields;
    expect([ofProject("de"), ofProject("en")]).toMatchObject(served);
  });
});

describe("B2 to B5: the problems of languages", () => {
  it.each([["Home"], [["Home"]], [7], [true]])(
    "B2, V3a: %j is no value for each locale",
    (title) => {
      expect(problemsOf({ title })).toEqual(["error value-type entry home#/title"]);
    },
  );

  it("B2a: a value of a locale has the rules of its field, at its own place", () => {
    const models = [model([{ ...TITLE, maxLength: 2 }, { ...LINK, repeatable: true }, NOTE])];
    const data = { title: { de: 7, en: "long" }, link: { de: [to("gone")], en: to("home") } };
    expect(problemsOf(data, { models })).toEqual([
      "error value-type entry home#/link/en",
      "error value-type entry home#/title/de",
      "error value-constraint entry home#/title/en",
      "warning reference-deleted entry home#/link/de/0",
    ]);
  });

  it("B3, P2: a required value that a language does not have is missing there", () => {
    const models = [model([{ ...TITLE, required: true }])];
    const missing = (data: Entry["data"]) => new TestBed(site(data, { models })).check();
    expect(summaries(missing({ title: { de: "Start" } }))).toEqual([
      "error value-missing entry home#/title/en",
    ]);
    expect(missing({ title: { de: "Start" } })[0]?.args).toEqual({ field: "title", locale: "en" });
    expect(missing({ title: { en: "Home" } })).toEqual([]);
    for (const data of [{}, { title: null }]) {
      expect(summaries(missing(data))).toEqual(["error value-missing entry home#/title"]);
    }
  });

  it("B3a: one problem for a value that several languages lack, which names the first ones", () => {
    const models = [
      model([
        { ...TITLE, required: true },
        { ...NOTE, required: true },
      ]),
    ];
    const ids = ["de", "at", "ch", "it"];
    const projects = [...ids, "en"].map((id) => project(id, { locale: id }));
    const check = (data: Entry["data"]) => new TestBed(site(data, { models, projects })).check();
    const [found, ...others] = check({ title: { en: "Home" }, note: "x" });
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      at: { path: "/title" },
      args: { field: "title", locales: ["at", "ch", "de"], others: 1 },
    });
    expect(summaries(check({ title: { en: "Home", de: " " }, note: "x" }))).toEqual([
      "error value-missing entry home#/title",
      "error value-missing entry home#/title/de",
    ]);
    expect(summaries(check({ note: " " }))).toEqual([
      "error value-missing entry home#/note",
      "error value-missing entry home#/title",
    ]);
  });

  it("B3: a fault of a value that several languages have is one problem", () => {
    const projects = ["de", "at", "ch"].map((id) =>
      project(id, { locale: id, fallbackLocales: ["en"] }),
    );
    const data = { title: { en: 7 }, note: 7 };
    expect(problemsOf(data, { projects })).toEqual([
      "error value-type entry home#/note",
      "error value-type entry home#/title/en",
    ]);
  });

  it("B4, V10: values are compared as they are served in one language", () => {
    const slug = { key: "slug", type: "text", unique: true, localized: true };
    const duplicates = (...slugs: readonly JsonValue[]) => {
      const entries = slugs.map((value, at) => entry(`e${at}`, { slug: value }));
      const parts = site({}, { models: [model([slug])], entries });
      return new TestBed(parts).check().filter(({ code }) => code === "value-duplicate");
    };
    expect(duplicates({ de: "a", en: "b" }, { de: "b", en: "a" })).toEqual([]);
    expect(duplicates({ de: "a", en: "b" }, { de: "a", en: "c" })).toMatchObject([
      { at: { id: "e1", path: "/slug" }, args: { field: "slug", other: "e0", locale: "de" } },
    ]);
    // By fallback.
    expect(duplicates({ de: "a", en: "b" }, { en: "a" })).toHaveLength(1);
    expect(duplicates({ de: "a", en: "b" }, { de: "c", en: "a" })).toEqual([]);
  });

  it("B4, V10: a value of all languages is compared once", () => {
    const code = { key: "code", type: "text", unique: true };
    const entries = ["e0", "e1"].map((id) => entry(id, { code: "a" }));
    const bed = new TestBed(site({}, { models: [model([code, TITLE])], entries }));
    const found = bed.check().filter((one) => one.code === "value-duplicate");
    expect(found).toMatchObject([{ at: { id: "e1" }, args: { field: "code", other: "e0" } }]);
  });

  it("B5: a project needs a locale where a field is localized, and only there", () => {
    const projects = [project("site", {})];
    expect(problemsOf({ title: { en: "Home" } }, { projects })).toEqual([
      "error locale-missing project site#",
      "warning locale-unused entry home#/title/en",
    ]);
    expect(problemsOf({ note: "Plain" }, { projects, models: [model([NOTE])] })).toEqual([]);
    const blocks = [{ id: "b", key: "hero", name: "Hero", fields: [TITLE] }];
    expect(problemsOf({}, { projects, blocks, models: [model([NOTE])] })).toEqual([
      "error locale-missing project site#",
    ]);
  });

  it("B5: locales that no project has, and those that are no language tags", () => {
    const projects = [project("de", { locale: "de_DE", fallbackLocales: ["en", "x y"] })];
    const title = { de_DE: "Start", en: "Home", fr: "Accueil", en_US: "Home", "x y": null };
    expect(problemsOf({ title }, { projects })).toEqual([
      "warning locale-invalid entry home#/title/en_US",
      "warning locale-unused entry home#/title/fr",
      "warning locale-invalid project de#/fallbackLocales/1",
      "warning locale-invalid project de#/locale",
    ]);
    const [{ args } = { args: {} }] = new TestBed(site({ title: { EN: "Home" } })).check();
    expect(args).toEqual({ locale: "EN", suggestion: "en" });
  });
});

describe("B5a: values for each locale in a field that is not localized", () => {
  const map = { en: "Home", de: "Start" };
  const types = (...names: string[]) => names.map((type) => ({ key: type, type }));

  it("B5a: are one error, at the field, and are not served unless its type takes any value", () => {
    const richText = { key: "rich-text", type: "rich-text", nodeTypes: ["doc"] };
    const fields = [...types("text", "json", "reference"), richText];
    const data = {
      text: map,
      json: map,
      "rich-text": { de: { type: "doc" } },
      reference: { en: to("home") },
    };
    const parts = { models: [model(fields)], entries: [entry("home", data), entry("b", data)] };
    const bed = new TestBed(site({}, parts));
    expect(bed.check().map(({ code, at, args }) => ({ code, at, args }))).toEqual(
      fields.map(({ key }, index) => ({
        code: "localized-missing",
        at: { kind: "model", id: "m", path: `/fields/${index}` },
        args: { field: key, isServed: key === "json" },
      })),
    );
    expect(() => bed.publish({ severity: {} })).toThrow("the draft has 4 errors");
    const address = { kind: "content", projectId: "en", experienceId: "home" } as const;
    const preview = JSON.parse(bed.render("preview", address)?.bytes(null).toString() ?? "");
    expect(preview.content[0].data).toEqual({ json: map });
  });

  it("B5a: in a list, and in a block", () => {
    const blocks = [{ id: "b", key: "hero", name: "Hero", fields: types("text") }];
    const fields = [
      { ...NOTE, repeatable: true },
      { key: "hero", type: "content-block" },
    ];
    const data = { note: { en: ["a"] }, hero: { contentBlockId: "b", data: { text: map } } };
    expect(problemsOf(data, { models: [model(fields)], blocks })).toEqual([
      "error localized-missing block b#/fields/0",
      "error localized-missing model m#/fields/0",
    ]);
  });

  it("B5a: as elements of lists, which other elements do not lose", () => {
    const fields = [
      { key: "json", type: "json", repeatable: true },
      { ...NOTE, repeatable: true },
      { key: "text", type: "rich-text" },
    ];
    const nodes = [{ type: "p", content: [map, "a"] }, map];
    const data = { json: [1, map, map], note: ["a", { de: "b" }], text: nodes };
    const bed = new TestBed(site(data, { models: [model(fields)] }));
    expect(summaries(bed.check())).toEqual([
      "error localized-missing model m#/fields/0",
      "error localized-missing model m#/fields/1",
      "error localized-missing model m#/fields/2",
    ]);
    const address = { kind: "content", projectId: "en", experienceId: "home" } as const;
    const preview = JSON.parse(bed.render("preview", address)?.bytes(null).toString() ?? "");
    expect(preview.content[0].data).toEqual({
      json: [1, map, map],
      note: ["a"],
      text: [{ type: "p", content: ["a"] }],
    });
  });

  it.each([
    { en: 1, fr: 2 },
    { "de-CH": 1, gsw: 2 },
    { DE: 1, en_US: 2, "zh-Hans-CN": 3 },
  ])("B5b: where one language is that of a project, others need not be: %j", (json) => {
    expect(problemsOf({ json }, { models: [model(types("json"))] })).toEqual([
      "error localized-missing model m#/fields/0",
    ]);
  });

  it("B5b: other objects are values of their own", () => {
    const odd: Entry["data"][] = [
      { note: { en: "a", title: "b" } },
      { note: {} },
      { note: { fr: "a" } },
    ];
    for (const data of odd) expect(problemsOf(data)).toEqual(["error value-type entry home#/note"]);
    const models = [model(types("json"))];
    for (const json of [{ en: 1, other: 2 }, { id: 1, de: "a", en: "b" }, { fr: 1, it: 2 }, {}]) {
      expect(problemsOf({ json }, { models })).toEqual([]);
    }
    const projects = [project("site", {})];
    expect(problemsOf({ json: map }, { models, projects })).toEqual([]);
  });

  it("P15, B5a: a severity lowers it only where the value is served", () => {
    const severity = { "localized-missing": "off" } as const;
    const bed = new TestBed(site({ json: map }, { models: [model(types("json"))] }));
    expect(bed.publish({ severity }).problems).toEqual([]);
    bed.import(site({ text: map }, { models: [model(types("text"))] }));
    expect(() => bed.publish({ severity })).toThrow("the draft has 1 error");
  });
});

function withoutVersion(text: unknown): string {
  const json = typeof text === "string" ? text : JSON.stringify(text);
  return json.replace(/"(x-svc-version-id|versionId)": ?"[0-9a-f]{32}"/g, '"$1":null');
}
