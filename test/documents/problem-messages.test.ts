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

/** What a message says more when its arguments say more. The oracle freezes the plain ones. */
const EXAMPLES: readonly Example[] = [
  ["value-missing", { field: "a" }, 'the required field "a" has no value'],
  [
    "value-missing",
    { field: "a", locale: "de" },
    'the required field "a" has no value in "de" or in its fallback locales',
  ],
  [
    "value-duplicate",
    { field: "slug", other: "home", locale: "de" },
    'the entry "home" has the same value in "de"; the field "slug" is unique',
  ],
  [
    "condition-invalid",
    { field: "tgas", reason: "unknown", suggestion: "tags" },
    'there is no field "tgas" (did you mean "tags"?)',
  ],
  [
    "condition-invalid",
    { field: "day", reason: "never", type: "date", model: "page" },
    'the field "day" of the model "page" is of the type "date", so the condition never holds',
  ],
  [
    "document-heavy",
    {
      document: "content",
      bytes: 203_000,
      experience: "articles-1",
      through: { entries: 20, bytes: 201_000 },
      others: 1_200,
    },
    'the content document of the experience "articles-1" has 203.0 kB, 201.0 kB of it in 20 entries of its steps; clients load all of it; 1,200 more of the project are over 150 kB',
  ],
  [
    "value-type",
    { expected: "asset" },
    'the stored value is not an object { "assetId", "versionId"? } of strings, so it is not served',
  ],
  [
    "value-constraint",
    { constraint: "minItems", count: 1, limit: 2 },
    "the value has 1 of at least 2 items",
  ],
  [
    "value-constraint",
    { constraint: "format", format: "date", value: "soon" },
    'the value "soon" is not a calendar date as YYYY-MM-DD',
  ],
  [
    "reference-deleted",
    { target: "x", suggestion: "y" },
    'there is no entry "x" (did you mean "y"?)',
  ],
  ["reference-deleted", { target: "x" }, 'there is no entry "x" (deleted?)'],
  [
    "reference-draft",
    { target: "x", because: "draft", lacks: { field: "author", least: 1 } },
    'the entry "x" is a draft, so it is not published; the required field "author" has no target without it',
  ],
  [
    "reference-deleted",
    { target: "x", lacks: { field: "authors", least: 2 } },
    'there is no entry "x" (deleted?); the field "authors" has fewer than 2 targets without it',
  ],
  [
    "value-missing",
    { field: "title", locales: ["de", "en", "fr"], others: 2 },
    'the required field "title" has no value in "de", "en", "fr" and 2 more, or in their fallback locales',
  ],
  [
    "rich-text-malformed",
    { found: "member", member: "contnet", suggestion: "content" },
    'clients read no "contnet" of a node (did you mean "content"?); what is in it is not shown',
  ],
  [
    "step-entry-draft",
    { step: "home", target: "x", because: "publishAt" },
    'the step "home" shows the entry "x", which is not due yet (publishAt), so it is published without content',
  ],
  [
    "asset-missing",
    { asset: "a", version: "v" },
    'there is no version "v" of the asset "a" (deleted?)',
  ],
  [
    "reference-too-deep",
    { target: "x", project: "site", experience: "e", others: 2 },
    'the entry "x" is more than 5 references away in the experience "e" of the project "site" and in 2 more, so it is not served there',
  ],
  [
    "document-heavy",
    {
      document: "content",
      bytes: 11_400_000,
      experience: "e",
      through: { entry: "x", field: "menu.items", entries: 50, bytes: 1_200_000 },
    },
    'the content document of the experience "e" has 11.4 MB, 1.2 MB of it in 50 entries by menu.items of the entry "x"; clients load all of it; CloudFront compresses no file above 10 MB',
  ],
];

describe("P1: a problem is printed as level, code, place and message", () => {
  it.each(EXAMPLES)("P2, P3: %s %j", (code, args, message) => {
    const level = PROBLEM_LEVELS[code];
    expect(describedProblem(problem(AT, code, args))).toEqual({ level, code, at: AT, message });
  });

  it("P1: every code has a title on the preview page, which lists no other", () => {
    const view = join(ROOT, "src/page/browser/view-problems.tsx");
    const titles = readFileSync(view, "utf8").matchAll(/^ {2}"([\w-]+)": "/gm);
    expect([...titles].map(([, code]) => code).sort()).toEqual(Object.keys(PROBLEM_LEVELS).sort());
  });
});
