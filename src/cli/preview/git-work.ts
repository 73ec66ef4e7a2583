import { existsSync } from "node:fs";
import { join } from "node:path";
import { isExportPath } from "../../folder/export/export-list.ts";
import type { TeamState } from "../../page/team.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { Git } from "./git.ts";

/** A file of the workspace that is not as in the last commit. */
export interface ChangedFile {
  /** Below the folder. */
  readonly file: string;
  /** The hash of its bytes in the last commit; undefined: it is not there. */
  readonly blob: string | undefined;
  readonly isGone: boolean;
  /** Whether Git knows nothing of it. */
  readonly isNew: boolean;
}

/** H77: how the folder stands. */
export interface Work {
  readonly state: TeamState;
  readonly changes: readonly ChangedFile[];
  /** Where the branch is pulled from and pushed to; undefined: it has no upstream. */
  readonly upstream: Upstream | undefined;
}

export interface Upstream {
  readonly remote: string;
  /** There: "refs/heads/main". */
  readonly ref: string;
  /** Here: "refs/remotes/origin/main". */
  readonly tracking: string;
  /** "origin/main" */
  readonly name: string;
}

const NONE = /^0+$/;

/** H77a: what is under way when there is such a file in the repository, and what ends it. */
const UNDER_WAY = {
  MERGE_HEAD: ["a merge", "git merge --abort takes it back, git commit ends it"],
  "rebase-merge": ["a rebase", endOf("rebase")],
  "rebase-apply": ["a rebase", endOf("rebase")],
  CHERRY_PICK_HEAD: ["a cherry-pick", endOf("cherry-pick")],
  REVERT_HEAD: ["a revert", endOf("revert")],
  BISECT_LOG: ["a bisect", "git bisect reset ends it"],
};

function endOf(command: string): string {
  return `git ${command} --abort takes it back, git ${command} --continue ends it`;
}

/** H77: whether a file is one of the workspace: a record, the list of an export, or in `files/`. */
function isOfWorkspace(file: string): boolean {
  return isExportPath(file) || file.startsWith("files/");
}

/** @param prefix of the folder in its repository */
export async function workIn(git: Git, prefix: string): Promise<Work> {
  const ran = await git.tryReadFiles([
    ...["status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all"],
    ...["--ignore-submodules=all", "--", "."],
  ]);
  if (ran.status !== 0) throw refusedByGit("git status failed", ran.said);
  const heads = new Map<string, string>();
  const changes = new Map<string, ChangedFile>();
  let isUnmerged = false;
  for (const line of ran.out.toString().split("\0")) {
    const [, head, value] = /^# branch\.(\w+) (.*)$/s.exec(line) ?? [];
    if (head !== undefined) heads.set(head, value ?? "");
    isUnmerged ||= line.startsWith("u ");
    const change = changeIn(line, prefix);
    if (change === undefined || !isOfWorkspace(change.file)) continue;
    // One that was taken out of the index, and is there, is told twice.
    const { blob = change.blob } = changes.get(change.file) ?? {};
    changes.set(change.file, { ...change, blob });
  }
  const name = heads.get("head") ?? "";
  const branch = name === "(detached)" ? null : name;
  const upstream = branch === null ? undefined : await upstreamOf(git, branch);
  const [, ahead = 0, behind = 0] = /^\+(\d+) -(\d+)$/.exec(heads.get("ab") ?? "") ?? [];
  const under = await underWay(git);
  const problem =
    under !== undefined || isUnmerged
      ? (under ?? "files in the repository have a conflict: ask a developer")
      : branch === null
        ? "no branch is checked out: check one out first"
        : null;
  const state = {
    ...{ branch, upstream: upstream?.name ?? null, problem },
    ...{ changed: changes.size, ahead: Number(ahead), behind: Number(behind) },
  };
  return { state, changes: [...changes.values()], upstream };
}

function changeIn(line: string, prefix: string): ChangedFile | undefined {
  const [, untracked] = /^\? (.*)$/s.exec(line) ?? [];
  const [, index = "", tree = "", blob = "", known] =
    /^1 (.)(.) \S+ \S+ \S+ \S+ (\S+) \S+ (.*)$/s.exec(line) ?? [];
  const path = untracked ?? known;
  if (path === undefined || !path.startsWith(prefix)) return undefined;
  const isNew = untracked !== undefined;
  return {
    file: path.slice(prefix.length),
    blob: isNew || NONE.test(blob) ? undefined : blob,
    isGone: tree === "D" || (index === "D" && tree === "."),
    isNew,
  };
}

async function upstreamOf(git: Git, branch: string): Promise<Upstream | undefined> {
  const format =
    "--format=%(refname)%00%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)%00%(upstream:short)";
  const out = await git.read(["for-each-ref", format, `refs/heads/${branch}`]);
  for (const line of out.toString().split("\n")) {
    const [own, remote = "", ref = "", tracking = "", name = ""] = line.split("\0");
    if (own !== `refs/heads/${branch}` || tracking === "") continue;
    return { remote, ref, tracking, name };
  }
  return undefined;
}

/** What is under way, with the commands of a terminal that end it. */
async function underWay(git: Git): Promise<string | undefined> {
  const out = await git.read(["rev-parse", "--absolute-git-dir"]);
  const folder = out.toString().replace(/\n$/, "");
  const [, found] =
    Object.entries(UNDER_WAY).find(([name]) => existsSync(join(folder, name))) ?? [];
  if (found === undefined) return undefined;
  const [what, how] = found;
  return `${what} is under way in the repository: in a terminal ${how}; or ask a developer`;
}

export function refusedByGit(what: string, hint: string): SvcError {
  return new SvcError("git-failed", what, { hint });
}
