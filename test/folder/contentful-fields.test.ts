import { describe, expect, it } from "vitest";
import { definitionOf } from "../support/contentful/contentful-export.ts";

const list = (items: object, more: object = {}) => ({ type: "Array", items, ...more });
const validated = (type: string, ...validations: readonly object[]) => ({ type, validations });

describe("contentful: a field gets the type that serves its values unchanged", () => {
  it.each([
    ["Symbol", { type: "text" }],
    ["Text", { type: "text" }],
    ["Integer", { type: "integer" }],
    ["Number", { type: "number" }],
    ["Boolean", { type: "boolean" }],
    ["Object", { type: "json" }],
    ["RichText", { type: "rich-text" }],
    ["Location", { type: "json" }],
    ["ResourceLink", { type: "json" }],
    [{ type: "Link", linkType: "Entry" }, { type: "reference" }],
    [{ type: "Link", linkType: "Asset" }, { type: "asset" }],
    [list({ type: "Symbol" }), { type: "text", repeatable: true }],
    [list({ type: "Link", linkType: "Entry" }), { type: "reference", repeatable: true }],
    [list({ type: "Link", linkType: "Asset" }), { type: "asset", repeatable: true }],
    [
      { type: "Symbol", name: "Title", required: true },
      { type: "text", name: "Title", required: true },
    ],
  ])("%j is %j", (field, definition) => {
    expect(definitionOf(field)).toEqual({ definition, notCarried: {} });
  });
});

describe("contentful: the type of a Date field fits all of its values", () => {
  it.each([
    ["date-time", ["2020-02-29T10:00:00Z", "2020-02-29T10:00:00.123+01:00"]],
    ["date-time", []],
    ["date", ["2020-02-29", "1999-12-31"]],
    ["iso-date", ["2020-02-29T10:00"]],
    ["iso-date", ["2020-02-29T10:00+01:00"]],
    ["iso-date", ["2020-02-29", "2020-02-29T10:00:00Z"]],
    ["text", ["2020-02-29", "2020-02-30T10:00"]],
    ["text", ["2021-02-29"]],
  ])("%s for %j", (type, values) => {
    expect(definitionOf("Date", ...values).definition).toEqual({ type });
  });
});

describe("contentful: validations become constraints", () => {
  it.each([
    [
      validated("Symbol", { size: { min: 1, max: 9 } }),
      { type: "text", minLength: 1, maxLength: 9 },
    ],
    [validated("Symbol", { size: { max: 9, min: null } }), { type: "text", maxLength: 9 }],
    [
      validated("Symbol", { regexp: { pattern: "^a+$", flags: null } }),
      { type: "text", pattern: "^a+$" },
    ],
    [
      validated("Text", { size: { min: 1 } }, { regexp: { pattern: "a" }, message: "No!" }),
      { type: "text", minLength: 1, pattern: "a" },
    ],
    [validated("Symbol", { in: ["b", "a", "b"] }), { type: "select", options: ["b", "a"] }],
    [validated("Symbol", { in: [] }), { type: "text" }],
    [
      validated("Integer", { range: { min: -1, max: 5 } }),
      { type: "integer", minimum: -1, maximum: 5 },
    ],
    [validated("Number", { range: { min: 0.5 } }), { type: "number", minimum: 0.5 }],
    [
      validated("Symbol", { unique: true }, { size: { max: 9 } }),
      { type: "text", maxLength: 9, unique: true },
    ],
    [
      validated("Symbol", { in: ["a"], unique: true }),
      { type: "select", options: ["a"], unique: true },
    ],
    [validated("Integer", { unique: true, message: "No!" }), { type: "integer", unique: true }],
    [validated("Symbol", { unique: false }), { type: "text" }],
    [
      { ...validated("Link", { linkContentType: ["page", "x y", "page"] }), linkType: "Entry" },
      { type: "reference", models: ["page", "x_y"] },
    ],
    [
      { ...validated("Link", { linkContentType: "page" }), linkType: "Entry" },
      { type: "reference", models: ["page"] },
    ],
    [
      list(validated("Symbol", { in: ["a"] }), { validations: [{ size: { min: 1, max: 2 } }] }),
      { type: "select", options: ["a"], minItems: 1, maxItems: 2, repeatable: true },
    ],
  ])("%j is %j", (field, definition) => {
    expect(definitionOf(field)).toEqual({ definition, notCarried: {} });
  });
});

