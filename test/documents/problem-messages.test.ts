import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProblemArguments, ProblemCode } from "../../src/workspace/problem.ts";
import { PROBLEM_LEVELS, problem } from "../../src/workspace/problem.ts";
import { describedProblem } from "../../src/workspace/problem-messages.ts";
import { ROOT } from "../support/program.ts";

const AT = { kind: "entry", id: "home", path: "/a" } as const;

type Example = {
  [C in ProblemCode]: [code: C, args: ProblemArguments[C], message: string];
}[ProblemCode];

const EXAMPLES: readonly Example[] = [
  ["value-missing", { field: "a" }, 'the required field "a" has no value'],
  [
    "value-missing",
    { field: "a", locale: "de" },
    'the required field "a" has no value in "de" or in its fallback locales',
  ],
  [
    "locale-missing",
    {},
    "the project has no locale, so no localized value is served in it; set locale",
  ],
  ["locale-unused", { locale: "fr" }, 'no project has the locale "fr", so the value is not served'],
  [
    "locale-unused",
    { locale: "EN", suggestion: "en" },
    'no project has the locale "EN" (did you mean "en"?), so the value is not served',
  ],
  [
    "locale-invalid",
    { locale: "de_DE" },
    '"de_DE" is not a language tag by BCP 47, as "en" or "pt-BR" are; clients may not know it',
  ],
  [
    "locale-invalid",
    { locale: "de_DE", isUnused: true },
    '"de_DE" is not a language tag by BCP 47, as "en" or "pt-BR" are; no project has it, so the value is not served',
  ],
  [
    "value-type",
    { expected: "localized" },
    "the stored value is not an object with a value for each locale, so it is not served",
  ],
  ["value-type", { expected: "list" }, "the stored value is not a list, so it is not served"],
  [
    "value-type",
    { expected: "asset" },
    'the stored value is not an object { "assetId", "versionId"? } of strings, so it is not served',
  ],
  [
    "value-duplicate",
    { field: "slug", other: "home" },
    'the entry "home" has the same value; the field "slug" is unique',
  ],
  [
    "value-duplicate",
    { field: "slug", other: "home", locale: "de" },
    'the entry "home" has the same value in "de"; the field "slug" is unique',
  ],
  [
    "value-constraint",
    { constraint: "minItems", count: 1, limit: 2 },
    "the value has 1 items, fewer than minItems 2",
  ],
  [
    "value-constraint",
    { constraint: "maxItems", count: 3, limit: 2 },
    "the value has 3 items, more than maxItems 2",
  ],
  [
    "value-constraint",
    { constraint: "minLength", count: 1, limit: 2 },
    "the value has 1 characters, fewer than minLength 2",
  ],
  [
    "value-constraint",
    { constraint: "maxLength", count: 3, limit: 2 },
    "the value has 3 characters, more than maxLength 2",
  ],
  [
    "value-constraint",
    { constraint: "minimum", value: 1, limit: 2 },
    "the value 1 is less than minimum 2",
  ],
  [
    "value-constraint",
    { constraint: "maximum", value: 3, limit: 2 },
    "the value 3 is greater than maximum 2",
  ],
  [
    "value-constraint",
    { constraint: "pattern", pattern: "^a$" },
    "the value does not match the pattern ^a$",
  ],
  [
    "value-constraint",
    { constraint: "options", value: "c", options: ["a", "b"] },
    'the value "c" is not one of the options "a", "b"',
  ],
  [
    "value-constraint",
    { constraint: "format", format: "date", value: "soon" },
    'the value "soon" is not a calendar date as YYYY-MM-DD',
  ],
  [
    "block-not-accepted",
    { block: "quote", category: "top" },
    'the block "quote" is not of the category "top" that the field accepts',
  ],
  [
    "reference-model-not-accepted",
    { target: "x", model: "m", accepted: ["shop", "page"] },
    'the entry "x" is of the model "m"; the field accepts only "shop", "page"',
  ],
  ["reference-deleted", { target: "x" }, 'there is no entry "x" (deleted?)'],
  [
    "reference-deleted",
    { target: "x", suggestion: "y" },
    'there is no entry "x" (did you mean "y"?)',
  ],
  [
    "field-unknown",
    { field: "titel", suggestion: "title" },
    'there is no field "titel" (did you mean "title"?), so its value is not served',
  ],
  [
    "field-unknown",
    { field: "old" },
    'there is no field "old" (deleted?), so its value is not served',
  ],
  [
    "option-unknown",
    { field: "by", option: "models", name: "autor", suggestion: "author" },
    'the field "by" accepts the model "autor", which does not exist (did you mean "author"?)',
  ],
  [
    "option-unknown",
    { field: "body", option: "category", name: "hero" },
    'the field "body" accepts blocks of the category "hero", which no block has (deleted?)',
  ],
  [
    "rich-text-malformed",
    { found: "pointer", member: "assetId" },
    'the object with "assetId" is no pointer, so it is served as it is stored; a pointer has no other members than { "contentEntryId": string }, { "assetId": string, "versionId"?: string } or { "contentBlockId": string, "data": object }',
  ],
  [
    "rich-text-malformed",
    { found: "pointer", member: "assetID", suggestion: "assetId" },
    'the object with "assetID" is no pointer (did you mean "assetId"?), so it is served as it is stored; a pointer has no other members than { "contentEntryId": string }, { "assetId": string, "versionId"?: string } or { "contentBlockId": string, "data": object }',
  ],
  [
    "rich-text-malformed",
    { found: "node", is: "null" },
    "null is neither a node, a list nor a text",
  ],
  [
    "rich-text-malformed",
    { found: "mark", is: "number" },
    "a number is neither a mark nor the name of one",
  ],
  [
    "image-unreadable",
    { fileName: "a.png", mimeType: "image/png" },
    'the file "a.png" cannot be read as image/png, so it is served without width and height',
  ],
  [
    "reference-draft",
    { target: "x", because: "draft" },
    'the entry "x" is a draft, so it is not published',
  ],
  [
    "reference-draft",
    { target: "x", because: "unpublishAt" },
    'the entry "x" is over (unpublishAt), so it is not published',
  ],
  [
    "step-entry-draft",
    { step: "home", target: "x", because: "publishAt" },
    'the step "home" shows the entry "x", which is not due yet (publishAt), so it is published without content',
  ],
  [
    "reference-other-workspace",
    { target: "x" },
    'the entry "x" belongs to another workspace, so it is not served',
  ],
  [
    "reference-too-deep",
    { target: "x", project: "site", experience: "e", others: 0 },
    'the entry "x" is more than 5 references away in the experience "e" of the project "site", so it is not served there',
  ],
  [
    "reference-too-deep",
    { target: "x", project: "site", experience: "e", others: 2 },
    'the entry "x" is more than 5 references away in the experience "e" of the project "site" and in 2 more, so it is not served there',
  ],
  [
    "model-missing",
    { modelId: "m" },
    'there is no model "m" (deleted?), so the entry is served without data',
  ],
  [
    "model-missing",
    { modelId: "autor", suggestion: "author" },
    'there is no model "autor" (did you mean "author"?), so the entry is served without data',
  ],
  ["asset-missing", { asset: "a" }, 'there is no asset "a" (deleted?)'],
  [
    "asset-missing",
    { asset: "a", version: "v", suggestion: "b" },
    'there is no asset "a" (did you mean "b"?)',
  ],
  [
    "asset-missing",
    { asset: "a", version: "v" },
    'there is no version "v" of the asset "a" (deleted?)',
  ],
  [
    "html-unreadable",
    { asset: "a", reason: "missing" },
    'the text of the asset "a" cannot be served: there is no such asset (deleted?)',
  ],
  [
    "html-unreadable",
    { asset: "a", version: "v", reason: "missing" },
    'the text of the asset "a" cannot be served: there is no such version "v" (deleted?)',
  ],
  [
    "html-unreadable",
    { asset: "a", reason: "not-utf-8" },
    'the text of the asset "a" cannot be served: it is not valid UTF-8',
  ],
  [
    "block-deleted",
    { block: "b" },
    'there is no block definition "b" (deleted?), so the block is not served',
  ],
  [
    "step-entry-missing",
    { step: "s", target: "x" },
    'the step "s" shows the entry "x", which does not exist (deleted?)',
  ],
  [
    "experience-step-missing",
    { experience: "e", step: "s" },
    'the experience "e" names the step "s", which does not exist (deleted?)',
  ],
  [
    "value-constraint",
    { constraint: "pattern", pattern: "(a+)+$", isTooSlow: true },
    "the value takes too long to test with the pattern (a+)+$; change the pattern or the value",
  ],
  [
    "pattern-unbounded",
    { field: "f", pattern: "(a+)+$", reason: "exponential" },
    'the pattern (a+)+$ of the field "f" may take exponential time, here and in every reader of the schema: a repeated part of it matches some text in several ways; rewrite it so that there is only one way',
  ],
  [
    "pattern-unbounded",
    { field: "f", pattern: "a", reason: "not-analysed" },
    'the pattern a of the field "f" may take any time, here and in every reader of the schema: it is too large, or too new, to be analysed; shorten it',
  ],
  [
    "document-over-1mb",
    {
      ...{ document: "content", bytes: 1_449_000, experience: "e" },
      through: { entry: "x", bytes: 1_200_000 },
    },
    'the content document of the experience "e" has 1.4 MB, 1.2 MB of it through the entry "x"; clients load all of it',
  ],
  [
    "document-over-10mb",
    { document: "schema", bytes: 10_000_001 },
    "the schema document has 10.0 MB; CloudFront compresses no file above 10 MB",
  ],
  [
    "experience-too-deep",
    { experience: "e", count: 12, entry: "x", pointers: 7 },
    'the experience "e" leaves out 12 entries that are more than 5 references away, the most of its project; 7 of the references to them are in the entry "x"',
  ],
];

describe("P1: a problem is printed as level, code, place and message", () => {
  it.each(EXAMPLES)("P2, P3: %s %j", (code, args, message) => {
    const level = PROBLEM_LEVELS[code];
    expect(describedProblem(problem(AT, code, args))).toEqual({ level, code, at: AT, message });
  });

  it("P2, P3: every code has a message", () => {
    const codes = new Set(EXAMPLES.map(([code]) => code));
    expect([...codes].sort()).toEqual(Object.keys(PROBLEM_LEVELS).sort());
  });

  it("P1: every code has a title on the preview page, which lists no other", () => {
    const view = join(ROOT, "src/server/page/browser/view-problems.ts");
    const titles = readFileSync(view, "utf8").matchAll(/^ {2}"([\w-]+)": "/gm);
    expect([...titles].map(([, code]) => code).sort()).toEqual(Object.keys(PROBLEM_LEVELS).sort());
  });
});
