import { describe, expect, it } from "vitest";
import type { EntryNames, OpenedForm } from "../../src/page/edited.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { editedFolder } from "../support/edited-folder.ts";
import type { Files } from "../support/workspaces/workspace-folder.ts";

const SLUG_PATTERN = "^[a-z0-9]+(?:-[a-z0-9]+)*$";
const ARTICLE = {
  id: "m-article",
  key: "article",
  name: "Article",
  fields: [
    {
      key: "slug",
      name: "Slug",
      type: "text",
      required: true,
      maxLength: 12,
      pattern: SLUG_PATTERN,
    },
    { key: "headline", type: "text", title: true, minLength: 3, maxLength: 40 },
    { key: "lead", type: "text", required: true },
  ],
};
const PAGE = {
  id: "m-page",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", type: "text", title: true, localized: true },
    { key: "pageSlug", type: "text", localized: true },
    { key: "code", type: "text", pattern: "^TT-[0-9]+$" },
  ],
};
const DAY = `{\n\t"id": "day",   "modelId": "m-article",\n\t"data": { "headline" : "Day", "slug": "day", "lead": "L\\u00f6" }\n}`;
const HOME = {
  id: "home",
  modelId: "m-page",
  publishAt: "2026-01-01T00:00:00Z",
  data: { title: { en: "Home" }, pageSlug: { en: "home", de: "start" } },
};
const FILES: Files = {
  "models/article.json": ARTICLE,
  "models/page.json": PAGE,
  "models/plain.json": { id: "m-plain", key: "plain", name: "Plain", fields: [] },
  "projects/site.json": { id: "site", name: "S", locale: "en", steps: [], experiences: [] },
  "entries/articles/day.json": DAY,
  "entries/pages/home.json": HOME,
};

function folder(files = FILES) {
  const bed = editedFolder(files);
  const names = (body: object) => bed.act<EntryNames & JsonObject>("edit-names", body);
  return { ...bed, names };
}

describe("H45, H67: new entries", () => {
  it("H45: a new entry is a draft with a title, written beside its model's others", async () => {
    const { act, read, refusal } = folder();
    const body = { model: "m-article", id: "news", title: " News " };
    expect(await act("edit-add", body)).toMatchObject({
      id: "news",
      undo: "the new entry “News”",
    });
    expect(read("entries/articles/news.json")).toBe(
      `{\n\t"id": "news",\n\t"modelId": "m-article",\n\t"draft": true,\n\t"data": {\n\t\t"slug": "news",\n\t\t"headline": "News"\n\t}\n}\n`,
    );
    expect(await refusal(act("edit-add", { model: "none" }))).toContain("model");
    await act("undo");
    expect(() => read("entries/articles/news.json")).toThrow();
    expect(await act("edit-add", { model: "m-plain" })).toMatchObject({ id: "entry" });
  });

  it("H67a: id and slug follow the title until they are given, in the form that the field takes", async () => {
    const { names, act, read } = folder();
    const article = { model: "m-article" };
    expect(await names({ ...article, title: "Café Москва?" })).toEqual({
      id: "cafe-moskva",
      free: null,
      title: "Café Москва?",
      keys: ["headline", "slug"],
      slugs: [{ path: "/slug", name: "Slug", text: "cafe-moskva" }],
    });
    expect(await names({ ...article, title: "Either/Or – 9" })).toMatchObject({
      id: "either-or-9",
      slugs: [{ text: "either-or-9" }],
    });
    const long = await names({ ...article, title: "Version 2.0 of it all" });
    expect(long.slugs[0]?.text).toBe("version-2-0");
    const given = { ...article, title: "Other", id: "own", values: { "/slug": "mine" } };
    expect(await names(given)).toMatchObject({ id: "own", slugs: [{ text: "mine" }] });
    expect(await names({ ...article, title: "Other", values: { "/slug": "" } })).toMatchObject({
      slugs: [{ text: "" }],
    });
    expect(await names({ model: "m-plain", title: "X" })).toMatchObject({ title: null, slugs: [] });
    await act("edit-add", { model: "m-page", title: "Ten days", values: { "/code": "TT-1" } });
    expect(JSON.parse(read("entries/pages/ten-days.json")).data).toEqual({
      title: { en: "Ten days" },
      pageSlug: { en: "ten-days" },
    });
  });

  it("H67a: before there is a title nothing is proposed, and what is missing is said; of a model without one an id is made", async () => {
    const { names, act, refusal } = folder();
    const article = { model: "m-article", title: " " };
    expect(await names(article)).toMatchObject({ id: "", free: null, title: "" });
    expect(await refusal(act("edit-add", article))).toContain("the entry has no title yet");
    expect(await act("edit-add", { ...article, id: "own" })).toMatchObject({ id: "own" });
    expect(await names({ model: "m-plain" })).toMatchObject({ id: "entry" });
  });

  it("H67a: another entry's id, in any case of letters, is said with one that is free; nor is its slug proposed", async () => {
    const { names, act, refusal } = folder();
    const day = { model: "m-article", title: "Day" };
    expect(await names(day)).toMatchObject({ id: "day-2", free: null, slugs: [{ text: "day-2" }] });
    expect(await names({ ...day, id: "DAY" })).toMatchObject({ id: "DAY", free: "DAY-2" });
    expect(await refusal(act("edit-add", { ...day, id: "DAY" }))).toMatch(
      /^edit-refused: there is already an entry with the id "DAY"/,
    );
    // Of another model it is no other entry's.
    expect(await names({ model: "m-page", title: "Day" })).toMatchObject({
      id: "day-2",
      slugs: [{ text: "day" }],
    });
    await act("edit-add", { model: "m-page", id: "TT-1" });
    expect(await names({ model: "m-page", title: "tt 1" })).toMatchObject({ id: "tt-1-2" });
    await act("edit-add", day);
    expect(await names(day)).toMatchObject({ id: "day-3", slugs: [{ text: "day-3" }] });
  });

  it("H67a, H43a: a slug that is given is written only where its field takes it; a draft may be unfinished", async () => {
    const { act, read, refusal } = folder();
    const body = { model: "m-article", title: "Ab", values: { "/slug": "Not one" } };
    expect(await refusal(act("edit-add", body))).toContain(SLUG_PATTERN);
    await act("edit-add", { ...body, values: {} });
    expect(JSON.parse(read("entries/articles/ab.json")).data).toEqual({
      slug: "ab",
      headline: "Ab",
    });
  });
});