describe("contentful: validations without an equivalent constraint are counted by name", () => {
  it.each([
    [
      validated("Symbol", { prohibitRegexp: { pattern: "a" } }),
      { type: "text" },
      { prohibitRegexp: 1 },
    ],
    [validated("Object", { unique: true }), { type: "json" }, { unique: 1 }],
    [
      list(validated("Symbol", { unique: true })),
      { type: "text", repeatable: true },
      { unique: 1 },
    ],
    [
      validated("Symbol", { regexp: { pattern: "a", flags: "i" } }),
      { type: "text" },
      { regexp: 1 },
    ],
    [validated("Symbol", { regexp: { pattern: "\\:" } }), { type: "text" }, { regexp: 1 }],
    [
      validated("Symbol", { regexp: { pattern: "(?:a{999}){9999999999}(" } }),
      { type: "text" },
      { regexp: 1 },
    ],
    [validated("Symbol", { size: { min: 3, max: 2 } }), { type: "text" }, { size: 1 }],
    [
      validated("Symbol", { size: { min: 1, max: 2 } }, { in: ["a"] }),
      { type: "select", options: ["a"] },
      { size: 1 },
    ],
    [
      validated("Symbol", { regexp: { pattern: "a" } }, { in: ["a"] }),
      { type: "select", options: ["a"] },
      { regexp: 1 },
    ],
    [
      validated("Symbol", { in: ["a"] }, { in: ["b"] }),
      { type: "select", options: ["a"] },
      { in: 1 },
    ],
    [validated("Number", { in: [1, 2] }), { type: "number" }, { in: 1 }],
    [validated("Date", { dateRange: { min: "2020" } }), { type: "date-time" }, { dateRange: 1 }],
    [
      validated("RichText", { nodes: {} }, { constructor: 1 }),
      { type: "rich-text" },
      { constructor: 1 },
    ],
    [
      { ...validated("Link", { linkMimetypeGroup: ["image"] }), linkType: "Asset" },
      { type: "asset" },
      { linkMimetypeGroup: 1 },
    ],
  ])("%j", (field, definition, notCarried) => {
    expect(definitionOf(field)).toEqual({ definition, notCarried });
  });
});

describe("contentful: rich text", () => {
  const ALWAYS = [
    "document",
    "paragraph",
    "text",
    "list-item",
    "table-row",
    "table-cell",
    "table-header-cell",
  ];
  const accepts = (...types: readonly string[]) => [{ linkContentType: types, message: "No" }];
  const nodes = {
    "embedded-entry-block": accepts("a", "b"),
    "embedded-entry-inline": accepts("b", "a"),
    "entry-hyperlink": accepts("a", "b"),
  };
  const models = { models: ["a", "b"] };
  const hyperlinks = { nodeTypes: [...ALWAYS, "hyperlink"] };

  it.each([
    [[{ enabledNodeTypes: ["hyperlink"], message: "No" }], hyperlinks, {}],
    [
      [{ enabledMarks: ["bold", "bold"] }, { enabledMarks: [] }],
      { marks: ["bold"] },
      { enabledMarks: 1 },
    ],
    [
      [{ enabledMarks: "bold" }, { enabledNodeTypes: [7] }],
      {},
      { enabledMarks: 1, enabledNodeTypes: 1 },
    ],
    [[{ nodes }], models, {}],
    [[{ nodes: { ...nodes, "entry-hyperlink": accepts("a") } }], models, { nodes: 1 }],
    [[{ nodes: { ...nodes, "entry-hyperlink": [] } }], {}, { nodes: 1 }],
    [[{ nodes: { "entry-hyperlink": accepts("a") } }], {}, { nodes: 1 }],
    [[{ nodes: { ...nodes, "asset-hyperlink": [{ size: { max: 1 } }] } }], models, { nodes: 1 }],
    [[{ enabledNodeTypes: ["hyperlink"] }, { nodes: { "entry-hyperlink": [] } }], hyperlinks, {}],
    [
      [{ enabledNodeTypes: ["entry-hyperlink"] }, { nodes: { "entry-hyperlink": accepts("a") } }],
      { nodeTypes: [...ALWAYS, "entry-hyperlink"], models: ["a"] },
      {},
    ],
  ])("X8: the validations %j are the options %j", (validations, options, notCarried) => {
    expect(definitionOf({ type: "RichText", validations })).toEqual({
      definition: { type: "rich-text", ...options },
      notCarried,
    });
  });
});
