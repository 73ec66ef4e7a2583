import { describe, expect, it } from "vitest";
import { DraftState } from "../../src/page/draft-state.ts";
import { entryView } from "../../src/page/entry-view.ts";
import { experienceView } from "../../src/page/experience-view.ts";
import type { FieldView } from "../../src/page/field-views.ts";
import { projectView } from "../../src/page/project-view.ts";
import { projectName } from "../../src/page/spoken.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { inProblemOrder } from "../../src/workspace/problem.ts";
import { describedProblem } from "../../src/workspace/problem-messages.ts";
import type { Entry, ProjectLocales } from "../../src/workspace/records.ts";
import { rowsOf } from "../support/server/rows.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const TITLE = { key: "title", name: "Headline", type: "text", localized: true };
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    TITLE,
    { key: "note", type: "text" },
    { key: "link", type: "reference", localized: true },
    { key: "parts", type: "content-block", repeatable: true, localized: true },
  ],
};
const HERO = { id: "b", key: "hero", name: "Hero", fields: [{ ...TITLE, required: true }] };
const hero = (title: Entry["data"]) => ({ contentBlockId: "b", data: { title } });
const to = (contentEntryId: string) => ({ contentEntryId });
const project = (id: string, locales: ProjectLocales) => ({
  ...projectOf(id, "home"),
  name: id.toUpperCase(),
  ...locales,
});
const HOME: Entry["data"] = {
  title: { de: "Start", en: "Home", fr: "Accueil" },
  note: 7,
  link: { de: to("a"), en: to("b") },
  parts: { de: [hero({ de: "Eins" }), { contentBlockId: "gone", data: {} }, hero({ en: "Two" })] },
};

/** A draft with projects in `de-AT` (then `de`), `en` (twice) and `it`. */
function stateOf<T>(use: (state: DraftState) => T, changes: Parts = {}): T {
  const { store } = new TestBed({
    models: [MODEL],
    blocks: [HERO],
    projects: [
      project("a-en", { locale: "en" }),
      project("b-at", { locale: "de-AT", fallbackLocales: ["de"] }),
      project("c-us", { locale: "en" }),
      project("d-it", { locale: "it" }),
    ],
    entries: [
      { id: "home", modelId: "m", data: HOME },
      { id: "a", modelId: "m", data: { title: { de: "Ziel", en: "Target" } } },
      { id: "b", modelId: "m", data: { title: { fr: "Seulement", de: " " } } },
    ],
    ...changes,
  });
  return store.read(() => use(new DraftState(store.workspace("w"), new DraftRenderings(store))));
}

const viewIn = (projectId?: string) => (state: DraftState) =>
  entryView(state, "home", (sha256) => sha256, projectId);
const field = (fields: readonly FieldView[] | undefined, key: string) =>
  fields?.find((one) => one.key === key);
/** Of each locale its values, and in which languages it is served and missing. */
const localesOf = (one: FieldView | undefined) =>
  one?.locales?.map(({ locale, path, shownIn, missingIn, values }) => {
    const shown = values.map(({ value, target }) => target?.title ?? value);
    return [locale, path, shown, shownIn, missingIn];
  });

describe("H49: titles on the preview page", () => {
  const titled = (first: string, ...others: ProjectLocales[]) => {
    const projects = [{ locale: first }, ...others].map((one, at) => project(`p${at}`, one));
    const title = (projectId?: string) => stateOf(viewIn(projectId), { projects })?.title;
    return [title(), title("p0")];
  };

  it("H49: are in the language of most projects, also as their fallback, unless one is chosen", () => {
    expect(titled("de")).toEqual(["Start", "Start"]);
    expect(titled("de", { locale: "en" })).toEqual(["Start", "Start"]);
    expect(titled("de", { locale: "en" }, { locale: "en" })).toEqual(["Home", "Start"]);
    const fallbackLocales = ["en"];
    expect(titled("de", { locale: "en" }, { locale: "it", fallbackLocales })).toEqual([
      "Home",
      "Start",
    ]);
  });
});

