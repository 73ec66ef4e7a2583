import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { replaceFile } from "../../files/replace-file.ts";
import { EXPORT_LIST } from "../../folder/export/export-list.ts";
import { mergeTexts } from "../../folder/merge/merge-texts.ts";
import { SvcError } from "../../workspace/errors.ts";
import { KINDS } from "../../workspace/records.ts";
import { counted } from "../output/words.ts";
import type { Run } from "../table/table.ts";
import { addLines, requireWorkspaceFolder } from "../workspace-folder.ts";

const ATTRIBUTES = [
  ...["workspace", ...KINDS].flatMap((name) => [
    `/${name}.json merge=svc`,
    `/${name}.jsonc merge=svc`,
  ]),
  ...KINDS.map((kind) => `/${kind}/** merge=svc`),
  `/${EXPORT_LIST} merge=union`,
];

export const installDriver: Run<"merge-driver install"> = async (output, { folder }) => {
  requireWorkspaceFolder(folder);
  const driver = driverCommand();
  gitConfig(folder, "merge.svc.name", "merges workspace folders by field");
  gitConfig(folder, "merge.svc.driver", driver);
  const attributes = join(folder, ".gitattributes");
  const added = addLines(attributes, ATTRIBUTES);
  output.result(
    { folder, attributes, added, driver },
    `${attributes}: ${added} lines added; Git merges ${folder} by field in this clone`,
  );
  output.note("commit .gitattributes; each clone runs svc merge-driver install once");
};

/** G6: this program by its path, as Git runs it in a shell. */
function driverCommand(): string {
  const program = [process.execPath, resolve(process.argv[1] as string)];
  const words = program.map((word) => `'${word.replaceAll("\\", "/").replaceAll("'", "'\\''")}'`);
  return `${words.join(" ")} merge-driver run --marker-size %L %O %A %B %P`;
}

/** @throws SvcError `git-failed`: there is no Git, or no repository. */
function gitConfig(folder: string, key: string, value: string): void {
  const args = ["config", "--local", key, value];
  const { status, stderr, error } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim();
  throw new SvcError("git-failed", `git config failed in "${folder}": ${reason}`, {
    hint: "run it in a clone of the Git repository that has the workspace folder",
    cause: error,
  });
}

export const runDriver: Run<"merge-driver run"> = async (
  output,
  { markerSize, base, ours, theirs, path = ours },
) => {
  const [before, our, their] = [base, ours, theirs].map(readText);
  const isText = before !== undefined && our !== undefined && their !== undefined;
  const merged = isText
    ? mergeTexts({ base: before, ours: our, theirs: their }, markerSize)
    : undefined;
  if (merged === undefined) {
    const conflicts = mergeLines(ours, base, theirs, markerSize);
    const text = `${path}: ${counted(conflicts, "conflict")}, by lines`;
    if (conflicts > 0 || output.json)
      output.result({ path, by: "lines", conflicts, places: [] }, text);
    return conflicts > 0 ? 1 : 0;
  }
  if (merged.text !== our) replaceFile(ours, merged.text);
  const { conflicts: places } = merged;
  const lines = places.map((place) => `${path}: both sides changed ${place}`);
  const value = { path, by: "fields", conflicts: places.length, places } as const;
  if (places.length > 0 || output.json) output.result(value, lines);
  return places.length > 0 ? 1 : 0;
};

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
