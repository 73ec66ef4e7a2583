import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mergeTexts } from "../../src/folder/merge/merge-texts.ts";
import { DraftState } from "../../src/page/draft-state.ts";
import { entryDetails, pointerTarget } from "../../src/page/entry-summary.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Entry, Project, ProjectLocales } from "../../src/workspace/records.ts";
import { CliBed } from "../support/cli-bed.ts";
import { summaries } from "../support/documents/served-data.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const TITLE: FieldDefinition = { key: "title", type: "text", localized: true };
const LINK: FieldDefinition = { key: "link", type: "reference" };
const model = (id: string, ...fields: readonly FieldDefinition[]) => ({
  id,
  key: id,
  name: id,
  fields,
});
const entry = (id: string, data: JsonObject, draft?: Entry["draft"], modelId = "page"): Entry => ({
  id,
  modelId,
  ...(draft !== undefined && { draft }),
  data,
});
const LANGUAGES: readonly ProjectLocales[] = [
  { locale: "at", fallbackLocales: ["de", "en"] },
  { locale: "de", fallbackLocales: ["en"] },
  { locale: "en" },
];
const inEach = (...shown: readonly string[]): Project[] =>
  LANGUAGES.map((language) => ({ ...projectOf(language.locale ?? "", ...shown), ...language }));

/** A page, and a plain entry that points at it, in three languages. */
const site = (title: JsonObject, draft?: Entry["draft"], more: Parts = {}): Parts => ({
  models: [model("page", TITLE), model("plain", LINK)],
  projects: inEach("home", "plain"),
  entries: [
    entry("home", { title }, draft),
    entry("plain", { link: { contentEntryId: "home" } }, undefined, "plain"),
  ],
  ...more,
});

/** The title that each project serves, or undefined: it has none. */
const titlesOf = (bed: TestBed, surface: "published" | "preview") =>
  LANGUAGES.map(({ locale: projectId = "" }) => {
    const address = { kind: "content", projectId, experienceId: "home" } as const;
    const text = bed.render(surface, address)?.bytes(null).toString();
    return text && JSON.parse(text).content[0].data.title;
  });

describe("A7: an entry that is a draft in a locale", () => {
  it("A7, A8: is hidden in projects of this locale, with its experience, and previewed in all", () => {
    const bed = new TestBed(site({ de: "SECRET", en: "Home" }, { de: true }));
    const { leftOut } = bed.publish();
    expect(leftOut).toEqual({ draft: 0, publishAt: 0, unpublishAt: 0, inLocales: 1 });
    expect(JSON.stringify(bytesBelow(bed.out))).not.toContain("SECRET");
    const files = ["at", "de", "en"].map((projectId) => {
      const { steps } = bed.file({ kind: "project", projectId });
      const types = bed.file({ kind: "schema", projectId })["x-svc-step-content-models"];
      const { content, references } = bed.file({
        kind: "content",
        projectId,
        experienceId: "plain",
      });
      const shown = [steps[0].layoutContentId, Object.values(types).sort()];
      return [...shown, content[0].data.link, references.length];
    });
    const found = { contentEntryId: "home", contentModelKey: "page" };
    expect(files).toEqual([
      ["home", ["page", "plain"], found, 1],
      ["plain", ["plain"], { contentEntryId: "home" }, 0],
      ["home", ["page", "plain"], found, 1],
    ]);
    expect(titlesOf(bed, "preview")).toEqual(["Home", "SECRET", "Home"]);
  });

  it("A7a: no other language falls back to its values there, on either surface", () => {
    const bed = new TestBed(site({ de: "Entwurf", en: "Home" }, { de: true, en: false }));
    expect(titlesOf(bed, "published")).toEqual(["Home", undefined, "Home"]);
    bed.import(site({ de: "Entwurf", en: "Home" }, { de: false }));
    expect(titlesOf(bed, "published")).toEqual(["Entwurf", "Entwurf", "Home"]);
    // A fallback of the projects alone: `fr` has no project.
    const [at] = inEach("home");
    const projects = [{ ...at, locale: "fr-CH", fallbackLocales: ["fr", "en"] } as Project];
    const french = site({ fr: "Ébauche", en: "Home" }, { fr: true }, { projects });
    const alone = new TestBed(french);
    expect(alone.publish().leftOut.inLocales).toBe(0);
    const address = { kind: "content", projectId: "at", experienceId: "home" } as const;
    expect(alone.file(address).content[0].data).toEqual({ title: "Home" });
  });

  it("A7, A1: one that is a draft in the locales of all projects is a draft", () => {
    const draft = { at: true, de: true, en: true };
    const bed = new TestBed(site({ de: "Entwurf" }, draft));
    const leftOut = { draft: 1, publishAt: 0, unpublishAt: 0, inLocales: 0 };
    expect(bed.publish().leftOut).toEqual(leftOut);
    expect(titlesOf(bed, "preview")).toEqual(["Entwurf", "Entwurf", undefined]);
  });

  it("A7b: a locale of no project hides nothing, which is an error with what was meant", () => {
    const bed = new TestBed(site({ en: "Home" }, { DE: true, en: false }));
    expect(bed.check()).toMatchObject([
      {
        level: "error",
        code: "draft-locale-unknown",
        at: { id: "home", path: "" },
        args: { locale: "DE", suggestion: "de" },
      },
    ]);
  });

  it("A3: its problems are warnings where it is a draft, and what points at it names the locale", () => {
    const models = [model("page", { ...TITLE, required: true }), model("plain", LINK)];
    const problems = (title: JsonObject, draft: Entry["draft"]) =>
      new TestBed(site(title, draft, { models })).check().filter(({ at }) => at.id === "home");
    expect(problems({ en: "x", de: 7 }, { de: true })).toMatchObject([
      { level: "warning", code: "value-type", at: { path: "/title/de" } },
    ]);
    // With the values of its other locales alone.
    expect(problems({ de: "x" }, { de: true }).map(({ level, at }) => level + at.path)).toEqual([
      "error/title",
    ]);
    const pointing = new TestBed(site({ en: "x" }, { de: true })).check();
    expect(pointing.map(({ level, code, at, args }) => ({ level, code, id: at.id, args }))).toEqual(
      [
        {
          level: "warning",
          code: "reference-draft",
          id: "plain",
          args: { target: "home", because: "draft", locale: "de" },
        },
      ],
    );
  });

  it("P1: a problem that is an error in one language is no warning of another", () => {
    const models = [model("page", TITLE, { key: "note", type: "text" }), model("plain", LINK)];
    const entries = [entry("home", { note: 7 }, { at: true, de: true })];
    const bed = new TestBed(site({}, undefined, { models, entries, projects: inEach("home") }));
    expect(summaries(bed.check().filter(({ code }) => code === "value-type"))).toEqual([
      "error value-type entry home#/note",
    ]);
  });

  it("A1a, B4: a unique value is a duplicate where both entries are published", () => {
    const code: FieldDefinition = { key: "code", type: "text", unique: true };
    const levels = (...drafts: readonly Entry["draft"][]) => {
      const entries = drafts.map((draft, at) => entry(`e${at}`, { code: "a" }, draft));
      const parts = { models: [model("page", code)], entries, projects: inEach("e0") };
      const found = new TestBed(parts).check().filter((one) => one.code === "value-duplicate");
      return found.map(({ level, at }) => `${level} ${at.id}`);
    };
    expect(levels({ de: true }, {})).toEqual(["error e1", "warning e0"]);
    expect(levels({ de: true, at: true }, { en: true })).toEqual(["warning e0", "warning e1"]);
  });

  it("H20: the page says in which locales, and counts its problems there as warnings", () => {
    const bed = new TestBed(site({ de: 7, en: "Home" }, { de: true }));
    const renderings = new DraftRenderings(bed.store);
    bed.store.read(() => {
      const state = new DraftState(bed.store.workspace("w"), renderings);
      expect(pointerTarget(state, "home").hidden).toEqual(["de"]);
      expect(state.hidden).toEqual(["home"]);
      const problems = entryDetails(state, "home")?.problems ?? [];
      expect(problems.map(({ level, at }) => level + at.path)).toEqual(["warning/title/de"]);
    });
  });

  it("G4: the merge driver merges by locale", () => {
    const text = (draft?: Entry["draft"]) =>
      `${JSON.stringify(entry("e", {}, draft), undefined, 2)}\n`;
    const merged = (base?: Entry["draft"], ours?: Entry["draft"], theirs?: Entry["draft"]) => {
      const sides = { base: text(base), ours: text(ours), theirs: text(theirs) };
      const result = mergeTexts(sides, 7);
      return result?.conflicts.length === 0 ? JSON.parse(result.text).draft : result?.conflicts;
    };
    expect(merged({ de: true }, { de: true, fr: true }, {})).toEqual({ fr: true });
    expect(merged(undefined, { de: true }, { fr: true })).toEqual({ de: true, fr: true });
    expect(merged({ de: true }, { de: true }, undefined)).toBeUndefined();
    expect(merged(false, undefined, { de: true })).toEqual({ de: true });
    expect(merged(undefined, true, { de: true })).toEqual(["/draft"]);
  });
});

