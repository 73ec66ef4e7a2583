import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rendering } from "../../src/documents/rendering.ts";
import { type DraftStats, draftStats } from "../../src/stats/draft-stats.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Project, ProjectLocales } from "../../src/workspace/records.ts";
import { CliBed } from "../support/cli-bed.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  inLanguageOf,
  isDraftIn,
  localizedWorkspace,
} from "../support/workspaces/localized-workspace.ts";
import { NEIGHBOUR } from "../support/workspaces/random-workspace.ts";
import { projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** The statistics of "w", and which entry points at which. */
function statsOf({ store }: TestBed): { stats: DraftStats; links: Set<string> } {
  return store.read(() => {
    const rendering = new Rendering(store.draft(store.workspace("w")));
    const stats = draftStats(rendering);
    const links = new Set<string>();
    for (const {
      entry: { head, pointers },
    } of rendering.all()) {
      for (const { target } of pointers) {
        if (rendering.find(target) !== undefined) links.add(`${head.id} ${target}`);
      }
    }
    return { stats, links };
  });
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const inAll = (lists: readonly (readonly string[])[]) =>
  (lists[0] ?? []).filter((id) => lists.every((list) => list.includes(id)));

describe("P8, B3: statistics of languages", () => {
  it("are those of a workspace for each project, with each record once", () => {
    const [bed, alone] = [new TestBed(NEIGHBOUR), new TestBed(NEIGHBOUR)];
    const property = fc.property(localizedWorkspace, (parts) => {
      bed.import(parts);
      const { stats } = statsOf(bed);
      const each = parts.projects.map((project) => {
        alone.import(inLanguageOf(project, parts));
        return statsOf(alone);
      });
      const of = each.map((one) => one.stats);
      const draftsIn = ({ locale = "" }: Project) =>
        parts.entries.filter(({ draft }) => isDraftIn(draft, locale)).map(({ id }) => id);
      const { draft, inLocales } = stats.leftOut;
      expect(draft + inLocales).toBe(new Set(parts.projects.flatMap(draftsIn)).size);
      for (const [at, one] of of.entries()) {
        const { projects: _projects, experiences: _experiences, ...counts } = one.counts;
        expect(stats.counts).toMatchObject(counts);
        expect(stats.unused.models).toEqual(one.unused.models);
        const drafts = draftsIn(parts.projects[at] as Project).length;
        expect(one.leftOut).toEqual({ draft: drafts, publishAt: 0, unpublishAt: 0, inLocales: 0 });
        expect(one.languages).toEqual([]);
      }
      for (const kind of ["content", "config", "schema"] as const) {
        expect(stats.documents[kind]).toEqual({
          count: sum(of.map(({ documents }) => documents[kind].count)),
          bytes: sum(of.map(({ documents }) => documents[kind].bytes)),
        });
      }
      expect(stats.unused.entries).toEqual(inAll(of.map(({ unused }) => unused.entries)));
      expect(stats.unused.assets).toEqual(inAll(of.map(({ unused }) => unused.assets)));
      expect(inAll(of.map(({ unused }) => unused.blocks))).toEqual(
        expect.arrayContaining([...stats.unused.blocks]),
      );
      const links = new Set(each.flatMap((one) => [...one.links]));
      const pointers = Map.groupBy(links, (link) => link.split(" ")[1] as string);
      const hubs = Array.from(pointers, ([id, from]) => ({ id, pointers: from.length }))
        .sort((a, b) => b.pointers - a.pointers || (a.id < b.id ? -1 : 1))
        .slice(0, 10);
      expect(stats.hubs.map(({ id, pointers }) => ({ id, pointers }))).toEqual(hubs);
    });
    fc.assert(property, { numRuns: randomRuns(100) });
  });
});

const TITLE = { key: "title", type: "text", localized: true };
const HERO = { id: "b", key: "hero", name: "Hero", fields: [TITLE] };
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    TITLE,
    { ...TITLE, key: "text" },
    { key: "note", type: "text" },
    { key: "parts", type: "content-block", repeatable: true, localized: true },
    { key: "body", type: "rich-text" },
  ],
};
const hero = (title: JsonObject) => ({ contentBlockId: "b", data: { title } });
const project = (id: string, locales: ProjectLocales) => ({ ...projectOf(id, "e0"), ...locales });
const PROJECTS = [
  project("a", { locale: "de-AT", fallbackLocales: ["de"] }),
  project("b", { locale: "en" }),
  project("c", { locale: "en" }),
];
const site = (...entries: readonly JsonObject[]): Parts => ({
  models: [MODEL],
  blocks: [HERO],
  projects: PROJECTS,
  entries: entries.map((data, at) => ({ id: `e${at}`, modelId: "m", data })),
});

/** Of the language of `a`, and of that of `b` and `c`: complete, by fallback, missing. */
const countsOf = (...entries: readonly JsonObject[]) =>
  statsOf(new TestBed({ ...site(...entries), id: "w" })).stats.languages.map(
    ({ entries: { complete, fallback, missing } }) => [complete, fallback, missing],
  );

describe("P14: how far entries are translated", () => {
  it("P14: each language has its projects", () => {
    expect(statsOf(new TestBed(site())).stats.languages).toMatchObject([
      { locale: "de-AT", fallbackLocales: ["de"], projects: ["a"] },
      { locale: "en", fallbackLocales: [], projects: ["b", "c"] },
    ]);
    expect(statsOf(new TestBed(smallWorkspace())).stats.languages).toEqual([]);
  });

  it("P14: an entry is complete, served by fallback, or has missing values, the worst of its values", () => {
    expect(countsOf({ title: { "de-AT": "A", en: "A" } })).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ]);
    expect(countsOf({ title: { "de-AT": "A" }, text: { de: "B" } })).toEqual([
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(countsOf({ title: { "de-AT": "A", en: "A" }, text: { fr: "B" } })).toEqual([
      [0, 0, 1],
      [0, 0, 1],
    ]);
  });

  it("P14, V2: an entry whose localized values no locale has is not counted", () => {
    const nothing = [{}, { note: "A" }, { title: null }, { title: {} }, { title: { en: null } }];
    expect(countsOf(...nothing, { title: "A" })).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it("P14, V6: values in the blocks that a language shows count, in lists and rich text", () => {
    expect(countsOf({ parts: { de: [hero({ "de-AT": "A" })], en: [hero({ de: "B" })] } })).toEqual([
      [0, 1, 0],
      [0, 0, 1],
    ]);
    const body = { type: "doc", content: [{ type: "p", content: [hero({ "de-AT": "A" })] }] };
    expect(countsOf({ body })).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ]);
  });

  it("P14: svc stats prints them", () => {
    const {
      models = [],
      blocks = [],
      projects = [],
      entries = [],
    } = site({ title: { "de-AT": "A" } }, { title: { de: "A", en: "A" } });
    const bed = new CliBed();
    const folder = workspaceFolder({
      "models.json": models,
      "blocks.json": blocks,
      "projects.json": projects,
      "entries.json": entries,
    });
    expect(bed.ok("stats", folder).stdout).toContain(
      [
        "",
        "Languages",
        "  de-AT, else de        1 complete        1 by fallback        0 incomplete        0 untranslated",
        "  en                    1 complete        0 by fallback        1 incomplete        1 untranslated",
        "",
      ].join("\n"),
    );
    expect(bed.json(0, "stats", folder).languages[1]).toEqual({
      locale: "en",
      fallbackLocales: [],
      projects: ["b", "c"],
      entries: { complete: 1, fallback: 0, missing: 1 },
      untranslated: 1,
      older: null,
    });
  });
});
