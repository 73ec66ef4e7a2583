import { describe, expect, it } from "vitest";
import { compareValues } from "../../src/diff/compare-values.ts";
import { diffSnapshots } from "../../src/diff/diff.ts";
import { shownChange } from "../../src/diff/shown-values.ts";
import { NOTHING } from "../../src/diff/snapshot.ts";
import { toldConfigs } from "../../src/diff/told-configs.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { draftSnapshot } from "../support/publish/draft-source.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { block, entry, WORLD } from "./content-workspace.ts";
import { diffOf } from "./differ.ts";

const FIELDS = { title: "Headline", boxes: "Sections", tags: "Labels" };
/** With names, and a page of a collection for each entry but `home`, listed in twos. */
const NAMED: Parts = {
  ...WORLD,
  models: (WORLD.models ?? []).map((model) => ({
    ...model,
    fields: model.fields.map((field) => ({
      ...field,
      name: FIELDS[field.key as keyof typeof FIELDS] ?? field.key,
    })),
  })),
  projects: [
    {
      ...projectOf("p", "home"),
      collections: [
        {
          ...{ model: "page", id: "a-{id}", name: "{title}", layoutName: "Page", except: ["home"] },
          list: { id: "list-{page}", size: 2, sort: "-title" },
        },
      ],
    },
  ],
};
const home = entry("home", { title: "Home" });
const pages = (...titles: string[]) =>
  titles.map((title) => entry(title.slice(0, 1).toLowerCase(), { title }));
const diffOfEntries = (before: Parts["entries"], after: Parts["entries"]) =>
  diffOf({ ...NAMED, entries: before ?? [] }, { ...NAMED, entries: after ?? [] }).forth;
const toldOf = (before: Parts["entries"], after: Parts["entries"]) =>
  toldConfigs(diffOfEntries(before, after).config).map(({ sentence, others }) => [
    sentence,
    others.map(([{ at }]) => at.id),
  ]);

describe("D1a: what readers take as one value", () => {
  const text = (value: string) => ({
    nodeType: "document",
    content: [{ nodeType: "text", value }],
  });
  it.each<[string, JsonValue, JsonValue]>([
    ["rich text", text("A"), text("B")],
    ["Portable Text", [{ _type: "block", _key: "a", n: 1 }], [{ _type: "block", _key: "a", n: 2 }]],
    ["an asset", { id: "a", fileName: "1.png" }, { id: "a", fileName: "2.png" }],
    ["a pointer", { contentEntryId: "a", contentModelKey: "m" }, { contentEntryId: "a" }],
  ])("%s is one value, whatever of it differs", (_title, before, after) => {
    expect(compareValues({ field: before }, { field: after })).toEqual([
      { path: "/field", change: "changed", before, after },
    ]);
  });

  it("D1a: data with a type is compared by member", () => {
    const paths = compareValues({ a: { type: "x", b: 1 } }, { a: { type: "x", b: 2 } });
    expect(paths.map(({ path }) => path)).toEqual(["/a/b"]);
  });
});

it("D1b: what changed is named as authors name it, in the order of the fields", () => {
  const [before, after] = ["A", "B"].map((side) =>
    entry("home", {
      ...{ title: side, tags: ["x", side], more: { a: { b: [side] } } },
      boxes: [block({}), block({ inner: [block({ text: side })] })],
    }),
  );
  const [change] = diffOfEntries([before as typeof home], [after as typeof home]).entries;
  expect(change?.title).toBe("B");
  expect(change?.fields.map(({ place }) => place.join(" › "))).toEqual([
    "Headline",
    "Labels › 2",
    "Sections › 2 › Box › inner › 1 › Box › text",
    "more › a › b › 1",
  ]);
});

it("D1b: without a draft it is named by keys", () => {
  const bed = new TestBed(NAMED);
  const read = (title: string) => {
    bed.import({ ...NAMED, entries: [entry("home", { title })] });
    return bed.store.read(() => {
      const { documents, document } = draftSnapshot(bed.store, "w");
      const all = new Map(Array.from(documents.keys(), (path) => [path, document(path)]));
      return { documents, document: (path: string) => all.get(path) ?? {} };
    });
  };
  const { entries } = diffSnapshots(read("A"), read("B"));
  expect(entries.map(({ title, fields }) => [title, fields[0]?.place])).toEqual([["B", ["title"]]]);
});

