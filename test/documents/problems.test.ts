import { describe, expect, it } from "vitest";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { PROBLEM_LEVELS } from "../../src/workspace/problem.ts";
import type { Entry, Model } from "../../src/workspace/records.ts";
import { dataOn, summaries, withEntry } from "../support/documents/served-data.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const ERRORS = [
  "value-missing",
  "value-type",
  "value-constraint",
  "value-duplicate",
  "value-computed",
  "query-exceeded",
  "document-over-64mb",
  "condition-invalid",
  "collection-invalid",
  "collected-left-out",
  "locale-missing",
  "localized-missing",
  "model-missing",
  "block-deleted",
  "block-not-accepted",
  "reference-model-not-accepted",
  "draft-locale-unknown",
];
const WARNINGS = [
  "reference-deleted",
  "reference-other-workspace",
  "reference-too-deep",
  "parent-loop",
  "asset-missing",
  "html-unreadable",
  "reference-draft",
  "step-entry-draft",
  "step-entry-missing",
  "experience-step-missing",
  "experience-key-taken",
  "pattern-unbounded",
  "document-heavy",
  "experience-too-deep",
  "entries-hidden",
  "experiences-empty",
  "field-unknown",
  "option-unknown",
  "image-unreadable",
  "name-not-portable",
  "rich-text-malformed",
  "locale-unused",
  "locale-invalid",
];

const MODEL: Model = {
  id: "m",
  key: "m",
  name: "M",
  fields: [
    { key: "b", type: "text", required: true },
    { key: "a", type: "integer", repeatable: true, maxItems: 1 },
    { key: "link", type: "reference" },
    { key: "next", type: "reference", repeatable: true },
  ],
};
const SHOP: Model = { id: "shop", key: "shop", name: "Shop", fields: [] };

const to = (contentEntryId: string) => ({ contentEntryId });
const entry = (id: string, data: Entry["data"]): Entry => ({ id, modelId: "m", data });
const ENTRIES = [
  entry("e10", { a: [1, "x", 2.5], link: to("gone") }),
  entry("e9", { a: "x", b: 1, link: to("e10") }),
  entry("E9", { b: "x", next: [to("lost"), to("gone"), to("gone")] }),
  { id: "lost", modelId: "m-gone", data: {} },
];

describe("P1: the shape of a problem", () => {
  it("P2, P3: these are the codes, each with its level", () => {
    expect(PROBLEM_LEVELS).toEqual({
      ...Object.fromEntries(ERRORS.map((code) => [code, "error"])),
      ...Object.fromEntries(WARNINGS.map((code) => [code, "warning"])),
    });
  });

  it("P1: the path is a JSON Pointer into the data as it is stored, not as it is served", () => {
    const fields = [{ key: "a", type: "integer", repeatable: true, maximum: 1 }];
    const stored = { a: ["wrong", 2] };
    expect(dataOn("preview", fields, stored)).toEqual({ a: [2] });
    expect(summaries(new TestBed(withEntry(fields, stored)).check())).toEqual([
      "error value-type entry home#/a/0",
      "error value-constraint entry home#/a/1",
    ]);
  });

  it("P1: the arguments name the records that it is about", () => {
    const fields = [{ key: "a", type: "reference", models: ["shop"] }];
    const more = { models: [SHOP] };
    const [problem] = new TestBed(withEntry(fields, { a: to("home") }, more)).check();
    expect(problem?.args).toEqual({ target: "home", model: "subject", accepted: ["shop"] });
  });
});

describe("P1: all problems are reported together, in a stable order", () => {
  const projects = [projectOf("site", "e9", "gone"), projectOf("Shop", "gone")];
  const check = () => new TestBed({ models: [MODEL, SHOP], entries: ENTRIES, projects }).check();

  it("P1: errors first, then by kind, id and path, by code unit", () => {
    expect(summaries(check())).toEqual([
      "error value-constraint entry e10#/a",
      "error value-type entry e10#/a/1",
      "error value-type entry e10#/a/2",
      "error value-missing entry e10#/b",
      "error value-type entry e9#/a",
      "error value-type entry e9#/b",
      "error model-missing entry lost#",
      "warning reference-deleted entry E9#/next/1",
      "warning reference-deleted entry E9#/next/2",
      "warning reference-deleted entry e10#/link",
      "warning experiences-empty project Shop#",
      "warning step-entry-missing project Shop#/steps/0/layoutContentId",
      "warning step-entry-missing project site#/steps/1/layoutContentId",
    ]);
  });
});

