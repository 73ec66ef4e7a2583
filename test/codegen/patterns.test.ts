import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import type { AnyCollection, Collection, Entry, Project } from "../../src/workspace/records.ts";
import { documentOn, type Parts, TestBed } from "../support/test-bed.ts";
import { compileUse } from "./type-checking.ts";

const MODELS = ["article", "news", "page"].map((key) => {
  return { id: key, key, name: key, fields: [{ key: "slug", type: "text" }] };
});
const of = (model: string, id: string, more: Partial<Collection> = {}): Collection => {
  return { model, id, layoutName: "", ...more };
};
const entry = (modelId: string, id: string): Entry => ({ id, modelId, data: { slug: `of-${id}` } });

function project(id: string, collections: readonly AnyCollection[], written: string[]): Project {
  const named = written.map((key) => ({ id: `s-${key}`, key, name: "", layoutName: "" }));
  return {
    ...{ id, name: "", collections },
    // The step `empty` has no entry.
    steps: named.map((one) => (one.key === "empty" ? one : { ...one, layoutContentId: "home" })),
    experiences: written.map((key) => ({ id: `x-${key}`, key, name: "", stepIds: [`s-${key}`] })),
  };
}

const PROJECTS = [
  project(
    "en",
    [
      of("article", "article-{slug}", { list: { id: "articles-{page}", size: 2, sort: "slug" } }),
      of("news", "article-{id}-new", { list: { id: "{page}.news", key: "news{page}", size: 9 } }),
      { by: "article.slug", id: "with-{value}-{page}", size: 1 },
    ],
    ["home", "article-written", "empty"],
  ),
  project("de", [of("article", "artikel-{slug}")], ["start", "article-deutsch-new"]),
];
const ENTRIES = [entry("article", "a1"), entry("news", "n1"), entry("page", "home")];

function types(entries: readonly Entry[], projects = PROJECTS, format = "typescript" as const) {
  const bed = new TestBed({ models: MODELS, projects, entries } as Parts);
  const read = (kind: "schema" | "project", projectId: string) =>
    documentOn(bed, "published", { kind, projectId });
  const sources = projects.map(({ id }) => {
    return { document: read("schema", id), config: read("project", id) };
  });
  return generateTypes(sources, { constants: format === "typescript", format });
}

it("T2: a new entry of a collection changes no type, nor does the first page of its list", () => {
  const more = [...ENTRIES, ...["a2", "a3", "a4"].map((id) => entry("article", id))];
  for (const format of ["typescript", "json-schema", "openapi"] as const) {
    const before = types(ENTRIES, PROJECTS, format as "typescript");
    expect(types(more, PROJECTS, format as "typescript")).toBe(before);
    expect(types([ENTRIES[2] as Entry], PROJECTS, format as "typescript")).toBe(before);
  }
});

it("T2, T11, K13: keys, ids and lists of collections are templates, and typing errors stay errors", () => {
  const use = `
import type { ExperienceId, ExperienceKey, ListName, Schema, StepKey, StepModels } from "./types.ts";
import type { Layout, ProjectConfig } from "@svc-publish/client";
type Model<K extends StepKey> = NonNullable<Layout<Schema, K>>["contentModelKey"];
const slug: string = "any";
export const keys: ExperienceKey[] = [\`article-\${slug}\`, "artikel-x", "articles-12", "news1", "home", "start", "with-winter-fun-1"];
export const ids: ExperienceId[] = ["x-home", "article-x", "articles-1", "3.news"];
export const lists: ListName[] = ["articles", "{page}.news", "with-winter-fun"];
export const article: Model<"artikel-a"> = "article";
// A key of two collections, or of one and of a written step of another model.
export const either: Model<"article-b-new">[] = ["news", "page", "article"];
export const page: Model<"home"> = "page";
export const none: Model<"empty">[] = ["article", "page", null];
export const written: StepModels["article-written"] = "page";
// @ts-expect-error
export const typo: ExperienceKey = "tpyo";
// @ts-expect-error
export const word: ExperienceKey = "articles-one";
// @ts-expect-error
export const id: ExperienceId = "home";
// @ts-expect-error
export const list: ListName = "nope";
// @ts-expect-error
export const news: Model<"artikel-a"> = "news";
// @ts-expect-error
export const other: Model<"home"> = "article";
`;
  const text = types(ENTRIES);
  expect(text).toContain("svc:project/en/schema, svc:project/de/schema.");
  expect(compileUse(text, use)).toEqual([]);
});

it("T2: of a pattern without a text of its own any key goes, and written steps keep their models", () => {
  const projects = [project("en", [of("article", "{slug}")], ["home", "empty"])];
  const use = `
import type { ExperienceKey, StepModels } from "./types.ts";
export const keys: ExperienceKey[] = ["home", "tpyo"];
export const home: StepModels["home"] = "page";
export const any: StepModels["of-a1"][] = ["article", "page"];
`;
  const text = types(ENTRIES, projects);
  expect(text).toContain("(string & Record<never, never>)");
  expect(compileUse(text, use)).toEqual([]);
  expect(types([...ENTRIES, entry("article", "a2")], projects)).toBe(text);
});