describe("H20: languages on the preview page", () => {
  it("H20: an entry has its languages, in order of the projects, with these", () => {
    const projects = (...ids: readonly string[]) =>
      ids.map((id) => ({ id, name: id.toUpperCase() }));
    expect(stateOf(viewIn())).toMatchObject({
      only: null,
      title: "Home",
      languages: [
        { locale: "en", fallbackLocales: [], projects: projects("a-en", "c-us") },
        { locale: "de-AT", fallbackLocales: ["de"], projects: projects("b-at") },
        { locale: "it", fallbackLocales: [], projects: projects("d-it") },
      ],
    });
    const plain = [{ ...MODEL, fields: [{ key: "note", type: "text" }] }];
    expect(stateOf(viewIn(), { models: plain, blocks: [] })?.languages).toEqual([]);
  });

  it("H20: a localized field has each locale's value, and the languages in which it is served or missing", () => {
    const fields = stateOf(viewIn())?.fields;
    expect(localesOf(field(fields, "title"))).toEqual([
      ["en", "/title/en", ["Home"], [0], []],
      ["de-AT", "/title/de-AT", [], [], []],
      ["it", "/title/it", [], [], [2]],
      ["de", "/title/de", ["Start"], [1], []],
      ["fr", "/title/fr", ["Accueil"], [], []],
    ]);
    expect(field(fields, "note")).not.toHaveProperty("locales");
  });

  it("H20, W6a: targets have their title in the locale", () => {
    expect(localesOf(field(stateOf(viewIn())?.fields, "link"))).toEqual([
      ["en", "/link/en", ["Seulement"], [0], []],
      ["de-AT", "/link/de-AT", [], [], []],
      ["it", "/link/it", [], [], [2]],
      ["de", "/link/de", ["Ziel"], [1], []],
    ]);
  });

  it("H20: a localized field of a block has only the languages in which the block is served", () => {
    const parts = field(stateOf(viewIn())?.fields, "parts")?.locales ?? [];
    const german = parts.find(({ locale }) => locale === "de");
    expect(german?.values.map(({ path, block }) => [path, localesOf(block?.fields[0])])).toEqual([
      [
        "/parts/de/0",
        [
          ["de-AT", "/parts/de/0/data/title/de-AT", [], [], []],
          ["de", "/parts/de/0/data/title/de", ["Eins"], [1], []],
        ],
      ],
      ["/parts/de/1", undefined],
      [
        "/parts/de/2",
        [
          ["de-AT", "/parts/de/2/data/title/de-AT", [], [], [1]],
          ["en", "/parts/de/2/data/title/en", ["Two"], [], []],
        ],
      ],
    ]);
  });

  it("H20a: the problems of an entry are those of all languages, each once, as svc check has them", () => {
    const [shown, checked] = stateOf((state) => [viewIn()(state)?.problems, state.problems]);
    const own = checked.filter(({ at }) => at.kind === "entry" && at.id === "home");
    expect(shown?.map(({ dead: _, ...problem }) => problem)).toEqual(
      inProblemOrder(own).map(describedProblem),
    );
    expect(shown?.map(({ code, at }) => `${code} ${at.path}`)).toEqual([
      "value-type /note",
      "block-deleted /parts/de/1",
      "value-missing /parts/de/2/data/title/de-AT",
      "locale-unused /title/fr",
    ]);
  });

  it("H20: in a project it has the values, the title and the problems of that language", () => {
    const german = stateOf(viewIn("b-at"));
    expect(german).toMatchObject({ only: 1, title: "Start" });
    expect(localesOf(field(german?.fields, "title"))).toEqual([
      ["de", "/title/de", ["Start"], [1], []],
    ]);
    const english = stateOf(viewIn("c-us"));
    expect(english).toMatchObject({ only: 0, title: "Home" });
    expect(localesOf(field(english?.fields, "parts"))).toEqual([["en", "/parts/en", [], [], [0]]]);
    expect(english?.problems.map(({ code }) => code)).not.toContain("value-missing");
    expect(stateOf(viewIn("gone"))).toBeUndefined();
  });

  it("H20a, E1: an experience has the entries and titles of its project's language", () => {
    const titles = (projectId: string) =>
      stateOf((state) => {
        const view = experienceView(state, projectId, "home");
        return [
          view?.language?.locale,
          view?.steps[0]?.entry?.title,
          view?.nodes.map((one) => one.title),
        ];
      });
    expect(titles("b-at")).toEqual(["de-AT", "Start", ["Start", "Ziel"]]);
    expect(titles("a-en")).toEqual(["en", "Home", ["Home", "Seulement"]]);
    expect(titles("d-it")).toEqual(["it", "Home", ["Home"]]);
  });

  it("H20: a project has its language, where a field is localized", () => {
    const languageIn = (changes: Parts) =>
      stateOf((state) => projectView(state, "b-at", (sha256) => sha256)?.language, changes);
    expect(languageIn({})).toMatchObject({ locale: "de-AT", fallbackLocales: ["de"] });
    expect(languageIn({ models: [], blocks: [], entries: [] })).toBeNull();
  });

  it("H20a: what a search finds has its field and its locale", () => {
    const found = (words: string) =>
      stateOf((state) => {
        const { rows } = rowsOf(state, { q: words });
        return rows.map((entry) => ({ id: entry.id, ...entry.found?.place }));
      });
    expect(found("accueil")).toEqual([
      { id: "home", path: "/title/fr", fields: ["Headline"], locale: "fr" },
    ]);
    expect(found("two")).toEqual([
      {
        id: "home",
        path: "/parts/de/2/data/title/en",
        fields: ["parts", "Headline"],
        locale: "en",
      },
    ]);
    expect(found("7")).toEqual([{ id: "home", path: "/note", fields: ["note"] }]);
    expect(found("target")).toEqual([{ id: "a" }]);
  });
});

describe("H49a: the names of projects", () => {
  it("H49a: one that an import named by its id has the name of its language, or of the workspace", () => {
    const workspace = { id: "w", name: "A magazine" };
    const named = (id: string, name: string, locale?: string) =>
      projectName({ id, name, ...(locale !== undefined && { locale }) }, workspace);
    expect(named("w", "w")).toBe("A magazine");
    expect(named("w", "w", "en-US")).toBe("American English");
    expect(named("w-de-at", "w-de-at", "de-AT")).toBe("Austrian German");
    expect(named("w-de-at", "Austria", "de-AT")).toBe("Austria");
    expect(named("kiosk", "kiosk", "de")).toBe("kiosk");
    expect(named("w-kiosk", "w-kiosk")).toBe("w-kiosk");
  });
});
