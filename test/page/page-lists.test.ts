import { describe, expect, it } from "vitest";
import { DraftState, DraftStates } from "../../src/page/draft-state.ts";
import { entryView } from "../../src/page/entry-view.ts";
import { experienceView } from "../../src/page/experience-view.ts";
import { projectView } from "../../src/page/project-view.ts";
import { usesOf } from "../../src/page/where-used.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";

const to = (contentEntryId: string) => ({ contentEntryId });
const list = { type: "reference", repeatable: true };
const article = (id: string, publishedAt: string, more: object = {}) => ({
  id,
  modelId: "a",
  data: { title: `The ${id}`, publishedAt, section: to("city"), author: to("ada"), ...more },
});
const WORKSPACE = {
  models: [
    {
      id: "a",
      key: "article",
      name: "Article",
      fields: [
        { key: "title", type: "text", title: true },
        { key: "publishedAt", name: "Published", type: "date-time" },
        { key: "featured", type: "boolean" },
        { key: "section", type: "reference" },
        { key: "author", type: "reference" },
        { key: "body", type: "content-block" },
        {
          ...{ key: "more", name: "More", ...list, models: ["article"] },
          query: {
            where: {
              section: { same: "section" },
              publishedAt: { before: "$now" },
              featured: true,
            },
            sort: ["-publishedAt", "title"],
            limit: 3,
          },
        },
      ],
    },
    {
      id: "p",
      key: "person",
      name: "Person",
      fields: [
        { key: "articles", ...list, models: ["article"], query: { where: { author: "$self" } } },
      ],
    },
  ],
  blocks: [
    {
      ...{ id: "b", key: "b", name: "B" },
      fields: [{ key: "all", ...list, query: { where: { title: "The one" } } }],
    },
  ],
  projects: [
    {
      ...{ id: "site", name: "Site", steps: [], experiences: [] },
      collections: [
        {
          ...{ model: "article", id: "article-{id}", layoutName: "Story" },
          where: { featured: true },
          list: { id: "articles-{page}", size: 1, sort: "-publishedAt" },
        },
        { by: "article.author", id: "of-{value}-{page}", size: 9 },
      ],
    },
  ],
  entries: [
    article("one", "2026-01-01T00:00:00Z", { featured: true }),
    article("two", "2026-01-02T00:00:00Z", {
      ...{ featured: true, body: { contentBlockId: "b", data: {} } },
    }),
    article("three", "2026-01-03T00:00:00Z"),
    { id: "ada", modelId: "p", data: {} },
  ],
} as unknown as Parts;

function inState<T>(use: (state: DraftState, bed: TestBed) => T): T {
  const bed = new TestBed(WORKSPACE);
  return bed.store.read(() => use(stateOf(bed), bed));
}

function stateOf({ store }: TestBed): DraftState {
  return new DraftState(store.workspace("w"), new DraftRenderings(store));
}

describe("lists on the preview page", () => {
  it("H28: a field with a query shows what it finds, and says in words what that is", () => {
    const fields = inState((state) => entryView(state, "three", (sha256) => sha256)?.fields ?? []);
    const more = fields.find(({ key }) => key === "more");
    expect(more?.values.map(({ target }) => target?.title)).toEqual(["The two", "The one"]);
    expect(more?.query).toBe(
      "Article where Section is the same as here and Published is in the past and Featured is yes, by Published (newest first), then Title (A to Z), at most 3",
    );
    const ofPerson = inState((state) => entryView(state, "ada", (sha256) => sha256)?.fields ?? []);
    expect(ofPerson.map(({ query }) => query)).toEqual(["Article where Author is this entry"]);
  });

  it("H28: so does one of a block", () => {
    const fields = inState((state) => entryView(state, "two", (sha256) => sha256)?.fields ?? []);
    const inside = fields.find(({ key }) => key === "body")?.values[0]?.block?.fields;
    expect(
      inside?.map(({ query, values }) => [query, values.map(({ target }) => target?.id)]),
    ).toEqual([["Article or Person where Title is “The one”", ["one"]]]);
  });

  it("H29: a project shows its collections, and an experience what made it", () => {
    const [project, ofEntry, ofPage, ofValue] = inState((state) => [
      projectView(state, "site", (sha256) => sha256),
      experienceView(state, "site", "article-two"),
      experienceView(state, "site", "articles-2"),
      experienceView(state, "site", "of-ada-1"),
    ]);
    expect(project?.collections).toEqual([
      {
        ...{ modelId: "a", title: "Article where Featured is yes", pattern: "article-{id}" },
        ...{ layoutName: "Story", entries: 2, pages: 2 },
        list: { size: 1, sort: "by Published (newest first)" },
      },
      {
        ...{ modelId: "a", title: "Article", by: "Author", pattern: "of-{value}-{page}" },
        ...{ entries: 0, pages: 1, list: { size: 9, sort: "" } },
      },
    ]);
    expect(ofValue?.collection).toEqual(ofPage?.collection);
    expect(ofEntry?.collection).toMatchObject({ model: "Article", entry: { title: "The two" } });
    expect(ofPage?.collection).toEqual({ model: "Article", entry: undefined });
  });

  it("H34: what queries find is used there, also when another entry has changed that", () => {
    const bed = new TestBed(WORKSPACE);
    const states = new DraftStates(bed.store, new DraftRenderings(bed.store));
    const state = () => states.of("w") as DraftState;
    const users = () => bed.store.read(() => usesOf(state()).whereUsed("entries", "one"));
    expect(
      users()
        .entries.listed.map(({ id }) => id)
        .sort(),
    ).toEqual(["ada", "three", "two"]);
    expect(users().pages.listed.map(({ id }) => id)).toContain("article-two");
    const entries = (WORKSPACE.entries ?? []).map((entry) =>
      entry.id === "one" ? { ...entry, data: { ...entry.data, author: to("none") } } : entry,
    );
    bed.import({ ...WORKSPACE, entries });
    expect(
      users()
        .entries.listed.map(({ id }) => id)
        .sort(),
    ).toEqual(["three", "two"]);
  });
});
