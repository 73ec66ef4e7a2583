/**
 * The paths below a folder that Git does not have as they are: changed, or not added. Undefined when
 * the folder is in no Git repository, or there is no Git.
 */
export function gitChanges(folder: string): readonly string[] | undefined {
  const args = ["-C", folder, "status", "--porcelain", "-z", "--untracked-files=all", "--", "."];
  // Not imported: the bundle leaves this module out for the sake of all other commands.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("git", args, {
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status !== 0) return undefined;
  return stdout.split("\0").flatMap((line) => (/^.. ./s.test(line) ? [line.slice(3)] : []));
}
