import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecordPath } from "../../folder/reading.ts";
import type { DraftState } from "../../page/draft-state.ts";
import type { TeamConflict } from "../../page/team.ts";
import { listed, quoted } from "../../workspace/listed.ts";
import type { Git } from "./git.ts";
import { blobsOf } from "./git-entry-history.ts";
import { type FileSides, mergedFile } from "./git-merge-file.ts";
import { refusedByGit, type Upstream } from "./git-work.ts";

/** What a merge needs of the page. */
export interface Merging {
  readonly state: DraftState;
  /** H79: which side is taken, by the key of each conflict. */
  readonly choices: ReadonlyMap<string, "mine" | "theirs">;
  /** Told the files that came, below the folder. */
  readonly came: (files: readonly string[]) => void;
}

/** A file on three sides, by the hashes of its bytes. */
interface Stages {
  readonly base?: string;
  readonly ours?: string;
  readonly theirs?: string;
}

/** What a merged file is; null: it is gone. */
type MergedFiles = Map<string, Buffer | null>;

/**
 * H79: merges the upstream into the branch, without a file of the folder that has a conflict in it: all is worked out in
 * Git's own objects first. Returns what is to be decided before.
 *
 * @throws SvcError `git-failed` where a developer must merge, or a file here is in the way.
 */
export async function merged(
  git: Git,
  prefix: string,
  { tracking, name }: Upstream,
  merging: Merging,
): Promise<TeamConflict[]> {
  const [ours, theirs] = (await Promise.all(
    ["HEAD", tracking].map(async (one) =>
      (await git.read(["rev-parse", "--verify", `${one}^{commit}`])).toString().trim(),
    ),
  )) as [string, string];
  const found = await git.tryRead(["merge-base", ours, theirs]);
  const base = found.out.toString().trim();
  if (found.status !== 0) {
    throw refusedByGit("both sides have nothing in common", "a developer must merge them");
  }
  let commit = theirs;
  if (base !== ours) {
    const { tree, stages } = await mergedTree(git, prefix, ours, theirs);
    const both = await changedOnBoth(git, base, ours, theirs);
    for (const [path, sides] of both) {
      if (isMergedHere(path, prefix) && !stages.has(path)) stages.set(path, sides);
    }
    const own = new Map([...stages].filter(([path]) => isMergedHere(path, prefix)));
    const others = [...stages.keys()].filter((path) => !own.has(path));
    if (others.length > 0) {
      throw refusedByGit(
        `both sides changed ${listed(others.map((path) => quoted([path])))}`,
        "a developer must merge that in a terminal: git pull",
      );
    }
    const { files, conflicts } = await mergedFiles(git, prefix, own, merging);
    if (conflicts.length > 0) return conflicts;
    const whole = await withFiles(git, tree, files);
    const words = ["-p", ours, "-p", theirs, "-m", `Merge ${name}`];
    const signs = await git.tryRead(["config", "--type=bool", "--get", "commit.gpgSign"]);
    const sign = signs.out.toString().trim() === "true" ? ["-S"] : [];
    commit = await written(git, ["commit-tree", ...sign, ...words, whole]);
  }
  const came = await git.read([
    "diff",
    "--name-only",
    "-z",
    "--no-renames",
    "--relative",
    "--no-ext-diff",
    ours,
    commit,
    "--",
  ]);
  // Refused where it would replace what is not saved, with nothing changed.
  const ran = await git.run(["merge", "--ff-only", "--quiet", commit]);
  if (ran.status !== 0) {
    throw refusedByGit(
      "what others have changed is not here: files in the repository are in the way",
      ran.said,
    );
  }
  merging.came(
    came
      .toString()
      .split("\0")
      .filter((path) => path !== ""),
  );
  return [];
}

function isMergedHere(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && isRecordPath(path.slice(prefix.length));
}

