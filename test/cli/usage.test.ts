import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CommandRow, SHARED } from "../../src/cli/table/options.ts";
import { commandsBelow, TABLE, takenBy } from "../../src/cli/table/table.ts";
import { CliBed } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("cli.md: help", () => {
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
      "Options:",
      "Write content:",
      "Publish versions:",
      "Use the API:",
      "Host it:",
      "Help:",
      "Example:",
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

describe("cli.md: exit status 2 for wrong usage", () => {
  const INVALID_KEEP =
    "error: option '--keep <n>' argument 'x' is invalid: must be a number of versions, at least 1";
  const EMPTY =
    "error: command-argument value '' is invalid for argument 'folder': must not be empty";

  it.each<[args: string[], says: string | RegExp, hint: RegExp]>([
    [["pubish"], /pubish/, /^hint: Did you mean publish\?$/],
    [["zzzzz"], /zzzzz/, /^hint: svc --help lists its commands$/],
    [["token", "zzzzz"], /zzzzz/, /^hint: svc token --help lists its commands$/],
    [["publish", "--strickt"], /--strickt/, /--strict/],
    [["publish", "--out"], /--out/, /svc publish --help/],
    [["publish", "--keep", "x"], INVALID_KEEP, /svc publish --help/],
    [["import", ""], EMPTY, /svc import --help/],
    [["import", "one", "two"], /two/, /name one folder/],
    [["import"], /folder/, /^hint: svc import --help lists its arguments and options$/],
    [["token", "revoke"], /id/, /^hint: svc token revoke --help lists its arguments and options$/],
    [["serve", "--port", "65536"], /port/, /svc serve --help/],
    [["token", "create", "--expires", "5y"], /5y/, /svc token create --help/],
    [[], "error: a command is missing", /^hint: svc --help lists its commands$/],
    [["token"], "error: a command is missing", /^hint: svc token --help lists its commands$/],
  ])("%j", (args, says, hint) => {
    const bed = new CliBed();
    const [error, advice] = bed.failure(2, ...args).slice(-2);
    if (typeof says === "string") expect(error).toBe(says);
    else expect(error).toMatch(says);
    expect(advice).toMatch(hint);
    expect(pathsBelow(bed.folder)).toEqual([]);
  });

  it("with --json, on stdout", () => {
    const error = { code: "usage", message: expect.any(String), hint: expect.any(String) };
    expect(new CliBed().json(2, "publish", "--strickt")).toEqual({ error });
    expect(new CliBed().json(2, "import")).toEqual({ error });
    expect(new CliBed().json(2, "pubish")).toEqual({
      error: { ...error, message: "unknown command 'pubish'" },
    });
  });

  it("-- before a command is ignored, and the error of the command is reported", () => {
    expect(new CliBed().failure(2, "--", "export", "folder")[0]).toContain("workspace.db");
  });
});
