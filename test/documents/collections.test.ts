import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { titleId } from "../../src/documents/to-id.ts";
import { folderDraft, readRecords } from "../../src/folder/folder-draft.ts";
import { RecordRules } from "../../src/records/record-rules.ts";
import { shapeFaults } from "../../src/records/record-shapes.ts";
import { type JsonObject, ownMember } from "../../src/workspace/json.ts";
import { languageOf } from "../../src/workspace/language.ts";
import { problemMessage } from "../../src/workspace/problem-messages.ts";
import {
  type AnyCollection,
  byParts,
  type Entry,
  type Experience,
  isByValue,
  type Project,
  type Step,
} from "../../src/workspace/records.ts";
import { documentTexts, draftOf, withoutPatterns } from "../support/documents/rendered.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, source } from "../support/test-bed.ts";
import { COLLECTIONS, drawnEdits, edited, FIRST, pickBy } from "../support/workspaces/edits.ts";

const rendered = (parts: Parts, showsHidden: boolean, at = 0) =>
  new Rendering(draftOf(parts), { view: { at, showsHidden } });

/** The project with what its collections add, made in the plainest way; the entries in order of ids. */
function byHand(site: Parts, project: Project, showsHidden: boolean, at: number): Project {
  const { collections = [], ...written } = project;
  const [steps, experiences] = [[...written.steps], [...written.experiences]];
  const isHidden = ({ draft, publishAt, unpublishAt }: Entry) =>
    draft === true ||
    (typeof draft === "object" && draft[project.locale ?? ""] === true) ||
    Date.parse(publishAt ?? "") > at ||
    Date.parse(unpublishAt ?? "") <= at;
  const isFree = (one: Experience, step?: Step) =>
    experiences.every((x) => x.id.toLowerCase() !== one.id.toLowerCase() && x.key !== one.key) &&
    steps.every(({ id, key }) => id !== step?.id && key !== step?.key);
  const isValid = (id: string, key: string) =>
    /^[\w-]([\w.-]{0,126}[\w-])?$/.test(id) && /^[a-z][\w-]{0,127}$/i.test(key);
  const entries = [...(site.entries ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  const found = collections.flatMap((one, index) => {
    if (isByValue(one)) return [];
    const model = site.models?.find(({ key }) => key === one.model);
    return {
      one,
      index,
      model,
      rows: [] as { entry: Entry; step: Step; experience: Experience }[],
    };
  });
  const storedOf = (entry: Entry, key: string) => {
    const field = site.models
      ?.find(({ id }) => id === entry.modelId)
      ?.fields.find((f) => f.key === key);
    const stored = ownMember(entry.data, key);
    // A7a.
    const drafts = typeof entry.draft === "object" ? entry.draft : {};
    const own = languageOf(project);
    const locales = drafts[own[0] ?? ""] ? own : own.filter((locale) => !drafts[locale]);
    const inLocale = locales.map((locale) => Object(stored)?.[locale]).find((one) => one != null);
    return field && { field, value: field.localized ? inLocale : stored };
  };
  const textOf = (entry: Entry, key: string) => {
    const { field, value: stored } = storedOf(entry, key) ?? {};
    const value = field?.type === "reference" ? Object(stored).contentEntryId : stored;
    return typeof value === "string" && value.trim() !== "" ? value : "";
  };
  const titleOf = (entry: Entry) => {
    const { fields = [] } = site.models?.find(({ id }) => id === entry.modelId) ?? {};
    const texts = fields.filter((field) => field.type === "text" && !field.repeatable);
    const titled = texts.filter(({ key }) => key === "title");
    const titles = (titled.length > 0 ? titled : texts).map(({ key }) => textOf(entry, key));
    return titles.find((text) => text !== "") ?? entry.id;
  };
  for (const hidden of showsHidden ? [false, true] : [false]) {
    for (const { one, model, rows } of found) {
      for (const entry of entries) {
        if (entry.modelId !== model?.id || isHidden(entry) !== hidden) continue;
        const wanted = Object.entries(one.where ?? {});
        if (wanted.some(([key, value]) => textOf(entry, key) !== value)) continue;
        let lacks = false;
        const filled = (pattern: string) =>
          pattern.replaceAll(/\{(.*?)\}/g, (_, name) => {
            const value = name === "id" ? entry.id : textOf(entry, name);
            lacks ||= value === "";
            return value;
          });
        const id = filled(one.id);
        const key = filled(one.key ?? one.id);
        const name = one.name ? filled(one.name) : titleOf(entry);
        const step: Step = {
          ...{ id: filled(one.stepId ?? one.id), key: filled(one.stepKey ?? one.key ?? one.id) },
          ...{ name, layoutName: one.layoutName, layoutContentId: entry.id },
        };
        const around = one.steps ?? ["{step}"];
        const stepIds = around.map((each) => (each === "{step}" ? step.id : each));
        const experience = { id, key, name, stepIds };
        if (lacks || !isValid(id, key) || !isValid(step.id, step.key)) continue;
        if (!isFree(experience, step)) continue;
        rows.push({ entry, step, experience });
        steps.push(step);
        experiences.push(experience);
      }
    }
  }
  const sortedBy = <R extends { readonly entry: Entry }>(rows: readonly R[], sort: string) => {
    const [, down, key = ""] = /^(-?)(.*)$/.exec(sort) ?? [];
    return [...rows].sort((a, b) => {
      const [x, y] = [textOf(a.entry, key), textOf(b.entry, key)];
      if (x === y) return a.entry.id < b.entry.id ? -1 : 1;
      return x === "" || y === "" ? (x === "" ? 1 : -1) : x < y === (down === "") ? -1 : 1;
    });
  };
  const added = found.map(({ one, index, rows }) => {
    rows.sort((a, b) => (a.entry.id < b.entry.id ? -1 : 1));
    const { list } = one;
    const pages: Experience[] = [];
    const sorted = sortedBy(rows, String(list?.sort ?? ""));
    for (let at = 0; list !== undefined && at < rows.length; at += list.size) {
      const text = (pattern: string) => pattern.replaceAll("{page}", `${at / list.size + 1}`);
      const stepIds = sorted.slice(at, at + list.size).map(({ step }) => step.id);
      const page = {
        id: text(list.id),
        key: text(list.key ?? list.id),
        name: text(list.name ?? list.id),
        stepIds,
      };
      if (!isFree(page)) continue;
      pages.push(page);
      experiences.push(page);
    }
    return { index, experiences: [...rows.map((row) => row.experience), ...pages] };
  });
  for (const [index, one] of collections.entries()) {
    if (!isByValue(one)) continue;
    const [model, key] = byParts(one.by);
    const rows = found
      .filter((other) => other.model?.key === model)
      .flatMap((other) => other.rows)
      .filter(({ entry }, at, all) => all.findIndex((other) => other.entry === entry) === at);
    const named = new Map<string, { id: string; name: string }>();
    for (const { entry } of rows) {
      const { field, value } = storedOf(entry, key) ?? {};
      for (const stored of field?.repeatable && Array.isArray(value) ? value : [value]) {
        const pointed = Object(stored).contentEntryId;
        const target = entries.find(({ id }) => field?.type === "reference" && id === pointed);
        const isShown = target !== undefined && (showsHidden || !isHidden(target));
        if (isShown) named.set(target.id, { id: target.id, name: titleOf(target) });
        if (field?.type !== "text" || typeof stored !== "string" || stored.trim() === "") continue;
        named.set(stored, { id: titleId(stored, ""), name: stored });
      }
    }
    const pages: Experience[] = [];
    for (const value of [...named.keys()].sort()) {
      const { id, name } = named.get(value) as { id: string; name: string };
      const own = rows.filter(({ entry }) => {
        const stored = [storedOf(entry, key)?.value].flat();
        return stored.some((each) => each === value || Object(each).contentEntryId === value);
      });
      const sorted = sortedBy(own, String(one.sort ?? ""));
      for (let at = 0; at < sorted.length; at += one.size) {
        const text = (pattern: string, as: string) =>
          pattern.replaceAll("{page}", `${at / one.size + 1}`).replaceAll("{value}", as);
        const stepIds = sorted.slice(at, at + one.size).map(({ step }) => step.id);
        const page = {
          ...{ id: text(one.id, id), key: text(one.key ?? one.id, id) },
          ...{ name: text(one.name ?? "{value}", name), stepIds },
        };
        if (!isValid(page.id, page.key) || !isFree(page)) break;
        pages.push(page);
        experiences.push(page);
      }
    }
    added.push({ index, experiences: pages });
  }
  added.sort((a, b) => a.index - b.index);
  return {
    ...written,
    steps: [...written.steps, ...found.flatMap(({ rows }) => rows.map(({ step }) => step))],
    experiences: [...written.experiences, ...added.flatMap((one) => one.experiences)],
  };
}

describe("Q10: a project with collections", () => {
  it("Q10: is published and previewed byte for byte as the same written by hand", () => {
    const steps = fc.array(drawnEdits, { minLength: 1, maxLength: 12, size: "max" });
    const collections = fc.subarray([...COLLECTIONS], { minLength: 1 });
    const run = (drawn: Parameters<typeof edited>[1][], own: AnyCollection[], hidden: boolean) => {
      const world = drawn.reduce((now, one) => edited(now, one, pickBy(one.choices)), FIRST);
      const { w, at } = world;
      const projects = w.projects.map((one) => ({ ...one, collections: own }));
      const written = projects.map((one) => byHand(w, one, hidden, at));
      fc.pre(written.some(({ steps }, at) => steps.length > (projects[at]?.steps.length ?? 0)));
      const texts = (all: readonly Project[]) => {
        const rendering = rendered({ ...w, projects: all }, hidden, at);
        return [...documentTexts(rendering, hidden ? "preview" : "published")].map(withoutPatterns);
      };
      expect(texts(projects)).toEqual(texts(written));
    };
    fc.assert(fc.property(steps, collections, fc.boolean(), run), { numRuns: randomRuns(200) });
  });
});

const MODEL = {
  id: "m-article",
  key: "article",
  name: "Article",
  fields: [
    { key: "title", type: "text", title: true },
    { key: "slug", type: "text" },
    { key: "tags", type: "text", repeatable: true },
    { key: "rank", type: "number" },
  ],
};
const OTHER = { ...MODEL, id: "m-note", key: "note" };
const article = (id: string, data: Entry["data"], more: Partial<Entry> = {}): Entry => ({
  ...{ id, modelId: "m-article", data },
  ...more,
});

function site(collections: readonly unknown[], entries: readonly Entry[] = []): Parts {
  const project: Project = {
    ...{ id: "site", name: "Site" },
    steps: [{ id: "header", key: "header", name: "Header", layoutName: "header" }],
    experiences: [{ id: "Home", key: "home", name: "Home", stepIds: ["header"] }],
    collections: collections as readonly AnyCollection[],
  };
  return { models: [MODEL, OTHER], projects: [project], entries };
}

const BY_SLUG = { model: "article", id: "{slug}", layoutName: "article" };

/** As `svc check` reports them. */
function problemsOf(parts: Parts): string[] {
  const problems = checkDraft(rendered(parts, false));
  return problems.map((one) => {
    const { level, code, at } = one;
    return `${level} ${code} ${at.kind} ${at.id}#${at.path}: ${problemMessage(one)}`;
  });
}

const listed = (parts: Parts, showsHidden = false) =>
  rendered(parts, showsHidden).projects[0]?.experiences.map(({ id }) => id);

it("Q10a, S12: without `steps` there are no experiences, but steps that pages show", () => {
  const alone = { ...BY_SLUG, steps: [], list: { id: "all-{page}", size: 1 } };
  const byTag = { by: "article.tags", id: "tag-{value}-{page}", size: 2 };
  const parts = site([alone, byTag], [article("a", { slug: "one", tags: ["x"] })]);
  expect(problemsOf(parts)).toEqual([]);
  const { steps = [], experiences = [] } = rendered(parts, false).projects[0] ?? {};
  expect(steps.map(({ id }) => id)).toEqual(["header", "one"]);
  expect(experiences.map(({ id, stepIds }) => [id, ...stepIds])).toEqual([
    ["Home", "header"],
    ["all-1", "one"],
    ["tag-x-1", "one"],
  ]);
  const texts = [...documentTexts(rendered(parts, false), "published").values()].join("");
  const found = [...texts.matchAll(/"x-svc-patterns": (\[[^\]]*\])/g)];
  expect(found.map(([, text = ""]) => JSON.parse(text))).toEqual([
    [
      { id: "all-{page}", key: "all-{page}" },
      { id: "tag-*-{page}", key: "tag-*-{page}" },
    ],
    [{ key: "*", contentModelKey: "article" }],
  ]);
});

it("Q10a: what has no experience takes no id of one", () => {
  const alone = { ...BY_SLUG, steps: [], list: { id: "all-{page}", size: 1 } };
  expect(problemsOf(site([alone], [article("a", { slug: "Home" })]))).toEqual([]);
  expect(problemsOf(site([BY_SLUG], [article("a", { slug: "Home" })]))).toHaveLength(1);
});

describe("Q12: a collection that cannot be used", () => {
  const INVALID: Readonly<Record<string, readonly [place: string, message: string, object]>> = {
    "a model by its id": [
      "/collections/0/model",
      'there is no model "m-article" (did you mean "article"?)',
      { model: "m-article" },
    ],
    "a model that is misspelt": [
      "/collections/0/model",
      'there is no model "artcle" (did you mean "article"?)',
      { model: "artcle" },
    ],
    "a field that is misspelt": [
      "/collections/0/id",
      'no field of a single text or reference, which a pattern can take, has the key "slgu" (did you mean "slug"?)',
      { id: "a-{slgu}" },
    ],
    "a field whose values are no text": [
      "/collections/0/key",
      'no field of a single text or reference, which a pattern can take, has the key "rank"',
      { key: "a-{rank}" },
    ],
    "a repeatable field": [
      "/collections/0/name",
      'no field of a single text or reference, which a pattern can take, has the key "tags"',
      { name: "{tags}" },
    ],
    "a name that objects have": [
      "/collections/0/stepId",
      'no field of a single text or reference, which a pattern can take, has the key "__proto__"',
      { stepId: "{__proto__}" },
    ],
    "a brace": [
      "/collections/0/stepKey",
      '"a-{slug" has a brace that is no place, as {slug} is',
      { stepKey: "a-{slug" },
    ],
    "too many places": [
      "/collections/0/name",
      `"${"{id}".repeat(11)}" has more than 10 places`,
      { name: "{id}".repeat(11) },
    ],
    "pages of one id": [
      "/collections/0/list/id",
      '"articles" lacks {page}, so all pages would have one id',
      { list: { id: "articles", size: 2 } },
    ],
    "a field in the id of a page": [
      "/collections/0/list/key",
      'the patterns of pages take {page} alone, and no "slug"',
      { list: { id: "articles-{page}", key: "{slug}", size: 2 } },
    ],
    "steps without that of the entry": [
      "/collections/0/steps",
      '"{step}" is missing in the steps of the collection, so they do not show the entry',
      { steps: ["header"] },
    ],
  };

  it.each(Object.entries(INVALID))("Q12: %s", (_what, [path, message, own]) => {
    const parts = site([{ ...BY_SLUG, ...own }], [article("a", { slug: "one" })]);
    expect(problemsOf(parts)).toEqual([
      `error collection-invalid project site#${path}: ${message}`,
    ]);
    expect(listed(parts)).toEqual(["Home"]);
  });

  it("Q12: a step that the project does not have is left out", () => {
    const parts = site(
      [{ ...BY_SLUG, steps: ["haeder", "{step}"] }],
      [article("a", { slug: "b" })],
    );
    expect(problemsOf(parts)).toEqual([
      'error collection-invalid project site#/collections/0/steps/0: the project has no step "haeder" (did you mean "header"?)',
    ]);
    expect(rendered(parts, false).projects[0]?.experiences[1]?.stepIds).toEqual(["b"]);
  });
});

describe("Q11: patterns", () => {
  const ofFirst = (parts: Parts) => {
    const [project] = rendered(parts, false).projects as [Project];
    const { id, key, name } = project.experiences[1] as Experience;
    return [id, key, name, project.steps[1]?.id, project.steps[1]?.key];
  };
  const one = [article("a.1", { slug: "one", title: "One" })];

  it("Q11: the key and the step's id are as the id, the step's key as the key, the name is the title", () => {
    expect(ofFirst(site([{ ...BY_SLUG, id: "x-{slug}" }], one))).toEqual([
      "x-one",
      "x-one",
      "One",
      "x-one",
      "x-one",
    ]);
    expect(ofFirst(site([{ ...BY_SLUG, id: "{id}", key: "k-{slug}" }], one))).toEqual([
      "a.1",
      "k-one",
      "One",
      "a.1",
      "k-one",
    ]);
    const own = { id: "{id}", key: "k", name: "{id}, {title}", stepId: "s-{id}", stepKey: "t" };
    expect(ofFirst(site([{ ...BY_SLUG, ...own }], one))).toEqual([
      "a.1",
      "k",
      "a.1, One",
      "s-a.1",
      "t",
    ]);
  });

  it("Q11: an entry without a title is called by its id", () => {
    const [, , name] = ofFirst(site([BY_SLUG], [article("a.1", { slug: "one" })]));
    expect(name).toBe("a.1");
  });

  const faultsOf = (own: object, count = 1) =>
    [shapeFaults, (_: string, record: JsonObject) => new RecordRules().faults("projects", record)]
      .flatMap((faults) => {
        const collections = Array.from({ length: count }, () => ({ ...BY_SLUG, ...own }));
        const record = { id: "p", name: "P", steps: [], experiences: [], collections };
        return faults("projects", record as unknown as JsonObject);
      })
      .map(({ path, message }) => `${path.join("/")}: ${message}`);

  it("Q11a: too long patterns, too many steps and collections, and conditions of queries are faults", () => {
    expect(faultsOf({ id: "{id}".repeat(51) })).toEqual([
      'collections/0/id: "id" has more than 200 characters',
    ]);
    expect(faultsOf({ steps: Array.from({ length: 101 }, () => "{step}") })).toEqual([
      'collections/0/steps: "steps" has more than 100 items',
    ]);
    expect(faultsOf({}, 101)).toEqual(['collections: "collections" has more than 100 items']);
    expect(faultsOf({ where: { next: "$self" } })).toEqual([
      'collections/0/where/next: "$self" has a meaning in queries only',
    ]);
    expect(faultsOf({ where: { next: { same: "next" } } })).toEqual([
      expect.stringContaining('collections/0/where/next/same: unknown member "same"'),
    ]);
    expect(faultsOf({ where: { next: { after: "soon" } } })).toEqual([
      expect.stringContaining('collections/0/where: the condition of "next" compares with "soon"'),
    ]);
    expect(faultsOf({ where: { next: null, size: { before: 5 } } } as never)).toEqual([
      expect.stringContaining('collections/0/where/next: "next" of "where" must be a text or'),
      'collections/0/where/size/before: "before" of "size" must be a text',
    ]);
    expect(faultsOf({ where: { next: { after: "$now" } }, steps: ["{step}"] })).toEqual([]);
  });
});

it("Q15, Q16: pages have the entries in the order of the sort, and come after the entries by id", () => {
  const list = { id: "all-{page}", key: "p-{page}", name: "Page {page}", size: 2, sort: "-rank" };
  const ranks = { c: 1, a: 2, b: 3 };
  const entries = Object.entries(ranks).map(([id, rank]) => article(id, { slug: `s-${id}`, rank }));
  const notes = {
    model: "note",
    id: "{id}",
    layoutName: "note",
    list: { id: "n-{page}", size: 1 },
  };
  const parts = site([notes, { ...BY_SLUG, list }], entries);
  const [project] = rendered(parts, false).projects as [Project];
  expect(listed(parts)).toEqual(["Home", "s-a", "s-b", "s-c", "all-1", "all-2"]);
  expect(project.steps.map(({ id }) => id)).toEqual(["header", "s-a", "s-b", "s-c"]);
  const pages = project.experiences.slice(4).map(({ key, name, stepIds }) => [key, name, stepIds]);
  expect(pages).toEqual([
    ["p-1", "Page 1", ["s-b", "s-a"]],
    ["p-2", "Page 2", ["s-c"]],
  ]);
});

describe("Q17: a collection by value", () => {
  const EN = [{ key: "title", type: "text", title: true, localized: true }];
  const PERSON = { ...{ id: "m-person", key: "person", name: "Person" }, fields: EN };
  const to = (contentEntryId: string) => ({ contentEntryId });
  const person = (id: string, title: Entry["data"], more: Partial<Entry> = {}): Entry => ({
    ...article(id, { title }, more),
    modelId: "m-person",
  });
  const by = (field: string, own: object = {}) => ({
    ...{ by: `article.${field}`, id: `${field}-{value}-{page}`, size: 2, sort: "-rank" },
    ...own,
  });
  function world(collections: readonly object[], entries: readonly Entry[]): Parts {
    const { models = [], projects = [] } = site([{ ...BY_SLUG, id: "a-{id}" }, ...collections]);
    const more = [
      { key: "by", type: "reference" },
      { key: "on", type: "date" },
    ];
    const withMore = models.map((one) => ({ ...one, fields: [...one.fields, ...more] }));
    const [english] = projects as [Project];
    const german = { ...english, id: "de", locale: "de" };
    const two = [{ ...english, locale: "en" }, german];
    return { models: [...withMore, PERSON], projects: two, entries };
  }
  const pages = (parts: Parts, showsHidden = false, at = 0) =>
    rendered(parts, showsHidden)
      .projects[at]?.experiences.slice(1)
      .filter(({ id }) => !id.startsWith("a-"))
      .map(({ id, name, stepIds }) => `${id} ${name}: ${stepIds.join(" ")}`);

  it("Q17: the pages of each value have the steps of the entries that have it, in the order of the sort", () => {
    const entries = [
      article("1", { slug: "one", rank: 1, tags: ["Winter camping", "c++"] }),
      article("2", { slug: "two", rank: 2, tags: ["Winter camping", "", " "] }),
      article("3", { slug: "three", rank: 3, tags: ["node.js", "Winter camping"] }),
      article("4", { slug: "four", rank: 4, tags: ["Winter camping"] }, { draft: true }),
      article("5", { rank: 5, tags: 7 }),
    ];
    const where = { slug: "two" };
    const parts = world(
      [by("tags"), by("slug", { where, except: ["9"], name: "{page}" })],
      entries,
    );
    expect(pages(parts)).toEqual([
      "tags-winter-camping-1 Winter camping: a-3 a-2",
      "tags-winter-camping-2 Winter camping: a-1",
      "tags-c-1 c++: a-1",
      "tags-node-js-1 node.js: a-3",
      "slug-two-1 1: a-2",
    ]);
  });

  it("Q18: of references there are those of entries that are published, with their titles as names", () => {
    const entries = [
      ...["ada", "bo", "none"].map((id, at) => article(`${at}`, { by: to(id) })),
      person("ada", { en: `Ada${" ".repeat(1000)}`, de: "Die\nAda" }),
      person("bo", { en: "Bo" }, { draft: true }),
    ];
    const parts = world([by("by")], entries);
    expect(pages(parts)).toEqual(["by-ada-1 Die Ada: a-0"]);
    expect(pages(parts, false, 1)).toEqual(["by-ada-1 Ada: a-0"]);
    expect(pages(parts, true)).toEqual(["by-ada-1 Die Ada: a-0", "by-bo-1 bo: a-1"]);
  });

  it("Q19: a value without an id, or with that of another, is an error at the first entry that has it", () => {
    const entries = [
      article("2", { tags: ["C#", "c++"] }),
      article("1", { tags: ["c++"] }),
      article("3", { tags: ["x".repeat(128)] }),
      article("4", { tags: ["9"] }),
      article("5", { tags: ["!?"] }),
    ];
    const own = { id: "{value}-{page}" };
    const parts = world([by("tags", own)], entries);
    const left = (id: string, why: string) =>
      `error collected-left-out entry ${id}#/tags: a collection of the project "site" leaves it out: ${why}`;
    const found = problemsOf({ ...parts, projects: parts.projects?.slice(0, 1) ?? [] });
    expect(found).toEqual([
      left("1", 'the value "c++" has the same id as "C#"; store one of them instead of both'),
      expect.stringMatching(/ entry 3#\/tags: .* "x+-1" cannot be the experience id/),
      expect.stringMatching(/ entry 4#\/tags: .* "9-1" cannot be the experience key/),
      left("5", 'no id can be made of the value "!?"'),
    ]);
    expect(pages(parts)).toEqual(["c-1 C#: a-2"]);
  });

  it.each<[string, object, string, string]>([
    [
      "a model",
      { by: "artcle.tags" },
      "by",
      'there is no model "artcle" (did you mean "article"?)',
    ],
    [
      "a model that no collection has",
      { by: "note.tags" },
      "by",
      'no collection of the project gives steps to the entries of the model "note"',
    ],
    [
      "a field",
      { by: "article.tgas" },
      "by",
      'no field of texts or references, by whose values a collection can be, has the key "tgas" (did you mean "tags"?)',
    ],
    [
      "a field of numbers",
      { by: "article.rank" },
      "by",
      'no field of texts or references, by whose values a collection can be, has the key "rank"',
    ],
    [
      "an id for all values",
      { id: "tag-{page}" },
      "id",
      '"tag-{page}" lacks {value}, so the pages of all values would have one id',
    ],
    [
      "an id for all pages",
      { id: "tag-{value}" },
      "id",
      '"tag-{value}" lacks {page}, so all pages would have one id',
    ],
    [
      "a field in a pattern",
      { name: "{slug}" },
      "name",
      'the patterns of pages of a value take {value} and {page}, and no "slug"',
    ],
  ])("Q12: %s", (_what, own, path, message) => {
    const parts = site([BY_SLUG, by("tags", own)], [article("a", { slug: "one", tags: ["b"] })]);
    expect(problemsOf(parts)).toEqual([
      `error collection-invalid project site#/collections/1/${path}: ${message}`,
    ]);
    expect(listed(parts)).toEqual(["Home", "one"]);
  });

  it("Q17: it has no members of collections of a model, which have none of its own", () => {
    const faults = (own: object) =>
      shapeFaults("projects", {
        ...{ id: "p", name: "P", steps: [], experiences: [] },
        collections: [own as JsonObject],
      }).map(({ path, message }) => `${path.join("/")}: ${message}`);
    expect(faults({ by: "a.b", id: "x", size: 1, sort: "-a", except: [] })).toEqual([]);
    expect(faults({ by: "a.b", id: "x", layoutName: "y" })).toEqual([
      'collections/0: the member "size" is missing',
      'collections/0/layoutName: "layoutName" does not go with the other members',
    ]);
    expect(faults({ model: "a", id: "x", layoutName: "y", size: 1 })).toEqual([
      'collections/0/size: "size" does not go with the other members',
    ]);
    expect(faults({ modle: "a", id: "x", layoutName: "y" })).toEqual([
      'collections/0/modle: unknown member "modle"; did you mean "model"?',
    ]);
  });

  it("Q14: a page that is too large is reported at the collection", () => {
    const text = "x".repeat(100_000);
    const entries = ["1", "2"].map((id) => article(id, { title: text, slug: "s" }));
    const own = { ...BY_SLUG, id: "a-{id}", name: "{id}" };
    const large = checkDraft(rendered(site([own, by("slug")], entries), false));
    expect(large.map(({ code, at }) => `${code} ${at.id}#${at.path}`)).toEqual([
      "document-heavy site#/collections/1",
    ]);
  });
});

it("Q26: the entries of except have neither step nor experience, and what is no entry is a warning", () => {
  const entries = ["a", "b", "c"].map((id) => article(id, { slug: `s-${id}` }));
  const own = { ...BY_SLUG, except: ["b", "d"], list: { id: "all-{page}", size: 9 } };
  const again = { ...BY_SLUG, id: "again-{id}", except: ["a", "c"] };
  const parts = site([own, again], entries);
  expect(listed(parts)).toEqual(["Home", "s-a", "s-c", "all-1", "again-b"]);
  expect(rendered(parts, false).projects[0]?.experiences[3]?.stepIds).toEqual(["s-a", "s-c"]);
  expect(problemsOf(parts)).toEqual([
    'warning reference-deleted project site#/collections/0/except/1: there is no entry "d" (did you mean "a"?)',
  ]);
});

describe("Q13: an entry that is left out", () => {
  const left = (id: string, why: string, level = "error") =>
    `${level} collected-left-out entry ${id}#/slug: a collection of the project "site" leaves it out: ${why}`;

  it("Q13: without a value, with one that is no id or key, or with one that is taken", () => {
    const slugs = { a: "one", b: "ONE", c: " ", d: "ä", e: "9", f: "home", g: "header", h: "two" };
    const entries = Object.entries(slugs).map(([id, slug]) => article(id, { slug }));
    const parts = site([BY_SLUG], [...entries, article("i", {}), article("j", { slug: "one" })]);
    expect(problemsOf(parts)).toEqual([
      left("b", 'the experience id "ONE" is that of the entry "a"'),
      left("c", 'the field "slug" has no value'),
      left(
        "d",
        "\"ä\" cannot be the experience id; an id is 1 to 128 letters, digits, '_', '-' or '.', with no '.' at either end",
      ),
      left(
        "e",
        "\"9\" cannot be the experience key; a key starts with a letter and has up to 128 letters, digits, '_' or '-'",
      ),
      left("f", 'the experience id "home" is in the project already: "Home"'),
      left("g", 'the step id "header" is in the project already: "header"'),
      left("i", 'the field "slug" has no value'),
      left("j", 'the experience id "one" is that of the entry "a"'),
    ]);
    expect(listed(parts)).toEqual(["Home", "one", "two"]);
  });

  it("Q13: by an earlier collection; a page of a list is after all entries", () => {
    const byId = { model: "article", id: "page-{id}", layoutName: "article" };
    const list = { id: "page-{page}", key: "home", size: 1 };
    const entries = [article("1", { slug: "page-2" }), article("2", { slug: "x" })];
    const parts = site(
      [
        { ...BY_SLUG, list },
        { ...byId, stepId: "s-{slug}" },
      ],
      entries,
    );
    expect(problemsOf(parts)).toEqual([
      'error collected-left-out entry 2#: a collection of the project "site" leaves it out: the experience id "page-2" is that of the entry "1"',
      'error collected-left-out project site#/collections/0/list: a collection of the project "site" leaves it out: the experience id "page-1" is that of the entry "1"',
    ]);
    expect(listed(parts)).toEqual(["Home", "page-2", "x", "page-1"]);
  });

  it("Q13a: one that is hidden takes nothing from one that is not, and gets a warning", () => {
    const entries = [
      article("a", { slug: "one" }, { draft: true }),
      article("b", { slug: "one" }),
      article("c", { slug: "two" }, { draft: true }),
    ];
    const parts = site([{ ...BY_SLUG, list: { id: "list-{page}", size: 5 } }], entries);
    expect(problemsOf(parts)).toEqual([
      left("a", 'the experience id "one" is that of the entry "b"', "warning"),
    ]);
    expect(listed(parts)).toEqual(["Home", "one", "list-1"]);
    expect(listed(parts, true)).toEqual(["Home", "one", "two", "list-1"]);
  });

  it("Q13: 5,000 entries with one id are as many problems, in a time that grows with them", () => {
    const count = 5_000;
    const entries = Array.from({ length: count }, (_, at) => article(`e${at}`, { slug: "one" }));
    const rendering = rendered(site([BY_SLUG], entries), false);
    const [project] = rendering.projects as [Project];
    expect(rendering.collections.of(project)?.problems).toHaveLength(count - 1);
    expect(project.experiences).toHaveLength(2);
  });
});

it("Q14: a document of a collection that is too large, or leaves out too much, is reported at its entry or list", () => {
  const text = "x".repeat(100_000);
  const entries = ["a", "b"].map((id) => article(id, { slug: id, title: text + id }));
  const list = { id: "all-{page}", size: 2 };
  const parts = site([{ ...BY_SLUG, name: "{id}", list }], entries);
  const large = checkDraft(rendered(parts, false)).map(
    ({ code, at }) => `${code} ${at.kind} ${at.id}#${at.path}`,
  );
  expect(large).toEqual(["document-heavy project site#/collections/0/list"]);
  const one = [article("a", { slug: "a", title: text + text })];
  const entry = checkDraft(rendered(site([{ ...BY_SLUG, name: "{id}" }], one), false));
  expect(entry.map(({ code, at }) => `${code} ${at.kind} ${at.id}#${at.path}`)).toEqual([
    "document-heavy entry a#",
  ]);
});

it("R10: saved files change what collections add as if it were collected anew", () => {
  const list = { id: "all-{page}", size: 2, sort: "-rank" };
  const collections = [
    { ...BY_SLUG, list },
    { ...BY_SLUG, model: "note", id: "note-{id}", where: { rank: 1 } },
    { ...BY_SLUG, id: "x-{id}", name: "{title}", except: ["b", "d"] },
    { by: "article.title", id: "of-{value}-{page}", size: 1, sort: "-rank" },
  ];
  const edit = fc.record({
    id: fc.constantFrom("a", "b", "c", "d"),
    modelId: fc.constantFrom("m-article", "m-article", "m-article", "m-note", "gone"),
    title: fc.constantFrom("One", "Two", "Three"),
    slug: fc.constantFrom("a", "b", "same", "same"),
    rank: fc.constantFrom(1, 1, 2),
    draft: fc.constantFrom(false, false, true),
    isRemoved: fc.constantFrom(false, false, false, true),
    /** Only its title is another one. */
    isRenamed: fc.boolean(),
  });
  type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;
  const start = ["a", "b", "c"].map((id) => article(id, { slug: id, title: "One", rank: 1 }));
  const run = (edits: readonly Edit[], showsHidden: boolean) => {
    const view = { at: 0, showsHidden };
    let records = readRecords(source(site(collections, start)));
    let entries = new Map(start.map((one) => [one.id, one]));
    let rendering = new Rendering(folderDraft(records), { view });
    for (const { id, modelId, draft, isRemoved, isRenamed, ...data } of edits) {
      const was = entries.get(id);
      const { title } = data;
      const renamed = was && { ...was, data: { ...was.data, title } };
      const now = isRenamed && renamed ? renamed : { id, modelId, draft, data };
      const removed = isRemoved && entries.has(id) ? [id] : [];
      const put = readRecords(source(site([], removed.length > 0 ? [] : [now]))).entries;
      entries = new Map(entries).set(id, now);
      const heads = new Map([...records.entries, ...put]);
      for (const one of removed) for (const map of [entries, heads]) map.delete(one);
      records = { ...records, entries: heads };
      rendering = new Rendering(folderDraft(records), { view, earlier: rendering });
      const fresh = rendered(site(collections, [...entries.values()]), showsHidden);
      expect(rendering.projects).toEqual(fresh.projects);
      expect(checkDraft(rendering)).toEqual(checkDraft(fresh));
    }
  };
  const edits = fc.array(edit, { minLength: 1, maxLength: 8, size: "max" });
  fc.assert(fc.property(edits, fc.boolean(), run), { numRuns: randomRuns(150) });
});

it("R10: the clock, and the model, change what collections add without a saved entry", () => {
  const where = { day: { before: "$now" } };
  const parts = site([{ ...BY_SLUG, where }], [article("1", { slug: "one", day: "1970-01-02" })]);
  const day = { key: "day", type: "date" };
  const withDay = parts.models?.map((one) => ({ ...one, fields: [...one.fields, day] })) ?? [];
  const records = readRecords(source({ ...parts, models: withDay }));
  const idsOf = ({ projects: [one] }: Rendering) => one?.experiences.map(({ id }) => id);
  const at = (time: number, draft: typeof records, earlier?: Rendering) =>
    new Rendering(folderDraft(draft), { view: { at: time, showsHidden: true }, earlier });
  const before = at(0, records);
  const due = at(2 * 86_400_000, records, before);
  expect([idsOf(before), idsOf(due)]).toEqual([["Home"], ["Home", "one"]]);
  const [first, ...models] = records.models;
  const renamed = { ...first, key: "story" } as typeof first & object;
  const other = at(2 * 86_400_000, { ...records, models: [renamed, ...models] }, due);
  expect(idsOf(other)).toEqual(["Home"]);
  const fields = first?.fields.map((one) => ({ ...one, title: one.key === "slug" }));
  const retitled = [{ ...renamed, key: first?.key, fields } as typeof renamed, ...models];
  const { projects } = at(2 * 86_400_000, { ...records, models: retitled }, due);
  expect(projects[0]?.experiences[1]?.name).toBe("one");
  const entries = [article("2", { slug: "two" }, { publishAt: "1970-01-02T00:00:00Z" })];
  const draft = folderDraft(readRecords(source(site([BY_SLUG], entries))));
  const hidden = new Rendering(draft, { view: { at: 0, showsHidden: false } });
  const view = { at: 2 * 86_400_000, showsHidden: false };
  expect(idsOf(hidden)).toEqual(["Home"]);
  expect(idsOf(new Rendering(draft, { view, earlier: hidden }))).toEqual(["Home", "two"]);
});
