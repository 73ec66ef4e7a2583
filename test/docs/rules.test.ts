import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { ROWS, rowsIn } from "../support/import-rows.ts";
import { DOCUMENTS, documentText, ROOT } from "./documents.ts";
import { readScript } from "./script.ts";

const CODE = /\b[A-Z]\d{1,2}[a-z]?\b/g;
/** The rules that a title begins with: "E2: …", "H1, H3: …". */
const BEGUN = /^((?:[A-Z]\d{1,2}[a-z]?, )*[A-Z]\d{1,2}[a-z]?): /;

/** Paths and texts of our own files below a folder. */
const filesBelow = (folder: string) =>
  pathsBelow(join(ROOT, folder))
    .filter((path) => /\.(?:ts|js|css|html)$/.test(path))
    .map((path) => [`${folder}/${path}`, readFileSync(join(ROOT, folder, path), "utf8")] as const);

const SOURCES = ["src", "bin", "scripts"].flatMap(filesBelow);
const TESTS = filesBelow("test");

/** The scripts among them by path, read. */
const SCRIPTS = new Map(
  [...SOURCES, ...TESTS]
    .filter(([path]) => /\.[jt]s$/.test(path))
    .map(([path, text]) => [path, readScript(text)] as const),
);

/** The rules of docs/spec: the path of the chapter, the number, the text with its bullets. */
const RULE_TEXTS = [...DOCUMENTS]
  .filter(([path]) => path.startsWith("docs/spec/"))
  .flatMap(([path, text]) =>
    [...text.matchAll(/^- ([A-Z]\d{1,2}[a-z]?)\. ((?:.|\n(?!- |#|\n))*)/gm)].map(
      ([, rule = "", words = ""]) => ({ path, rule, words }),
    ),
  );
const RULES = RULE_TEXTS.map(({ rule }) => rule);

/** The comments of scripts, style sheets and pages. */
const COMMENTS = [...SOURCES, ...TESTS].flatMap(([path, text]) => {
  const other = text.match(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g) ?? [];
  return (SCRIPTS.get(path)?.comments ?? other).map((comment) => [path, comment] as const);
});

/** The titles of tests, and of the rows that tests are made of. */
const TITLES = [
  ...[...SCRIPTS]
    .filter(([path]) => path.endsWith(".test.ts"))
    .flatMap(([path, { titles }]) => titles.map((title) => [path, title] as const)),
  ...pathsBelow(join(ROOT, ROWS))
    .map((path) => `${ROWS}/${path}`)
    .flatMap((path) => Object.keys(rowsIn(path)).map((title) => [path, title] as const)),
];

/** The rules that texts cite, each with its path. */
function citedIn(texts: readonly (readonly [path: string, text: string])[]) {
  return texts.flatMap(([path, text]) =>
    [...text.matchAll(CODE)].map(([rule]) => [path, rule] as const),
  );
}

describe("the rules of docs/spec", () => {
  it("have a number each", () => {
    expect(RULES.filter((rule, at) => RULES.indexOf(rule) !== at)).toEqual([]);
    expect(RULES.length).toBeGreaterThan(70);
  });

  it("are short: 60 words at most, exceptions included", () => {
    const long = RULE_TEXTS.filter(({ words }) => (words.match(/\S*\w\S*/g) ?? []).length > 60);
    expect(long.map(({ rule }) => rule)).toEqual([]);
  });

  it("are in the chapter that decisions.md names for their letter", () => {
    const table = documentText("docs/spec/decisions.md");
    const chapters = new Map(
      [...table.matchAll(/^\| ([A-Z]) \|.*\((rules\/[a-z]+\.md)/gm)].map(([, letter, path]) => [
        letter,
        path,
      ]),
    );
    const wrong = RULE_TEXTS.filter(
      ({ rule, path }) => path !== `docs/spec/${chapters.get(rule.charAt(0))}`,
    );
    expect(wrong.map(({ rule }) => rule)).toEqual([]);
  });

  it("are those that comments of the sources and of the tests cite", () => {
    const cited = citedIn(COMMENTS);
    expect(cited.filter(([, rule]) => !RULES.includes(rule))).toEqual([]);
    expect(new Set(cited.map(([, rule]) => rule)).size).toBeGreaterThan(20);
  });

  it("are those that messages cite", () => {
    const strings = [...SCRIPTS]
      .filter(([path]) => !path.startsWith("test/"))
      .flatMap(([path, { strings }]) => strings.map((text) => [path, text] as const));
    expect(citedIn(strings).filter(([, rule]) => !RULES.includes(rule))).toEqual([]);
    expect(citedIn(strings).length).toBeGreaterThan(4);
  });

  it("are those that other documents cite", () => {
    const prose = [...DOCUMENTS].map(
      ([path, text]) => [path, text.replace(/`[^`]*`/g, "")] as const,
    );
    const cited = citedIn(prose);
    // Amazon's and Cloudflare's stores are no rules.
    const wrong = cited.filter(([, rule]) => !["S3", "R2"].includes(rule));
    expect(wrong.filter(([, rule]) => !RULES.includes(rule))).toEqual([]);
  });

  it("are those that titles of tests cite, and each begins one", () => {
    expect(citedIn(TITLES).filter(([, rule]) => !RULES.includes(rule))).toEqual([]);
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

it("no test is left out", () => {
  const leftOut = [...SCRIPTS].flatMap(([path, { leftOut }]) =>
    leftOut.map((call) => [path, call]),
  );
  expect(leftOut).toEqual([]);
  for (const example of [
    'it.skip("a")',
    'describe.only.each([1])("a")',
    'it("a", { todo: true })',
  ]) {
    expect(readScript(example).leftOut, example).not.toEqual([]);
  }
  expect(readScript('it.each([1])("a", () => {}); // it.skip("a")').leftOut).toEqual([]);
});

it("a rule or a reason is cited, not where it was discussed", () => {
  const wrong = [...SOURCES, ...TESTS, ...DOCUMENTS].filter(([, text]) =>
    /\bissues? #?\d/i.test(text),
  );
  expect(wrong.map(([path]) => path)).toEqual([]);
});
