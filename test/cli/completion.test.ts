import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { TABLE } from "../../src/cli/table/table.ts";
import { CliBed } from "../support/cli-bed.ts";

/** What bash offers for the last of these words, by the script alone; of several lines, for each. */
function offered(script: string, ...lines: readonly (readonly string[])[]): string[][] {
  const code = `${script}
    complete -p svc >/dev/null || exit 1
    while IFS= read -r line; do
      IFS=, read -ra COMP_WORDS <<< "$line,"
      [[ $line == *, ]] && COMP_WORDS+=("")
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _svc
      printf '%s ' "\${COMPREPLY[@]}"; echo
    done`;
  const input = lines.map((words) => `${words.join(",")}\n`).join("");
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-c", code], {
    encoding: "utf8",
    input,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.split(" ").filter((word) => word !== ""));
}

describe("cli.md: svc completion", () => {
  it("bash offers the commands and options that begin so", () => {
    const bash = new CliBed().ok("completion", "bash").stdout;
    const expected: [words: string[], names: string[]][] = [
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
    ];
    const found = offered(bash, ...expected.map(([words]) => words));
    expect(found.map((names) => names.toSorted())).toEqual(
      expected.map(([, names]) => names.toSorted()),
    );
  });

  it("each shell gets every command, and every option that its help shows", () => {
    const bed = new CliBed();
    const bash = bed.ok("completion", "bash").stdout;
    const names = Object.keys(TABLE);
    const scripts = ["zsh", "fish"].map((shell) => bed.ok("completion", shell).stdout);
    const found = offered(bash, ...names.map((words) => ["svc", ...words.split(" "), ""]));
    for (const [at, words] of names.entries()) {
      const help = bed.ok(...words.split(" "), "--help").stdout;
      const shown = help.match(/(?<=^ {2}(?:-\w, )?)--[\w-]+/gm) ?? [];
      const inner = names.filter((one) => one.startsWith(`${words} `));
      const below = inner.map((one) => one.slice(words.length + 1));
      expect(found[at]?.toSorted(), words).toEqual([...below, ...shown].toSorted());
      for (const script of scripts) expect(script).toContain(`svc ${words}`);
    }
  });

  it("refuses another shell", () => {
    expect(new CliBed().failure(2, "completion", "tcsh")[0]).toContain("bash, zsh, fish");
  });
});
