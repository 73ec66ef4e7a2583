import type { Saved } from "../../page/team.ts";
import type { Git, Ran } from "./git.ts";
import { type Merging, merged } from "./git-merge.ts";
import { type ChangedFile, refusedByGit, type Upstream, workIn } from "./git-work.ts";

/** Others may push between pull and push: then both are done once more. */
const ATTEMPTS = 2;

const KEPT = "what you saved is kept here, and not sent";

/**
 * H78: commits the changed files of the workspace, pulls, and pushes.
 *
 * @throws SvcError `git-failed` with what Git or a hook says.
 */
export async function savedForTeam(
  git: Git,
  prefix: string,
  message: string,
  merging: Merging,
): Promise<Saved> {
  const { state, changes, upstream } = await workIn(git, prefix);
  if (state.problem !== null) throw refusedByGit("nothing was saved", state.problem);
  await assertKnown(git);
  const isCommitted = changes.length > 0;
  if (isCommitted) await commit(git, changes, message);
  const none = { isCommitted, received: 0, isSent: false, conflicts: [] };
  if (upstream === undefined) return none;
  let received = 0;
  let refusal: string | undefined;
  for (let attempt = 1; ; attempt += 1) {
    await fetch(git, upstream);
    const [ahead, behind] = await distance(git, upstream);
    if (refusal !== undefined && (behind === 0 || attempt > ATTEMPTS)) {
      throw refusedByGit(`the others do not get it: ${KEPT}`, refusal);
    }
    if (behind > 0) {
      const conflicts = await merged(git, prefix, upstream, merging);
      if (conflicts.length > 0) return { ...none, received, conflicts };
      received += behind;
    }
    const ran = ahead === 0 ? undefined : await push(git, upstream);
    if (ran === undefined || ran.status === 0) return { ...none, received, isSent: true };
    refusal = ran.said;
  }
}

async function assertKnown(git: Git): Promise<void> {
  for (const name of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
    const { status } = await git.run(["var", name], {}, [["user.useConfigOnly", "true"]]);
    if (status === 0) continue;
    throw refusedByGit(
      "nothing was saved: Git does not know who you are",
      'run in a terminal: git config --global user.name "Your name" and git config --global user.email you@example.com',
    );
  }
}

/** H78: these files alone, whatever is staged of others. */
async function commit(git: Git, changes: readonly ChangedFile[], message: string): Promise<void> {
  if (message.trim() === "")
    throw refusedByGit("nothing was saved", "say in a sentence what changed");
  const paths = (files: readonly ChangedFile[]) => files.map(({ file }) => `${file}\0`).join("");
  const from = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const added = changes.filter(({ isNew }) => isNew);
  const literal = { GIT_LITERAL_PATHSPECS: "1" };
  if (added.length > 0) {
    const ran = await git.run(["add", "--intent-to-add", ...from], {
      input: paths(added),
      env: literal,
    });
    if (ran.status !== 0) throw refusedByGit("nothing was saved", ran.said);
  }
  const words = ["--quiet", "--cleanup=whitespace", `--message=${message}`];
  const ran = await git.run(["commit", "--only", ...words, ...from], {
    input: paths(changes),
    env: literal,
  });
  if (ran.status === 0) return;
  const forget = ["update-index", "-z", "--force-remove", "--stdin"];
  if (added.length > 0) await git.run(forget, { input: paths(added) });
  throw refusedByGit("nothing was saved", ran.said);
}

async function fetch(git: Git, { remote }: Upstream): Promise<void> {
  const how = ["--quiet", "--no-recurse-submodules", "--no-auto-maintenance"];
  const ran = await git.run(["fetch", ...how, "--", remote]);
  if (ran.status !== 0) throw refusedByGit(`the others cannot be reached: ${KEPT}`, ran.said);
}

/** How many commits only we have, and only the upstream. */
async function distance(git: Git, { tracking }: Upstream): Promise<readonly [number, number]> {
  const { status } = await git.tryRead(["rev-parse", "--verify", "--quiet", tracking]);
  // The branch is not there yet.
  if (status !== 0) return [1, 0];
  const out = await git.read(["rev-list", "--left-right", "--count", `HEAD...${tracking}`, "--"]);
  const [ahead = 0, behind = 0] = out.toString().trim().split("\t").map(Number);
  return [ahead, behind];
}

function push(git: Git, { remote, ref }: Upstream): Promise<Ran> {
  const how = ["--porcelain", "--no-force", "--recurse-submodules=no"];
  return git.run(["push", ...how, "--", remote, `HEAD:${ref}`]);
}