/** The tree of a merge, with the files that Git itself cannot merge. */
async function mergedTree(git: Git, prefix: string, ours: string, theirs: string) {
  // At the top, as it names files relative to where it runs.
  const top =
    prefix
      .split("/")
      .slice(1)
      .map(() => "..")
      .join("/") || ".";
  const ran = await git.run([
    "-C",
    top,
    "merge-tree",
    "--write-tree",
    "--no-messages",
    "-z",
    ours,
    theirs,
  ]);
  if (ran.status > 1) throw refusedByGit("Git cannot merge what others have changed", ran.said);
  const [tree = "", ...lines] = ran.out.toString().split("\0");
  const stages = new Map<string, Stages>();
  for (const line of lines) {
    const [, blob = "", stage = "", path = ""] = /^\d+ (\w+) (\d)\t(.*)$/s.exec(line) ?? [];
    const side = SIDES[stage];
    if (side !== undefined) stages.set(path, { ...stages.get(path), [side]: blob });
  }
  return { tree, stages };
}

const SIDES: Readonly<Record<string, keyof Stages>> = { 1: "base", 2: "ours", 3: "theirs" };

/** The files that both changed, each in another way: Git merges them by lines, which says nothing of JSON. */
async function changedOnBoth(git: Git, base: string, ours: string, theirs: string) {
  const changed = async (side: string) => {
    const how = ["-r", "-z", "--raw", "--no-abbrev", "--no-renames"];
    const out = await git.read(["diff-tree", ...how, base, side]);
    const words = out.toString().split("\0");
    return new Map(
      words.flatMap((word, at) => {
        const [, was, is] = /^:\d+ 100\d+ (\w+) (\w+) M$/.exec(word) ?? [];
        return was && is ? [[words[at + 1] ?? "", [was, is]] as const] : [];
      }),
    );
  };
  const [our, their] = await Promise.all([changed(ours), changed(theirs)]);
  const both = new Map<string, Stages>();
  for (const [path, [was = "", is = ""]] of our) {
    const [, theirBlob] = their.get(path) ?? [];
    if (theirBlob === undefined || theirBlob === is) continue;
    both.set(path, { base: was, ours: is, theirs: theirBlob });
  }
  return both;
}

/** Merges each by field, as the merge driver does. */
async function mergedFiles(
  git: Git,
  prefix: string,
  stages: ReadonlyMap<string, Stages>,
  { state, choices }: Merging,
): Promise<{ files: MergedFiles; conflicts: TeamConflict[] }> {
  const blobs = await blobsOf(
    git,
    [...stages.values()].flatMap((one) => Object.values(one)),
  );
  const files: MergedFiles = new Map();
  const conflicts: TeamConflict[] = [];
  for (const [path, { base, ours, theirs }] of stages) {
    const sides: FileSides = {
      file: path.slice(prefix.length),
      base: textOf(blobs, base),
      ours: textOf(blobs, ours),
      theirs: textOf(blobs, theirs),
    };
    const { text, open } = mergedFile(state, sides, choices);
    conflicts.push(...open);
    files.set(path, text === undefined ? null : Buffer.from(text));
  }
  return { files, conflicts };
}

function textOf(blobs: ReadonlyMap<string, Buffer>, blob: string | undefined): string | undefined {
  if (blob === undefined) return undefined;
  const bytes = blobs.get(blob);
  if (bytes === undefined)
    throw refusedByGit("a file is too large to be merged", "a developer must merge it");
  return bytes.toString();
}

/** A tree with other files, made in an index of its own. */
async function withFiles(git: Git, tree: string, files: MergedFiles): Promise<string> {
  if (files.size === 0) return tree;
  const folder = mkdtempSync(join(tmpdir(), "svc-merge-"));
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    await written(git, ["read-tree", tree], { env });
    let input = "";
    for (const [path, bytes] of files) {
      const blob =
        bytes && (await written(git, ["hash-object", "-w", "--stdin"], { input: bytes }));
      input +=
        blob === null ? `0 ${"0".repeat(tree.length)}\t${path}\0` : `100644 ${blob}\t${path}\0`;
    }
    await written(git, ["update-index", "-z", "--index-info"], { env, input });
    return await written(git, ["write-tree"], { env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function written(
  git: Git,
  args: readonly string[],
  options: Parameters<Git["run"]>[1] = {},
): Promise<string> {
  const { status, out, said } = await git.run(args, options);
  if (status !== 0) throw refusedByGit("what others have changed cannot be merged", said);
  return out.toString().trim();
}
