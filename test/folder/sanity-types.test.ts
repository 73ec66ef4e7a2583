import { describe, expect, it } from "vitest";
import {
  datasetFolder,
  fieldOf,
  image,
  readDataset,
  ref,
  textBlock,
} from "../support/sanity/dataset.ts";

describe("X11: the type of a field fits all its values", () => {
  const plain: readonly (readonly [string, readonly unknown[], object])[] = [
    ["texts", ["a", "b"], { type: "text" }],
    ["numbers", [1, 2.5], { type: "number" }],
    ["true and false", [true, false], { type: "boolean" }],
    ["dates", ["2026-11-21", "2026-11-22"], { type: "date" }],
    ["times", ["2026-11-21T09:30:00Z"], { type: "date-time" }],
    ["lists of texts", [["a"], ["b", "c"], []], { type: "text", repeatable: true }],
    ["references", [ref("p0")], { type: "reference" }],
    ["lists of references", [[ref("p0", { _key: "k" })]], { type: "reference", repeatable: true }],
    ["slugs", [{ _type: "slug", current: "a" }], { type: "text" }],
    ["images", [image("a.svg")], { type: "asset" }],
    ["Portable Text", [[textBlock("a")]], { type: "rich-text" }],
  ];
  it.each(plain)("%s", (_, values, definition) => {
    expect(fieldOf(...values).definition).toEqual(definition);
  });

  it("objects are blocks by their _type, or by their place", () => {
    const { blocks, stored, definition } = fieldOf(
      { _type: "hero", title: "a", look: { dark: true } },
      { _type: "hero", title: "b" },
    );
    expect(definition).toEqual({ type: "content-block", category: "hero" });
    expect(blocks.map(({ key, name }) => `${key} ${name}`)).toEqual([
      "hero hero",
      "hero_look hero_look",
    ]);
    expect(stored).toEqual([
      {
        contentBlockId: "hero",
        data: { title: "a", look: { contentBlockId: "hero_look", data: { dark: true } } },
      },
      { contentBlockId: "hero", data: { title: "b" } },
    ]);
  });

  it("X11a: a reference and an image beside blocks are held by a block, as one field holds one kind", () => {
    const { definition, stored, report } = fieldOf([
      { _type: "quote", text: "a" },
      ref("p0"),
      image("a.svg"),
      image("b.svg", { alt: "b" }),
    ]);
    expect(definition).toEqual({ type: "content-block", repeatable: true });
    expect(stored[0]).toEqual([
      { contentBlockId: "quote", data: { text: "a" } },
      { contentBlockId: "reference", data: { reference: { contentEntryId: "p0" } } },
      { contentBlockId: "image", data: { asset: { assetId: expect.stringMatching(/^image-/) } } },
      {
        contentBlockId: "image",
        data: { asset: { assetId: expect.stringMatching(/^image-/) }, alt: "b" },
      },
    ]);
    expect(report.warnings).toEqual([]);
  });

  it("X11b: where no kind has most values they are json, with a warning that counts each kind and names one record", () => {
    const mixed = fieldOf({ a: 1 }, true, [ref("p0")], "x");
    expect(mixed.definition).toEqual({ type: "json" });
    expect(mixed.stored).toEqual([{ a: 1 }, true, [{ contentEntryId: "p0" }], "x"]);
    expect(mixed.report.warnings).toEqual([
      "page.field has values of several kinds and becomes json (--types page.field=<type> decides otherwise): block (1, e.g. in p0), boolean (1, e.g. in p1), text (1, e.g. in p3), reference (1, e.g. in p2), single values and lists",
    ]);
    const lists = fieldOf(["a", ref("p0")]);
    expect(lists.definition, "in lists references stay references").toEqual({ type: "rich-text" });
    expect(lists.stored).toEqual([["a", { contentEntryId: "p0" }]]);
  });

  it("blocks that one field holds have one category, and no other block has it", () => {
    const read = readDataset(
      datasetFolder([
        {
          _id: "a",
          _type: "page",
          body: [
            { _type: "hero", t: "x" },
            { _type: "row", items: [{ _type: "card", t: "y" }] },
          ],
          link: { _type: "link", href: "/" },
        },
      ]),
    );
    expect(Object.fromEntries(read.blocks.map(({ key, category }) => [key, category]))).toEqual({
      hero: "page.body",
      row: "page.body",
      card: "card",
      link: "link",
    });
    expect(read.models[0]?.fields).toEqual([
      { key: "body", type: "content-block", category: "page.body", repeatable: true },
      { key: "link", type: "content-block", category: "link" },
    ]);
  });
});

