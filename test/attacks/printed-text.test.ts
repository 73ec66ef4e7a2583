import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { markdownText } from "../../src/cli/output/formats.ts";
import { CliBed } from "../support/cli-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** Controls of both ranges, text direction, line ends, commands of GitHub's log, markup, a mention, links. */
const HOSTILE =
  "\u001b]0;owned\u0007\u009b31m\u202e\u2066\r\n::error::forged\n##[error]x ::stop-commands::y::: <b>@all</b> https://evil.example www.evil.example";

/** What no output has: characters that act in a terminal, but line ends and svc's own colours. */
const ACTS = /[^\P{C}\n]|[\u2028\u2029]/u;
const COMMAND = /##\[|^.*::.*::/m;

/** Own workflow commands, with content behind them. */
const OWN_COMMANDS = /^::(?:error|warning) (?:[a-z]+=[^\n:]*?,?)+::/gm;

let bed: CliBed;
let folder: string;
beforeEach(() => {
  bed = new CliBed();
  folder = bed.path("content");
  workspaceFolder(
    {
      "workspace.json": { id: "w", name: HOSTILE },
      "models.json": [
        { ...PAGE_MODEL, name: HOSTILE, fields: [...PAGE_MODEL.fields, SELECT, LINES] },
      ],
      "projects.json": [projectOf("site", "home")],
      "entries.json": [
        page("home", HOSTILE, { next: { contentEntryId: HOSTILE }, [HOSTILE]: 1, kind: "a" }),
      ],
    },
    folder,
  );
});

const SELECT = { key: "kind", name: "Kind", type: "select", options: ["a", HOSTILE] };
const LINES = { key: "lines", name: HOSTILE, type: "text", pattern: "^a$" };

function expectInert(printed: string): void {
  expect(printed).not.toMatch(ACTS);
  expect(printed.replaceAll(OWN_COMMANDS, "")).not.toMatch(COMMAND);
}

/** What each command printed, on both streams. */
const run = (...args: readonly string[]) => {
  const { stdout, stderr } = bed.run(...args);
  expectInert(stdout);
  expectInert(stderr);
  return stdout + stderr;
};

describe("P13b: text of contents does nothing", () => {
  it("in what commands print, also as JSON, annotations and Markdown", () => {
    for (const format of ["text", "github", "markdown"]) {
      expect(run("check", "content", "--format", format)).toContain("u001b]0;owned");
    }
    const json = run("check", "content", "--json");
    expect(
      JSON.parse(json).problems.some(({ message }: { message: string }) =>
        message.includes(HOSTILE.slice(0, 20)),
      ),
    ).toBe(true);
    bed.ok("publish", "content");
    writeFileSync(join(folder, "entries.json"), JSON.stringify([page("home", "Other")]));
    for (const format of ["text", "markdown"]) {
      expect(run("diff", "out", "content", "--format", format)).toContain("changed");
    }
    run("diff", "out", "content", "--json");
    run("stats", "content");
    run("check", HOSTILE, "--debug");
    run("diff", HOSTILE, "--json");
    run("export", HOSTILE, "--debug");
    run("types", "content", "--project", HOSTILE);
    expect(run("types", "content", "--const")).toContain("u001b]0;owned");
    run("publish", "content", "--out", HOSTILE.replaceAll("/", ""), "--debug");
  });

  it("in the names of tokens and the lists of versions", () => {
    bed.ok("import", "content");
    bed.ok("token", "create", "--name", HOSTILE);
    expect(run("token", "list")).toContain("u001b]0;owned");
    expect(JSON.parse(run("token", "list", "--json")).tokens[0].name).toBe(HOSTILE);
    bed.ok("publish");
    run("versions");
    run("versions", "--journal");
    run("rollback", HOSTILE);
    run("token", "revoke", HOSTILE);
  });

  it("in faults of a folder", () => {
    writeFileSync(
      join(folder, "entries.json"),
      JSON.stringify([{ id: "a", modelId: "page", data: {}, [HOSTILE]: 1 }]),
    );
    for (const format of ["text", "github", "markdown"])
      run("check", "content", "--format", format);
    expect(run("import", "content")).toContain("unknown member");
  });

  it("in colour on a terminal, where svc's own sequences stay", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what svc itself prints
    const own = /\u001b\[(?:1|2|22|3[0-9])m|\r\n|\r/g;
    const printed = bed.runOnTerminal("check", "content");
    expect(printed).toMatch(own);
    expectInert(printed.replaceAll(own, "\n"));
  });

  it("in Markdown: no link, no mention, no HTML, no formula", () => {
    const shown = markdownText(`${HOSTILE} $x$ GH-1 a@b.example mailto:c`);
    expect(shown).not.toMatch(/https?:\/\/|\bwww\.|@\w|GH-\d|mailto:\w|\$|<(?!!-- -->)/i);
  });
});

describe("P13b: a shown value is cut", () => {
  it("at 200 characters, between two of them", () => {
    const long = "😀".repeat(500_000);
    const entries = [
      page("home", "Home", { next: { contentEntryId: long }, kind: long, lines: long }),
    ];
    writeFileSync(join(folder, "entries.json"), JSON.stringify(entries));
    const { stdout } = bed.run("check", "content");
    expect(stdout.length).toBeLessThan(5_000);
    expect(stdout).toContain(`${"😀".repeat(99)}…`);
    expect(stdout).not.toContain("😀".repeat(101));
    expect(stdout).not.toContain("\\ud83d");
    const { error } = JSON.parse(bed.run("publish", "content", "--json").stdout);
    for (const { message } of error.problems) expect(message.length).toBeLessThan(600);
  });

  it("in the time of its length", () => {
    const started = process.cpuUsage();
    markdownText('"'.repeat(2_000_000));
    const many = page("home", "Home", { ['"'.repeat(2_000_000)]: 1 });
    writeFileSync(join(folder, "entries.json"), JSON.stringify([many]));
    bed.run("check", "content");
    expect(process.cpuUsage(started).user).toBeLessThan(20_000_000);
  });
});

it("P13b: one place prints", () => {
  const source = join(import.meta.dirname, "../../src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" });
  const writing = files.filter(
    (file) =>
      file.endsWith(".ts") &&
      /\bstd(?:out|err)\.write\(|\bconsole\.(?:log|error)\(/.test(
        readFileSync(join(source, file), "utf8"),
      ),
  );
  // The bar of a progress is drawn in place.
  expect(writing.toSorted()).toEqual(["cli/output/output.ts", "cli/output/print.ts"]);
});
