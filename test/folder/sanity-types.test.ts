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
    ["dates and other texts", ["2026-11-21", "soon"], { type: "text" }],
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

  it("X11b: values of several kinds are json, with a warning that counts each kind and names one record", () => {
    const mixed = fieldOf("a", 1, "b", [ref("p0")]);
    expect(mixed.definition).toEqual({ type: "json" });
    expect(mixed.stored).toEqual(["a", 1, "b", [{ contentEntryId: "p0" }]]);
    expect(mixed.report.warnings).toEqual([
      "page.field has values of several kinds and becomes json: text (2, e.g. in p0), number (1, e.g. in p1), reference (1, e.g. in p3), single values and lists",
    ]);
    expect(fieldOf("a", 1).definition).toEqual({ type: "json" });
    expect(fieldOf(["a", null]).stored).toEqual([["a", null]]);
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
