// npm run test:mutants [room or file …]: Stryker breaks the rules in src/fields, src/documents, src/diff
// and src/publish, or in the rooms and files that are named, and fails when the tests notice less than
// 85 % of it. A room takes 10 to 30 minutes on two cores.
//
// --since <commit>   only the lines that have changed since; none changed: nothing to do
// --limit <lines>    at most so many of them, drawn at random
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
const ROOMS = ["src/fields", "src/documents", "src/diff", "src/publish"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: "string" }, limit: { type: "string" } },
});

/** Lines of a file of a room, both included. */
interface Change {
  readonly file: string;
  readonly first: number;
  readonly last: number;
}

/** The lines that have changed since a commit, in the working tree too. */
function changedSince(commit: string): Change[] {
  const args = ["diff", "--unified=0", "--no-prefix", "--diff-filter=AM", commit, "--", ...ROOMS];
  const diff = execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 28 });
  let file = "";
  return diff.split("\n").flatMap((line) => {
    file = /^\+\+\+ (.*)/.exec(line)?.[1] ?? file;
    const [, first = "", count = "1"] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (first === "" || count === "0") return [];
    return [{ file, first: Number(first), last: Number(first) + Number(count) - 1 }];
  });
}

/** Changes drawn at random that have at most so many lines together. */
function limited(changes: readonly Change[], limit: number): Change[] {
  const drawn = changes.map((change) => ({ change, order: Math.random() }));
  drawn.sort((a, b) => a.order - b.order);
  let left = limit;
  return drawn.flatMap(({ change }) => {
    const last = Math.min(change.last, change.first + left - 1);
    left -= Math.max(0, last - change.first + 1);
    return last < change.first ? [] : [{ ...change, last }];
  });
}

function mutated(): string[] {
  if (values.since === undefined) {
    const named = positionals.length > 0 ? positionals : ROOMS;
    return named.map((place) => (place.endsWith(".ts") ? place : `${place}/**/*.ts`));
  }
  const changes = changedSince(values.since);
  const chosen = limited(changes, Number(values.limit ?? Infinity));
  const count = (all: readonly Change[]) =>
    all.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  console.log(
    `mutants in ${count(chosen)} of ${count(changes)} lines changed since ${values.since}`,
  );
  return chosen.map(({ file, first, last }) => `${file}:${first}-${last}`);
}

const places = mutated();
if (places.length > 0) {
  const stryker = join(ROOT, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const args = [stryker, "run", "test/mutants/stryker.config.js", "--mutate", places.join(",")];
  process.exitCode = spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status ?? 1;
}
