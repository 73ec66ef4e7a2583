import { describe, expect, it } from "vitest";
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
  "pattern-unbounded",
  "document-over-1mb",
  "document-over-10mb",
  "experience-too-deep",
  "field-unknown",
  "option-unknown",
  "image-unreadable",
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
      "warning step-entry-missing project Shop#/steps/0/layoutContentId",
      "warning step-entry-missing project site#/steps/1/layoutContentId",
    ]);
  });
});
