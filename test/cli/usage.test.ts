import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CommandRow, SHARED } from "../../src/cli/table/options.ts";
import { commandsBelow, TABLE, takenBy } from "../../src/cli/table/table.ts";
import { CliBed } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("cli.md: help", { timeout: 60_000 }, () => {
  it.each(Object.entries<CommandRow>(TABLE))(
    "svc %s --help lists what it takes and what every command does, and an example",
    (words, { isGroup }) => {
      const help = new CliBed().ok(...words.split(" "), "--help").stdout;
      const shared = isGroup ? [] : [...Object.keys(SHARED), "SVC_STORE"];
      for (const flags of [...takenBy(words).map(([flags]) => flags), ...shared]) {
        if (flags !== "--debug") expect(help).toContain(flags.replace(/^[<[](.*?)[.>\]]*$/, "$1"));
      }
      for (const inner of commandsBelow(words)) expect(help).toContain(`  ${inner.split(" ")[1]} `);
      expect(help).toMatch(new RegExp(`Example:\n.*\\b${words}\\b`));
      // Neither marks of Markdown nor rules.
      expect(help).not.toMatch(/[`[]\]?\(|`| \([A-Z]\d+\)/);
    },
  );

  it("are the commands of svc --help, with its summary of each, and an example", () => {
    const { status, stdout, stderr } = new CliBed().run("--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const name of Object.keys(TABLE).filter((words) => !words.includes(" "))) {
      expect(stdout).toMatch(new RegExp(`^  ${name}( \\S+)* +[A-Z]`, "m"));
    }
    expect(stdout.match(/^[A-Z].*:$/gm)).toEqual([
      ...["Options:", "Write content:", "Publish versions:", "Use the API:", "Host it:"],
      ...["Help:", "Example:"],
    ]);
    expect(stdout).toMatch(/\nHost it:\n {2}deploy .*\n(?: {4}.*\n)* {2}cdn /);
    expect(stdout).toMatch(/Example:\n {2}\$ svc init/);
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