describe("X24: a field has the type of most of its values", () => {
  const DAY = "2026-11-21";
  const TIME = `${DAY}T10:00:00Z`;
  const outlier = /^1 value does not fit/;
  const asText = /values? becomes? text as written/;
  const inList = /single values? becomes? a list/;
  const cases: readonly (readonly [
    what: string,
    values: readonly unknown[],
    type: string,
    odd: readonly [at: number, stored: unknown, said: RegExp],
  ])[] = [
    ["a day that is none", [DAY, "2026-02-30", DAY], "date", [1, "2026-02-30", outlier]],
    ["a text among times", [TIME, TIME, "soon"], "date-time", [2, "soon", outlier]],
    ["a text among numbers", [1, "many", 2], "number", [1, "many", outlier]],
    ["a number among true and false", [true, 1, false], "boolean", [1, 1, outlier]],
    [
      "a text among images",
      ["a.svg", image("a.svg"), image("b.svg")],
      "asset",
      [0, "a.svg", outlier],
    ],
    ["an object among texts", ["a", { b: 1 }, "c"], "text", [1, { b: 1 }, outlier]],
    [
      "a text among Portable Text",
      [[textBlock("a")], "b", [textBlock("c")]],
      "rich-text",
      [1, "b", outlier],
    ],
    ["X24a: a number among texts", ["a", 404, "b"], "text", [1, "404", asText]],
    ["X24a: as many numbers as texts", ["a", 1.5], "text", [1, "1.5", asText]],
    ["X24a: true and a number beside texts", ["a", true, 1], "text", [1, "true", asText]],
    ["X24a: a text beside lists", [["a", "b"], "c"], "text[]", [1, ["c"], inList]],
    ["X24a: a list among four", [["a"], "b", "c", "d"], "text[]", [3, ["d"], inList]],
    ["X24a: a list among five", [["a"], "b", "c", "d", "e"], "text", [0, ["a"], outlier]],
    ["X24a: a number in a list", [["a", 1, "b"]], "text[]", [0, ["a", "1", "b"], asText]],
    ["X24a: an object beside lists", [["a", "b"], { c: 1 }], "text[]", [1, { c: 1 }, outlier]],
  ];
  it.each(cases)("%s", (_, values, type, [at, stored, said]) => {
    const read = fieldOf(...values);
    const [is, list] = type.split("[]");
    expect(read.definition).toEqual({ type: is, ...(list !== undefined && { repeatable: true }) });
    expect(read.stored[at]).toEqual(stored);
    const warning = read.report.warnings.find((text) => said.test(text));
    expect(warning).toContain("--types page.field=<type> decides otherwise");
    expect(warning?.split(": ").at(-1)).toContain(`p${at}`);
  });

  it("X24a, V13: dates of several forms are iso-dates, and as many texts as dates are texts", () => {
    expect(fieldOf(DAY, TIME, DAY).definition).toEqual({ type: "iso-date" });
    const forms = [`${DAY}T10:00+02:00`, DAY, `${DAY} 09:30`];
    expect(fieldOf(...forms).definition).toEqual({ type: "iso-date" });
    expect(fieldOf(...forms, "soon").stored).toEqual([...forms, "soon"]);
    expect(fieldOf(DAY, "soon").definition).toEqual({ type: "text" });
  });

  it("X24b: an empty text is no value where the type is not text, null in a list never one", () => {
    const { definition, stored, report } = fieldOf(DAY, "", " ", DAY);
    expect([definition, stored]).toEqual([{ type: "date" }, [DAY, undefined, undefined, DAY]]);
    expect(report.leftOut).toEqual({ "empty values in fields that are no text: page.field": 2 });
    expect(fieldOf("a", "").stored).toEqual(["a", ""]);
    expect(fieldOf(["a", null]).stored).toEqual([["a"]]);
  });

  it("X24d: --types decides otherwise, also of lists and of objects", () => {
    const choose = (types: readonly (readonly [string, string, boolean])[]) => {
      const field = { a: "5.0", b: "true", c: [1, 2], d: { e: 1 } };
      const documents = [{ _id: "p", _type: "page", ...field }];
      const choices = types.map(([field, type, isList]) => ({ field, type, isList }));
      return readDataset(datasetFolder(documents), { types: choices });
    };
    const { models, entries } = choose([
      ["a", "number", false],
      ["page.b", "boolean", false],
      ["c", "text", true],
      ["page_d.e", "text", false],
    ]);
    expect(models[0]?.fields.map(({ key, type }) => `${key} ${type}`)).toEqual([
      "a number",
      "b boolean",
      "c text",
      "d content-block",
    ]);
    const d = { contentBlockId: "page_d", data: { e: "1" } };
    expect(entries[0]?.data).toEqual({ a: 5, b: true, c: ["1", "2"], d });
    const named = (field: string, type: string) => () => choose([[field, type, false]]);
    expect(named("page.aa", "text")).toThrow('--types names the field "page.aa"');
    expect(named("a", "select")).toThrow('--types names the type "select"');
  });
});