/** In a workspace with the locales `de` and `en`. */
const BY_LOCALE = { en: { type: "doc" }, de: { type: "doc" } };
/** A field of each kind with a value, and its problem. */
const VALUES: readonly (readonly [field: object, value: JsonValue | undefined, problem: string])[] =
  [
    [{ type: "text", required: true }, undefined, "error value-missing"],
    [{ type: "text", required: true }, " ", "error value-missing"],
    [{ type: "integer" }, "x", "error value-type"],
    [{ type: "text", repeatable: true }, "x", "error value-type"],
    [{ type: "text", maxLength: 1 }, "xx", "error value-constraint"],
    [{ type: "text", repeatable: true, minItems: 2 }, ["x"], "error value-constraint"],
    [{ type: "select", options: ["a"] }, "b", "error value-constraint"],
    [{ type: "text" }, BY_LOCALE, "error localized-missing"],
    [{ type: "json" }, BY_LOCALE, "error localized-missing"],
    [{ type: "rich-text" }, BY_LOCALE, "error localized-missing"],
    [{ type: "text", repeatable: true }, { en: ["a"] }, "error localized-missing"],
    [{ type: "json", repeatable: true }, [1, BY_LOCALE], "error localized-missing"],
    [{ type: "json" }, [1, BY_LOCALE], "error localized-missing"],
    [{ type: "rich-text", repeatable: true }, [BY_LOCALE], "error localized-missing"],
    [{ type: "rich-text" }, [BY_LOCALE], "error localized-missing"],
    [{ type: "rich-text" }, { type: "doc", content: [BY_LOCALE] }, "error localized-missing"],
    [{ type: "json" }, { ...BY_LOCALE, fr: {}, "pt-BR": {} }, "error localized-missing"],
    [{ type: "reference" }, to("gone"), "warning reference-deleted"],
    [{ type: "reference", required: true }, to("gone"), "error reference-deleted"],
    [{ type: "reference" }, to("draft"), "warning reference-draft"],
    [{ type: "reference" }, to("there"), "warning reference-other-workspace"],
    [{ type: "reference", models: ["m"] }, to("shop"), "error reference-model-not-accepted"],
    [{ type: "reference", models: ["shp"] }, to("shop"), "error option-unknown"],
    [{ type: "asset" }, { assetId: "gone" }, "warning asset-missing"],
    [{ type: "asset", required: true }, { assetId: "gone" }, "error asset-missing"],
    [{ type: "html-asset" }, { assetId: "gone" }, "warning html-unreadable"],
    [{ type: "content-block" }, { contentBlockId: "gone", data: {} }, "error block-deleted"],
    [
      { type: "content-block", category: "c" },
      { contentBlockId: "plain", data: {} },
      "error block-not-accepted",
    ],
    [{ type: "rich-text" }, { type: "doc", content: [true] }, "warning rich-text-malformed"],
    [{ type: "rich-text" }, { ...to("a"), contentModelKey: "m" }, "error value-constraint"],
    [{ type: "text", key: "other" }, "x", "warning field-unknown"],
    [{ type: "text", localized: true }, { fr: "x" }, "warning locale-unused"],
    [{ type: "text", localized: true }, { "e n": "x" }, "warning locale-invalid"],
    [{ type: "text", localized: true, required: true }, { de: "x" }, "error value-missing"],
    [{ type: "text", localized: true }, "x", "error value-type"],
    [{ type: "reference", repeatable: true, query: {} }, [], "error value-computed"],
  ];

/** Where the values of a field may be; of projects' own fields none is localized or has a query (B2, Q1). */
const PLACES = {
  "an entry": { isOfProjects: false, depth: 0 },
  "a block of an entry": { isOfProjects: false, depth: 1 },
  "a block in blocks of lists of an entry": { isOfProjects: false, depth: 3 },
  "the fields of a project": { isOfProjects: true, depth: 0 },
  "a block in the fields of a project": { isOfProjects: true, depth: 1 },
  "a block in blocks of lists in the fields of a project": { isOfProjects: true, depth: 3 },
};

it.each(Object.entries(PLACES))(
  "C1, B5a, B5b: values in %s have the problems of the same values elsewhere",
  (_place, { isOfProjects, depth }) => {
    const inBlock = depth > 0;
    const isPossible = (field: object) =>
      !isOfProjects || inBlock || !("localized" in field || "query" in field);
    const cases = VALUES.filter(([field]) => isPossible(field));
    const own = cases.map(([field], at) => ({ key: `f${at}`, ...field }) as FieldDefinition);
    const values = cases.flatMap(([, value], at) =>
      value === undefined ? [] : [[`f${at}`, value]],
    );
    const block = (id: string, fields = own) => ({ id, key: id, name: id, fields });
    const list = [{ key: "blocks", type: "content-block", repeatable: true }] as FieldDefinition[];
    const fields = inBlock ? list : own;
    let data: JsonObject = Object.fromEntries(values);
    for (let at = 0; at < depth; at += 1) {
      data = { blocks: [{ contentBlockId: at === 0 ? "b" : "outer", data }] };
    }
    const neighbour = { id: "w2", entries: [{ id: "there", modelId: "shop", data: {} }] };
    const bed = new TestBed(neighbour, {
      models: [{ ...MODEL, fields: isOfProjects ? [] : fields }, SHOP],
      blocks: [
        block("plain", []),
        { ...block("c", []), category: "c" },
        ...(inBlock ? [block("b"), block("outer", list)] : []),
      ],
      ...(isOfProjects && { fields }),
      projects: ["de", "en"].map((locale) => ({
        ...projectOf(locale, "home"),
        locale,
        ...(isOfProjects && { fields: data }),
      })),
      entries: [
        entry("home", isOfProjects ? {} : data),
        { id: "shop", modelId: "shop", data: {} },
        { id: "draft", modelId: "shop", draft: true, data: {} },
      ],
    });
    const found = bed.check("w").map(({ level, code, at: { path } }) => {
      const [, number] = /\/f(?:ields\/)?(\d+)/.exec(path) ?? [];
      return `${number} ${level} ${code}`;
    });
    const expected = cases.map(([, , problem], at) => `${at} ${problem}`);
    expect([...new Set(found)].sort()).toEqual(expected.sort());
  },
);