describe("A7: in a workspace folder", () => {
  const FOLDER = {
    "workspace.json": { id: "w", name: "W" },
    "models/page.json": model("page", { ...TITLE, required: true }),
    "projects.json": inEach("home"),
    "entries/home.json": entry("home", { title: { en: "Home" } }, { en: false, de: true }),
  };

  it("G1, G2: it survives a store and an export, its locales in order", () => {
    const bed = new CliBed();
    workspaceFolder(FOLDER, bed.path("in"));
    bed.ok("import", "in");
    bed.ok("export", "out");
    const text = readFileSync(bed.path("out/entries/home.json"), "utf8");
    expect(text).toContain('"draft": {\n    "de": true,\n    "en": false\n  }');
  });

  it("it is a fault of the folder unless each locale is true or false", () => {
    const bed = new CliBed();
    for (const [draft, message] of [
      [{ de: "yes" }, '"de" of "draft" must be true or false'],
      [["de"], '"draft" must be true or false or an object'],
    ] as const) {
      const home = { ...FOLDER["entries/home.json"], draft };
      workspaceFolder({ ...FOLDER, "entries/home.json": home }, bed.path("in"));
      expect(bed.json(1, "check", "in").error.problems).toMatchObject([{ message }]);
    }
  });

  it("diff says that it comes and goes in one project; relax keeps what only a draft breaks", () => {
    const bed = new CliBed();
    workspaceFolder(FOLDER, bed.path("in"));
    bed.ok("publish", "in", "--out", "api");
    const published = { ...FOLDER["entries/home.json"], draft: {} };
    workspaceFolder({ ...FOLDER, "entries/home.json": published }, bed.path("in"));
    const { documents } = bed.json(0, "diff", "api", "in");
    const address = { kind: "content", projectId: "de", experienceId: "home" };
    expect(documents[0]).toMatchObject({ change: "added", address });
    const broken = { ...FOLDER["entries/home.json"], data: { title: { en: "Home", de: 7 } } };
    workspaceFolder({ ...FOLDER, "entries/home.json": broken }, bed.path("in"));
    expect(bed.json(0, "migrate", "in", "relax").relaxed).toEqual([]);
  });
});