it("D1c: before the first publish entries are counted, and not listed", () => {
  const bed = new TestBed({ ...NAMED, entries: [home, ...pages("One")] });
  bed.store.read(() => {
    const draft = draftSnapshot(bed.store, "w");
    const [forth, back] = [diffSnapshots(NOTHING, draft), diffSnapshots(draft, NOTHING)];
    expect([forth.entries, forth.summary.entriesAdded]).toEqual([[], 2]);
    expect([back.entries, back.summary.entriesRemoved]).toEqual([[], 2]);
  });
});

describe("D7a: what differs of pages is told in one sentence", () => {
  it("D7a: a page that came, with the lists in which others moved", () => {
    const before = [home, ...pages("One", "Two", "Five")];
    expect(toldOf(before, [...before, ...pages("Zero")])).toEqual([
      ["New page: Zero; 2 list pages moved", []],
    ]);
    expect(toldOf([...before, ...pages("Zero")], before)).toEqual([
      ["Page removed: Zero; 2 list pages moved", []],
    ]);
  });

  it("D7a: several pages, and a list page that there was not before", () => {
    const before = [home, ...pages("One")];
    expect(toldOf(before, [...before, ...pages("Alpha", "Beta")])).toEqual([
      ["New pages: Alpha, Beta, list-2; 1 list page moved", []],
    ]);
  });

  it("D7a: another name of a page and of its step is one", () => {
    expect(toldOf([home, ...pages("One")], [home, ...pages("One more")])).toEqual([
      ["Page renamed: One → One more", []],
    ]);
  });

  it("D7a: what is no page's is told by record: a step that only another tour shows, and another key", () => {
    const { projects: [project] = [] } = WORLD as { projects: ReturnType<typeof projectOf>[] };
    const step = { id: "s2", key: "s2", name: "Two", layoutName: "page" };
    const after = {
      ...project,
      steps: [...(project?.steps ?? []), step],
      experiences: [{ ...project?.experiences[0], key: "other", stepIds: ["step-home", "s2"] }],
    };
    const { config } = diffOf({ ...WORLD, entries: [home] }, {
      ...WORLD,
      entries: [home],
      projects: [after],
    } as Parts).forth;
    expect(toldConfigs(config).map((one) => [one.sentence, one.others.length])).toEqual([["", 2]]);
  });
});

describe("D7: values as a person reads them", () => {
  const names = {
    definitions: undefined,
    target: (id: string, wasThere: boolean) => ({ text: wasThere ? `the ${id}` : id }),
  };
  const told = (before: JsonValue | undefined, after: JsonValue | undefined) => {
    const { place: _, ...change } = shownChange(names, { place: [], before, after });
    return change;
  };
  const tree = (...content: JsonValue[]) => ({
    type: "doc",
    content: [{ type: "paragraph", content }],
  });

  it("D7: of rich text its words, and whether only the formatting differs", () => {
    const bold = { type: "text", text: "B", marks: [{ type: "bold" }] };
    expect(told(tree({ type: "text", text: "A" }), tree({ type: "text", text: "B" }))).toEqual({
      before: { text: "A" },
      after: { text: "B" },
    });
    expect(told(tree({ type: "text", text: "B" }), tree(bold))).toEqual({
      ...{ before: null, after: null },
      only: "formatting",
    });
  });

  it("D7: of a pointer the title, of an asset the file, of a list its elements, and whether only their order differs", () => {
    expect(told(undefined, { contentEntryId: "a", contentModelKey: "m" }).after).toEqual({
      text: "the a",
    });
    expect(told({ contentEntryId: "a" }, null)).toEqual({ before: { text: "a" }, after: null });
    expect(told(null, { id: "a", fileName: "a.png", mimeType: "image/png", url: "/u" })).toEqual({
      before: null,
      after: { file: "a.png", url: "/u", isPicture: true },
    });
    const [one, two] = [{ text: "1" }, { text: "yes" }];
    expect(told([1, true], [true, 1])).toEqual({
      ...{ before: { list: [one, two] }, after: { list: [two, one] } },
      only: "order",
    });
  });
});
