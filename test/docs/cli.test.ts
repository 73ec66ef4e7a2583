import type { Argument, Command, Option } from "commander";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { commandTree } from "../../src/cli/main.ts";
import { FINDINGS, reportError } from "../../src/cli/output/report-error.ts";
import { SvcError, UsageError } from "../../src/workspace/errors.ts";
import { codeBlocks, DOCUMENTS, documentText, sections, withoutCode } from "./documents.ts";

const SECTIONS = sections(documentText("docs/cli.md"));
const SHARED = optionsIn("Options of every command");
const HELP = "-h, --help";

const TREE = await commandTree();

/** What a command takes, as its help shows it. */
function flagsOf(command: Command): string[] {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [...args, ...command.options.map(({ flags }) => flags)];
}

/** The rows of the table of a section of docs/cli.md: what is given, and its meaning. */
function rowsIn(heading: string): Map<string, string> {
  const { body = "" } = SECTIONS.find((section) => section.heading === heading) ?? {};
  const rows = body.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm);
  return new Map([...rows].map(([, flags = "", meaning = ""]) => [flags, meaning]));
}

function optionsIn(heading: string): string[] {
  return [...rowsIn(heading).keys()];
}

/** The default of an option or argument, as its help shows it; "" for none. */
function defaultOf({ defaultValue, defaultValueDescription, description }: Option | Argument) {
  const value = defaultValueDescription ?? defaultValue;
  if (typeof value === "string" || typeof value === "number") return String(value);
  return /\(default: (\S+)\)/.exec(description)?.[1] ?? "";
}

function optionsNamedIn(text: string): string[] {
  return text.match(/(?<![\w-])--[a-z][\w-]*/g) ?? [];
}

describe("docs/cli.md", () => {
  it("has a section for every command, and none for another", () => {
    const headings = SECTIONS.map(({ heading }) => heading).filter((text) => /^svc\b/.test(text));
    expect(headings.toSorted()).toEqual([...TREE.keys()].toSorted());
    expect(TREE.size).toBeGreaterThan(25);
  });

  it("has the options that every command shares", () => {
    expect(SHARED).toContain(HELP);
    const runnable = [...TREE.values()].filter((command) => command.options.length > 0).slice(1);
    for (const command of runnable) {
      expect([...flagsOf(command), HELP], command.name()).toEqual(expect.arrayContaining(SHARED));
    }
  });

  it.each([...TREE.keys()])("has every argument and option of %s, and no other", (words) => {
    const flags = flagsOf(TREE.get(words) as Command);
    const own = words === "svc" ? [...flags, HELP] : flags.filter((one) => !SHARED.includes(one));
    expect(optionsIn(words).toSorted()).toEqual(own.toSorted());
  });

  it.each([...TREE.keys()])("has the defaults of %s, and no other", (words) => {
    const rows = new Map([...rowsIn("Options of every command"), ...rowsIn(words)]);
    const { options, registeredArguments } = TREE.get(words) as Command;
    for (const [given, one] of [
      ...registeredArguments.map(
        (one) => [one.required ? `<${one.name()}>` : `[${one.name()}]`, one] as const,
      ),
      ...options.map((one) => [one.flags, one] as const),
    ]) {
      const [, documented = ""] = /\(default `?([^`);,]+)/.exec(rows.get(given) ?? "") ?? [];
      expect({ given, default: documented }).toEqual({ given, default: defaultOf(one) });
    }
  });

  it("names each environment variable that an option reads", () => {
    const read = [...TREE.values()].flatMap(({ options }) =>
      options.flatMap(({ envVar = [] }) => envVar),
    );
    for (const name of read) expect(documentText("docs/cli.md")).toContain(name);
    expect(new Set(read).size).toBeGreaterThan(3);
  });
});

describe("exit statuses", () => {
  it.each(["docs/cli.md", "docs/spec/cli.md"])("%s has each, and no other", (path) => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    const errors = [
      new SvcError("folder-invalid", "refused", {}),
      new UsageError("usage", ""),
      new SvcError("store-locked", "failed", {}),
      new Error(),
    ];
    const statuses = errors.map((error) => reportError(error, { json: true, debug: false }));
    const rows = [...documentText(path).matchAll(/^\| (\d+) \|/gm)].map(([, status]) => status);
    expect(rows.map(Number)).toEqual([0, ...statuses]);
  });

  it("docs/cli.md has each error of status 1, and no other", () => {
    const [, text = ""] =
      /Refusals of content are the errors([^.]*)\./.exec(documentText("docs/cli.md")) ?? [];
    expect([...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code)).toEqual([...FINDINGS]);
  });
});

it("README.md and docs have the defaults of the options that they explain", () => {
  const options = [...TREE.values()].flatMap((command) => command.options);
  const defaultsOf = (long: string) =>
    options.filter((option) => option.long === long).map(defaultOf);
  const others = [...DOCUMENTS].filter(([path]) => path !== "docs/cli.md");
  const named = others.flatMap(([path, text]) =>
    [...text.matchAll(/(--[a-z-]+)[^`|]*`[^|.]{0,60}?\bdefault `?([\w.]+)/g)].map(
      ([, option = "", value = ""]) => ({ path, option, value }),
    ),
  );
  expect(named.filter(({ option, value }) => !defaultsOf(option).includes(value))).toEqual([]);
  expect(named.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["docs/releases.md", "docs/spec/decisions.md"]),
  );
});

it("README.md and docs name no option that the program does not have", () => {
  const flags = [...TREE.values()].flatMap(flagsOf).join(" ");
  const known = new Set([...optionsNamedIn(flags), "--help"]);
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
    const [names, words] = [["svc"], line.trim().split(/\s+/)];
    while (TREE.has([...names, words[0]].join(" "))) names.push(words.shift() as string);
    const command = TREE.get(names.join(" ")) as Command;
    // A plain word behind a command that has others below it is meant to be one of these.
    if (command.commands.length > 0 && /^[a-z]+$/.test(words[0] ?? "")) return [line];
    const known = [...flagsOf(command), ...SHARED].join(" ");
    const given = line.match(/(?<![\w-])--?[a-z][\w-]*/g) ?? [];
    return given.filter((option) => !known.split(/[\s,]+/).includes(option));
  }
});