describe("H67b: all fields of a new entry", () => {
  it("H67b: a form has those of the model; what is given of them is written in its order, with the rest", async () => {
    const { act, read } = folder();
    const form = await act<OpenedForm>("edit-open", { model: "m-article", path: "" });
    expect(form.fields.map(({ key }) => key)).toEqual(["slug", "headline", "lead"]);
    expect(form).toMatchObject({ data: {}, path: "" });
    const changes = [{ path: "/lead", value: "L" }];
    await act("edit-add", { model: "m-article", title: "News", changes });
    const { data } = JSON.parse(read("entries/articles/news.json"));
    expect(Object.entries(data)).toEqual([
      ["slug", "news"],
      ["headline", "News"],
      ["lead", "L"],
    ]);
  });

  it("H67b: what a field refuses also in a draft, and what none is, is not written", async () => {
    const { act, refusal } = folder();
    const add = (path: string, value: string) =>
      refusal(act("edit-add", { model: "m-page", title: "X", changes: [{ path, value }] }));
    expect(await add("/code", "tt")).toContain("^TT-[0-9]+$");
    expect(await add("/none", "tt")).toContain("not edited here");
  });
});

describe("H45, H68: copies", () => {
  it("H68: a copy has the layout of the other one, a title that says so, and an id and a slug of its own", async () => {
    const { act, names, read } = folder();
    expect(await names({ of: "day" })).toEqual({
      id: "day-copy",
      free: null,
      title: "Day (copy)",
      keys: ["headline", "slug"],
      slugs: [{ path: "/slug", name: "Slug", text: "day-copy" }],
    });
    await act("edit-add", { of: "day" });
    const copied = DAY.replace('"id": "day",', '"id": "day-copy",')
      .replace('"modelId": "m-article",', '"modelId": "m-article",   "draft": true,')
      .replace('"Day"', '"Day (copy)"')
      .replace('"slug": "day"', '"slug": "day-copy"');
    expect(read("entries/articles/day-copy.json")).toBe(copied);
    expect(await act("undo")).toMatchObject({ undone: "the copy of “Day”" });
  });

  it("H68: in other languages too the copy has slugs of its own; its dates stay", async () => {
    const { act, read } = folder();
    await act("edit-add", { of: "home", title: "Second" });
    expect(JSON.parse(read("entries/pages/second.json"))).toEqual({
      ...HOME,
      id: "second",
      draft: true,
      data: { title: { en: "Second" }, pageSlug: { en: "second", de: "start-2" } },
    });
  });

  it("H68: a title that has no room for more stays as it is", async () => {
    const title = "x".repeat(38);
    const text = DAY.replace('"Day"', `"${title}"`);
    const { names } = folder({ ...FILES, "entries/articles/day.json": text });
    expect(await names({ of: "day" })).toMatchObject({ title, id: title });
  });
});
