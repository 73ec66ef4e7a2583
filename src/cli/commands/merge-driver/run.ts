import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { replaceFile } from "../../../files/replace-file.ts";
import { mergeTexts } from "../../../folder/merge/merge-texts.ts";
import { SvcError } from "../../../workspace/errors.ts";
import { action, command, notEmpty, type SharedOptions } from "../../command.ts";
import { toCount } from "../../deploy/deploy-options.ts";
import { counted } from "../../output/counted.ts";
import { printable } from "../../output/printable.ts";

interface RunOptions extends SharedOptions {
  readonly markerSize: number;
}

export const mergeDriverRun = command("run", [
  "svc merge-driver run base.json ours.json theirs.json",
])
  .description(
    "Merge two sides of a file into ours, as Git runs it. Exit status 1 if they conflict.",
  )
  .argument("<base>", "the file of the common ancestor; empty if there is none", notEmpty)
  .argument("<ours>", "the file of this side, which gets the result", notEmpty)
  .argument("<theirs>", "the file of the other side", notEmpty)
  .argument("[path]", "the path of the file in the repository, for messages")
  .option("--marker-size <n>", "how long conflict markers are", toCount, 7)
  .action(
    action<RunOptions>(
      async (output, { markerSize }, base = "", ours = "", theirs = "", path = ours) => {
        const [before, our, their] = [base, ours, theirs].map(readText);
        const merged =
          before !== undefined && our !== undefined && their !== undefined
            ? mergeTexts({ base: before, ours: our, theirs: their }, markerSize)
            : undefined;
        const lines = merged === undefined ? mergeLines(ours, base, theirs, markerSize) : 0;
        if (merged !== undefined && merged.text !== our) replaceFile(ours, merged.text);
        const { conflicts = [] } = merged ?? {};
        const by = merged === undefined ? "lines" : "fields";
        const all = { path, by, conflicts: merged === undefined ? lines : conflicts.length };
        const text = conflicts.map((place) => `${path}: both sides changed ${place}`);
        if (output.json) output.result({ ...all, places: conflicts }, "");
        else if (text.length > 0) output.result({}, printableLines(text));
        else if (lines > 0) output.result({}, `${path}: ${counted(lines, "conflict")}, by lines`);
        return all.conflicts > 0 ? 1 : 0;
      },
    ),
  );

function printableLines(lines: readonly string[]): string {
  return lines.map(printable).join("\n");
}

/** Undefined when the file is not UTF-8. */
function readText(file: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Git's own merge by lines, into `ours`. Returns the number of conflicts. */
function mergeLines(ours: string, base: string, theirs: string, markerSize: number): number {
  const labels = ["ours", "base", "theirs"].flatMap((label) => ["-L", label]);
  const args = ["merge-file", ...labels, `--marker-size=${markerSize}`, ours, base, theirs];
  const { status, stderr, error } = spawnSync("git", args, { encoding: "utf8" });
  if (status !== null && status < 128) return status;
  throw new SvcError("git-failed", `git merge-file failed: ${error?.message ?? stderr.trim()}`, {
    hint: "merge the file by hand",
    cause: error,
  });
}
