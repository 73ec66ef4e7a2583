import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { commandTree } from "../../src/cli/main.ts";
import { CliBed } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const TREE = await commandTree();

/** The text of `--help`. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (written) => {
      text += written;
    },
  });
  command.outputHelp();
  return text;
}

describe("cli.md: help", { timeout: 60_000 }, () => {
  const groups = ["svc", "svc cdn", "svc token", "svc schema", "svc merge-driver", "svc store"];
  const commands = [...TREE].filter(([words]) => !groups.includes(words));

  it.each(commands)(
    "%s --help lists its options and arguments, and an example",
    (words, command) => {
      const help = helpOf(command);
      for (const option of ["--store <file>", "SVC_STORE", "--json", "--quiet", "--help"]) {
        expect(help).toContain(option);
      }
      for (const { flags, hidden } of command.options) {
        if (!hidden) expect(help).toContain(flags);
      }
      expect(help).not.toContain("default: []");
      for (const argument of command.registeredArguments) expect(help).toContain(argument.name());
      expect(help).toMatch(new RegExp(`Example:\n.*\\b${words}\\b`));
    },
  );

  it("are the commands of svc --help, with its summary of each, and an example", () => {
    const { status, stdout, stderr } = new CliBed().run("--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const words of TREE.keys()) {
      const [, name] = words.split(" ");
      if (name !== undefined) expect(stdout).toMatch(new RegExp(`^  ${name}( \\S+)* +[A-Z]`, "m"));
    }
    expect(stdout.match(/^[A-Z].*:$/gm)).toEqual([
      ...["Options:", "Write content:", "Publish versions:", "Use the API:", "Host it:"],
      ...["Help:", "Example:"],
    ]);
    expect(stdout).toMatch(/\nHost it:\n {2}deploy .*\n(?: {4}.*\n)* {2}cdn /);
    expect(TREE.size).toBeGreaterThan(25);
    expect(stdout).toMatch(/Example:\n {2}\$ svc init/);
  });

  it("svc preview --help describes the page in the browser and how to open it", () => {
    const text = new CliBed().ok("preview", "--help").stdout.replace(/\s+/g, " ");
    expect(text).toMatch(/page in the browser, at the link that it prints/);
  });

  it("svc token --help lists its commands and an example", () => {
    const { status, stdout, stderr } = new CliBed().run("token", "--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/create.*\n(.*\n)* +list.*\n(.*\n)* +revoke/);
    expect(stdout).toMatch(/Example:\n.*\bsvc token create\b/);
  });

  it("svc --version prints the version of the package", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(new CliBed().run("--version")).toEqual({
      status: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
  });
});

describe("cli.md: exit status 2 for wrong usage", { timeout: 60_000 }, () => {
  const WRONG: readonly [what: string, args: string, says: RegExp][] = [
    ["an unknown command", "pubish", /pubish/],
    ["an unknown option", "publish --strickt", /--strickt/],
    ["a missing argument", "import", /folder/],
    ["an argument too many", "import one two", /two/],
    ["an invalid port", "serve --port 65536", /port/],
    ["an invalid duration", "token create --expires 5y", /5y/],
    ["an unknown command of token", "token make", /make/],
  ];

  it.each(WRONG)("%s: svc %s", (_what, args, says) => {
    const bed = new CliBed();
    const lines = bed.failure(2, ...args.split(" "));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(says);
    expect(pathsBelow(bed.folder)).toEqual([]);
  });

  const HINTS: readonly [args: string, hint: string][] = [
    ["rollback", "svc rollback --help lists its arguments and options"],
    ["token revoke", "svc token revoke --help lists its arguments and options"],
    ["token zzzzz", "svc token --help lists its commands"],
    ["zzzzz", "svc --help lists its commands"],
    ["pubish", "Did you mean publish?"],
  ];

  it.each(HINTS)("svc %s has the hint %j", (args, hint) => {
    expect(new CliBed().failure(2, ...args.split(" "))[1]).toBe(`hint: ${hint}`);
  });

  it.each([
    [
      ["publish", "--keep", "x"],
      "option '--keep <n>' argument 'x' is invalid: must be a number of versions, at least 1",
    ],
    [
      ["import", ""],
      "command-argument value '' is invalid for argument 'folder': must not be empty",
    ],
  ])("%j is reported in one sentence", (args, message) => {
    expect(new CliBed().failure(2, ...args)[0]).toBe(`error: ${message}`);
  });

  it("with --json, on stdout", () => {
    const error = { code: "usage", message: expect.any(String), hint: expect.any(String) };
    expect(new CliBed().json(2, "publish", "--strickt")).toEqual({ error });
    expect(new CliBed().json(2, "import")).toEqual({ error });
    expect(new CliBed().json(2, "pubish")).toEqual({
      error: { ...error, message: "unknown command 'pubish'" },
    });
  });

  it("an option without its value: svc publish --out", () => {
    expect(new CliBed().failure(2, "publish", "--out")[0]).toContain("--out");
  });

  it("-- before a command is ignored, and the error of the command is reported", () => {
    expect(new CliBed().failure(3, "--", "export", "folder")[0]).toContain("workspace.db");
  });

  it.each(["", "token"])("a missing command: svc %s", (group) => {
    const args = group === "" ? [] : [group];
    const lines = new CliBed().failure(2, ...args);
    expect(lines.at(-2)).toBe("error: a command is missing");
  });
});
