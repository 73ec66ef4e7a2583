import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { DOCUMENTS, documentText, ROOT } from "./documents.ts";

const CODE = /\b[A-Z]\d{1,2}[a-z]?\b/g;
/** The rules that a title begins with: "E2: …", "H1, H3: …". */
const BEGUN = /^((?:[A-Z]\d{1,2}[a-z]?, )*[A-Z]\d{1,2}[a-z]?): /;

/** Paths and texts of the program's own files below a folder. */
const filesBelow = (folder: string) =>
  pathsBelow(join(ROOT, folder))
    .filter((path) => /\.(?:ts|js|css|html)$/.test(path))
    .map((path) => [`${folder}/${path}`, readFileSync(join(ROOT, folder, path), "utf8")] as const);

const SOURCES = filesBelow("src");
const TESTS = filesBelow("test");

const RULES = [...DOCUMENTS]
  .filter(([path]) => path.startsWith("docs/spec/"))
  .flatMap(([, text]) => [...text.matchAll(/^- ([A-Z]\d{1,2}[a-z]?)\. /gm)])
  .map(([, rule = ""]) => rule);

/** The lines of comments, and the comments behind code. */
function commentsOf(text: string): string[] {
  return [...text.matchAll(/^\s*(?:\/\*\*?|\*|\/\/)(.*)$|[;,{] \/\/(.*)$/gm)].map(
    ([, line, behind]) => line ?? behind ?? "",
  );
}

/** The titles of tests and suites, templates included. */
function titlesOf(text: string): string[] {
  const call =
    /\b(?:it|test|describe)(?:\.\w+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?)*\(\s*(["'`])((?:\\.|(?!\1)[\s\S])*)\1/g;
  return [...text.matchAll(call)].map(([, , title = ""]) => title);
}

const TITLES = TESTS.filter(([path]) => path.endsWith(".test.ts")).flatMap(([path, text]) =>
  titlesOf(text).map((title) => [path, title] as const),
);

describe("the rules of docs/spec", () => {
  it("have a number each", () => {
    expect(RULES.filter((rule, at) => RULES.indexOf(rule) !== at)).toEqual([]);
    expect(RULES.length).toBeGreaterThan(70);
  });

  it("are those that comments of the sources and of the tests cite", () => {
    const cited = [...SOURCES, ...TESTS].flatMap(([path, text]) =>
      commentsOf(text).flatMap((line) =>
        [...line.matchAll(CODE)].map(([rule]) => [path, rule] as const),
      ),
    );
    expect(cited.filter(([, rule]) => !RULES.includes(rule))).toEqual([]);
    expect(new Set(cited.map(([, rule]) => rule)).size).toBeGreaterThan(20);
  });

  it("are those that other documents cite", () => {
    const cited = [...DOCUMENTS].flatMap(([path, text]) =>
      [...text.replace(/`[^`]*`/g, "").matchAll(CODE)].map(([rule]) => [path, rule] as const),
    );
    // Amazon's and Cloudflare's stores are no rules.
    const wrong = cited.filter(([, rule]) => !["S3", "R2"].includes(rule));
    expect(wrong.filter(([, rule]) => !RULES.includes(rule))).toEqual([]);
  });

  it("are those that titles of tests cite, and each begins one", () => {
    const cited = TITLES.flatMap(([path, title]) =>
      [...title.matchAll(CODE)].map(([rule]) => [path, rule] as const),
    );
    expect(cited.filter(([, rule]) => !RULES.includes(rule))).toEqual([]);
    const begun = TITLES.flatMap(([, title]) => (BEGUN.exec(title)?.[1] ?? "").split(", "));
    expect(RULES.filter((rule) => !begun.includes(rule))).toEqual([]);
  });

  it("are in documents that can be opened where a title names one", () => {
    const names = new Set([...DOCUMENTS.keys()].map((path) => path.replace(/^.*\//, "")));
    const named = TITLES.flatMap(([path, title]) =>
      [...title.matchAll(/^[\w-]+\.md\b/g)].map(([name]) => [path, name] as const),
    );
    expect(named.filter(([, name]) => !names.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });

  it("name the parts of service.md that titles cite by number", () => {
    const service = documentText("docs/spec/service.md");
    const headings = [...service.matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) =>
      text.toLowerCase(),
    );
    const cited = TITLES.flatMap(
      ([, title]) => /^service\.md, ([a-z ]+) \d+:/.exec(title)?.[1] ?? [],
    );
    expect(cited.filter((part) => !headings.includes(part))).toEqual([]);
    expect(cited.length).toBeGreaterThan(8);
  });
});

it("a rule or a reason is cited, not where it was discussed", () => {
  const wrong = [...SOURCES, ...TESTS, ...DOCUMENTS].filter(([, text]) => /\bissue \d/i.test(text));
  expect(wrong.map(([path]) => path)).toEqual([]);
});
