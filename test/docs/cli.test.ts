import { describe, expect, it, onTestFinished, vi } from "vitest";
import { reportError } from "../../src/cli/output/report-error.ts";
import { type Row, SHARED } from "../../src/cli/table/options.ts";
import { TABLE, takenBy } from "../../src/cli/table/table.ts";
import { SvcError, UsageError } from "../../src/workspace/errors.ts";
import { codeBlocks, DOCUMENTS, documentText, sections, withoutCode } from "./documents.ts";

const NAMES = Object.keys(TABLE);
const ROWS = [...Object.entries<Row>(SHARED), ...NAMES.flatMap(takenBy)];
const flagsOf = (words: string) => takenBy(words).map(([flags]) => flags);

function optionsNamedIn(text: string): string[] {
  return text.match(/(?<![\w-])--[a-z][\w-]*/g) ?? [];
}

// The tables of options are made of the same table as the program (`npm run check`).
it("docs/cli.md has a section for every command, and none for another", () => {
  const headings = sections(documentText("docs/cli.md")).map(({ heading }) => heading);
  const commands = headings.filter((text) => /^svc\b/.test(text));
  expect(commands.toSorted()).toEqual(["svc", ...NAMES.map((words) => `svc ${words}`)].toSorted());
});

describe("exit statuses", () => {
  it.each(["docs/cli.md", "docs/spec/cli.md"])("%s has each, and no other", (path) => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    const errors = [
      new SvcError("folder-invalid", "refused", {}),
      new UsageError("usage", ""),
      new SvcError("store-locked", "failed", {}),
      new SvcError("store-damaged", "refused", {}),
      new Error(),
    ];
    const statuses = errors.map((error) => reportError(error, { json: true, debug: false }));
    const rows = [...documentText(path).matchAll(/^\| (\d+) \|/gm)].map(([, status]) => status);
    // Behind it docs/cli.md has the codes of each.
    expect(rows.map(Number).slice(0, 6)).toEqual([0, ...statuses]);
  });
});

it("README.md and docs have the defaults of the options that they explain", () => {
  const defaultsOf = (long: string) =>
    ROWS.filter(([flags]) => flags.startsWith(`${long} `)).map(([, row]) => row[2]);
  const others = [...DOCUMENTS].filter(([path]) => path !== "docs/cli.md");
  const named = others.flatMap(([path, text]) =>
    [...text.matchAll(/(--[a-z-]+)[^`|]*`[^|.]{0,60}?\bdefault `?([\w.]+)/g)].map(
      ([, option = "", value = ""]) => ({ path, option, value }),
    ),
  );
  expect(named.filter(({ option, value }) => !defaultsOf(option).includes(value))).toEqual([]);
  expect(named.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["docs/releases.md", "docs/spec/rules/versions.md"]),
  );
});

it("README.md and docs name no option that the program does not have", () => {
  const flags = ROWS.map(([flags]) => flags).join(" ");
  const known = new Set([...optionsNamedIn(flags), "--help", "--version"]);
  // npm and npx have options of their own.
  const proseOf = (text: string) =>
    withoutCode(text).replace(/`npm [^`]*`|(?<=`npx )--no-install/g, "");
  const named = [...DOCUMENTS].flatMap(([path, text]) =>
    optionsNamedIn(proseOf(text)).map((option) => [path, option] as const),
  );
  expect(named.filter(([, option]) => !known.has(option))).toEqual([]);
  expect(known.size).toBeGreaterThan(40);
});

describe("commands in README.md and docs", () => {
  /** Command lines in blocks of code, and commands quoted in prose. */
  const lines = [...DOCUMENTS].flatMap(([path, text]) => {
    const code = codeBlocks(text).flatMap(({ code }) => code.split("\n"));
    const quoted = [...text.matchAll(/`(svc [^`]+)`/g)].map(([, line = ""]) => line);
    return [...code.map((line) => line.replace(/(?:^|\s)#.*/, "")), ...quoted].flatMap((line) =>
      [...line.matchAll(/\bsvc ([a-z][^|;&>)]*)/g)].map(([, words = ""]) => [path, words] as const),
    );
  });

  it("are commands, with options that they have", () => {
    expect(
      lines.flatMap(([path, line]) => wrongIn(line).map((what) => ({ path, line, what }))),
    ).toEqual([]);
    expect(lines.length).toBeGreaterThan(60);
  });

  /** The words and options of a command line that the program does not know. */
  function wrongIn(line: string): string[] {
    const words = line.trim().split(/\s+/);
    const [first = "", second] = words;
    const both = `${first} ${second}`;
    const name = NAMES.includes(both) ? both : first;
    const hasBelow = NAMES.some((one) => one.startsWith(`${name} `));
    // A plain word behind a command that has others below it is meant to be one of these.
    if (!NAMES.includes(name) || (hasBelow && /^[a-z]+$/.test(second ?? ""))) return [line];
    const known = [...flagsOf(name), ...Object.keys(SHARED), "-h, --help"].join(" ");
    const given = line.match(/(?<![\w-])--?[a-z][\w-]*/g) ?? [];
    return given.filter((option) => !known.split(/[\s,]+/).includes(option));
  }
});
