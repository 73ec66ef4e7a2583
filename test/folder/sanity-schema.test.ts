import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { datasetFolder, type Loose, readDataset } from "../support/sanity/dataset.ts";

const attribute = (value: Loose, optional = true) => ({
  type: "objectAttribute",
  value,
  ...(optional && { optional }),
});
const TEXT = { type: "string" };
const text = (value: string) => ({ type: "string", value });
const inline = (name: string) => ({ type: "inline", name });
const referenceTo = (target: string) => ({
  type: "object",
  attributes: { _ref: attribute(TEXT, false) },
  dereferencesTo: target,
});
const list = (...of: Loose[]) => ({ type: "array", of: { type: "union", of } });
const PICTURE = {
  asset: attribute(inline("picture.reference")),
  hotspot: attribute({ type: "unknown" }),
  _type: attribute(text("image"), false),
};

const SCHEMA = [
  { type: "type", name: "picture.reference", value: referenceTo("sanity.imageAsset") },
  {
    type: "type",
    name: "hero",
    value: {
      type: "object",
      attributes: {
        _type: attribute(text("hero"), false),
        title: attribute(TEXT, false),
        picture: attribute({ type: "object", attributes: { ...PICTURE, alt: attribute(TEXT) } }),
      },
    },
  },
  { type: "document", name: "author", attributes: { name: attribute(TEXT) } },
  {
    type: "document",
    name: "page",
    attributes: {
      _id: attribute(TEXT, false),
      slug: attribute({ type: "object", attributes: { _type: attribute(text("slug")) } }, false),
      look: attribute({ type: "union", of: [text("dark"), text("light")] }),
      author: attribute({ type: "union", of: [referenceTo("author"), referenceTo("page")] }),
      cover: attribute({ type: "object", attributes: PICTURE }),
      parts: attribute(list({ type: "object", attributes: {}, rest: inline("hero") })),
      body: attribute(
        list({
          type: "object",
          attributes: { _type: attribute(text("block")), children: attribute(list()) },
        }),
      ),
      stars: attribute({ type: "array", of: { type: "number" } }),
      price: attribute({ type: "object", attributes: { value: attribute({ type: "number" }) } }),
    },
  },
  { type: "document", name: "sanity.imageAsset", attributes: {} },
];

function read(documents: readonly Loose[], options = {}) {
  const folder = datasetFolder(documents, { "schema.json": JSON.stringify(SCHEMA) });
  return readDataset(folder, { schema: join(folder, "schema.json"), ...options });
}

const PAGE = { _id: "a", _type: "page", slug: { _type: "slug", current: "a" } };

describe("X15: --schema takes types from sanity schema extract", () => {
  it("fields of every kind, also without a value", () => {
    const { models, blocks } = read([PAGE]);
    expect(models.map(({ key }) => key)).toEqual(["author", "page"]);
    expect(models[1]?.fields).toEqual([
      { key: "slug", type: "text", required: true },
      { key: "look", type: "select", options: ["dark", "light"] },
      { key: "author", type: "reference", models: ["author", "page"] },
      { key: "cover", type: "asset" },
      { key: "parts", type: "content-block", category: "hero", repeatable: true },
      { key: "body", type: "rich-text" },
      { key: "stars", type: "number", repeatable: true },
      { key: "price", type: "content-block", category: "page_price" },
    ]);
    expect(blocks).toEqual([
      {
        id: "hero",
        key: "hero",
        name: "hero",
        category: "hero",
        fields: [
          { key: "title", type: "text", required: true },
          { key: "picture", type: "content-block", category: "image" },
        ],
      },
      {
        id: "image",
        key: "image",
        name: "image",
        category: "image",
        fields: [
          { key: "asset", type: "asset" },
          { key: "alt", type: "text" },
        ],
      },
      {
        id: "page_price",
        key: "page_price",
        name: "page_price",
        category: "page_price",
        fields: [{ key: "value", type: "number" }],
      },
    ]);
  });

  it("fields that only the data has are imported as well", () => {
    const { models, entries } = read([{ ...PAGE, old: 1 }]);
    expect(models[1]?.fields.at(-1)).toEqual({ key: "old", type: "number" });
    expect(entries[0]?.data).toEqual({ slug: "a", old: 1 });
  });

  it("X13a, X3f: a field with a value for each locale is localized before it has any", () => {
    const locales = { en: attribute(TEXT), de: attribute(TEXT) };
    const object = (name: string, attributes: Loose) => ({
      type: "object",
      attributes: { _type: attribute(text(name), false), ...attributes },
    });
    const item = object("internationalizedArrayTextValue", { value: attribute(TEXT) });
    const page = {
      type: "document",
      name: "page",
      attributes: {
        title: attribute(object("localeString", locales)),
        lead: attribute({ type: "array", of: item }),
        note: attribute(object("localeString", locales)),
      },
    };
    const note = { _type: "localeString", en: "Hello", de: "Hallo" };
    const folder = datasetFolder([{ ...PAGE, note }], { "schema.json": JSON.stringify([page]) });
    const { models } = readDataset(folder, { schema: join(folder, "schema.json") });
    expect(models[0]?.fields).toEqual([
      ...["title", "lead", "note"].map((key) => ({ key, type: "text", localized: true })),
      { key: "slug", type: "text" },
    ]);
  });

  it("X15, X24: data that breaks it stays, and is a problem that a warning names", () => {
    const broken = { ...PAGE, look: "pink", stars: ["many"], parts: [{ _type: "hero" }] };
    const { models, entries, report } = read([broken]);
    const said = (field: string, type: string) =>
      `1 value does not fit page.${field} (${type}, by the schema; --types page.${field}=<type> decides otherwise), stored as written and refused by svc check: a`;
    expect(models[1]?.fields.find(({ key }) => key === "stars")).toEqual({
      key: "stars",
      type: "number",
      repeatable: true,
    });
    expect(entries[0]?.data).toMatchObject({ look: "pink", stars: ["many"] });
    expect(report.warnings).toEqual([said("look", "select"), said("stars", "number[]")]);
  });

  it("a file that is no schema is refused", () => {
    const folder = datasetFolder([PAGE], { "bad.json": "{}", "worse.json": "{" });
    const schema = (name: string) => () => readDataset(folder, { schema: join(folder, name) });
    expect(schema("bad.json")).toThrow("it is not a list of types");
    expect(schema("worse.json")).toThrow("is not an extracted schema");
    expect(schema("gone.json")).toThrow("is not an extracted schema");
    writeFileSync(join(folder, "bad.json"), "[{}]");
    expect(schema("bad.json")).toThrow("a type has no name");
  });
});
