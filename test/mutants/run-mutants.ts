// npm run test:mutants [room or file …]: Stryker breaks the rules in src/fields, src/documents, src/diff
// and src/publish, or in the rooms and files that are named, and fails when the tests notice less than
// 85 % of it.
//
// --since <commit>   only the lines that have changed since: fails when the tests run 20 of their mutants
//                    or more and notice none. The score of a few lines says what to look at, no more: of
//                    pieces of 20 lines with 20 mutants, half had less than 70 %, and one 17 %
// --limit <lines>    about so many of them, drawn by the commit
import { execFileSync, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
/** The rooms, and the folders of the tests that are to notice what is broken in them. */
const ROOMS: Readonly<Record<string, string>> = {
  "src/fields": "fields documents",
  "src/documents": "fields documents",
  "src/diff": "diff deploy",
  "src/publish": "publish",
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: "string" }, limit: { type: "string" } },
});

/** Changed lines are drawn in pieces of at most so many. */
const PIECE = 20;

/** Of all mutants of whole rooms, the percentage that the tests notice at least. */
const LEAST = 85;

/** So many mutants of a few lines decide something. */
const FEWEST = 20;

/** Lines of a file of a room, both included. */
interface Change {
  readonly file: string;
  readonly first: number;
  readonly last: number;
}

/** The lines that have changed since a commit, in the working tree too. */
function changedSince(commit: string): Change[] {
  const args = [
    "diff",
    "--unified=0",
    "--no-prefix",
    "--diff-filter=AM",
    commit,
    "--",
    ...Object.keys(ROOMS),
  ];
  const diff = execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 28 });
  let file = "";
  return diff.split("\n").flatMap((line) => {
    file = /^\+\+\+ (.*)/.exec(line)?.[1] ?? file;
    // The page of a room is there too.
    if (!file.endsWith(".ts")) return [];
    const [, first = "", count = "1"] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (first === "" || count === "0") return [];
    const last = Number(first) + Number(count) - 1;
    return Array.from({ length: Math.ceil(Number(count) / PIECE) }, (_, piece) => {
      const from = Number(first) + piece * PIECE;
      return { file, first: from, last: Math.min(last, from + PIECE - 1) };
    });
  });
}

/** Pieces that have about so many lines together, drawn by the commit: the same when it is run again. */
function limited(changes: readonly Change[], limit: number): Change[] {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  const drawn = changes.map((change) => ({
    change,
    order: hash("sha256", `${commit} ${change.file} ${change.first}`),
  }));
  drawn.sort((a, b) => (a.order < b.order ? -1 : 1));
  return drawn.slice(0, Math.ceil(limit / PIECE)).map(({ change }) => change);
}

function mutated(): string[] {
  if (values.since === undefined) {
    const named = positionals.length > 0 ? positionals : Object.keys(ROOMS);
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

/** How many mutants of the last report the tests noticed, how many they did not, and how many they never ran. */
function reported(): { killed: number; survived: number; unreached: number } {
  const { files } = JSON.parse(readFileSync(join(ROOT, ".test-build/mutants.json"), "utf8"));
  const mutants = Object.values<{ mutants: { status: string }[] }>(files).flatMap(
    (file) => file.mutants,
  );
  const count = (...all: readonly string[]) =>
    mutants.filter(({ status }) => all.includes(status)).length;
  return {
    killed: count("Killed", "Timeout"),
    survived: count("Survived"),
    unreached: count("NoCoverage"),
  };
}

const byRoom = Map.groupBy(mutated(), (place) => place.split("/").slice(0, 2).join("/"));
const sum = { killed: 0, survived: 0, unreached: 0 };
for (const [room, places] of byRoom) {
  const stryker = join(ROOT, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const args = [stryker, "run", "test/mutants/stryker.config.js", "--mutate", places.join(",")];
  const env = { ...process.env, SVC_MUTANTS_TESTS: ROOMS[room] };
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: "inherit" });
  if (status !== 0) throw new Error(`Stryker ended with ${status}`);
  const { killed, survived, unreached } = reported();
  sum.killed += killed;
  sum.survived += survived;
  sum.unreached += unreached;
}
const all = sum.killed + sum.survived + sum.unreached;
const score = (100 * sum.killed) / all;
if (all > 0) console.log(`${score.toFixed(1)} % of ${all} mutants noticed`);
const isWrong =
  values.since === undefined ? score < LEAST : sum.survived >= FEWEST && sum.killed === 0;
if (isWrong) process.exitCode = 1;
