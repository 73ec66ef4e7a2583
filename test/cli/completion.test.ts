import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commandTree } from "../../src/cli/main.ts";
import { completionScript } from "../../src/cli/output/completion-script.ts";
import { CliBed } from "../support/cli-bed.ts";

const TREE = await commandTree();

/** What bash offers for the last of these words, by the script alone. */
function offered(...words: readonly string[]): string[] {
  const script = `${completionScript("bash", TREE)}
    complete -p svc >/dev/null || exit 1
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _svc
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ["--norc", "-c", script, "bash", ...words];
  const { status, stdout, stderr } = spawnSync("bash", args, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

describe("cli.md: svc completion", () => {
  it.each([
    [
      ["svc", "ver"],
      ["versions", "verify"],
    ],
    [
      ["svc", "deploy", "p"],
      ["pin", "prune"],
    ],
    [["svc", "deploy", "prune", "--max"], ["--max-deletes"]],
    [["svc", "publish", "--out", "x", "--dr"], ["--dry-run"]],
    [["svc", "--store", "a.db", "token", "create", "--n"], ["--name"]],
    [["svc", "import", "folder"], []],
  ])("bash offers for %j: %j", (words, names) => {
    expect(offered(...words)).toEqual(names);
  });

  it("bash offers every command, and every option of each that its help shows", () => {
    for (const [words, { commands, options }] of TREE) {
      const shown = options.filter(({ hidden }) => !hidden).map(({ long }) => long);
      const all = [...commands.map((one) => one.name()), ...shown, "--help"];
      expect(offered(...words.split(" "), "").toSorted()).toEqual(all.toSorted());
    }
  });

  it.each(["zsh", "fish"] as const)("%s gets the same commands and options", (shell) => {
    const script = completionScript(shell, TREE);
    for (const [words, { commands }] of TREE) {
      expect(script).toContain(words);
      for (const one of commands) expect(script).toContain(one.name());
    }
  });

  it("prints the script, and refuses another shell", () => {
    const bed = new CliBed();
    expect(bed.ok("completion", "bash").stdout).toBe(completionScript("bash", TREE));
    expect(bed.failure(2, "completion", "tcsh")[0]).toContain("bash, zsh, fish");
  });
});
