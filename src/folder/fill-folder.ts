import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SvcError } from "../workspace/errors.ts";

/**
 * Creates a folder, if it is missing, and runs `work` to fill it. When `work` fails, everything
 * that was created is removed again.
 *
 * @param mayStay whether a file or folder that is there already may be beside what `work` makes.
 * @throws SvcError `folder-not-empty`: existing files are never overwritten.
 */
export function fillFolder<T>(
  folder: string,
  work: () => T,
  mayStay: (name: string) => boolean = () => false,
): T {
  const before = namesIn(folder);
  if (!before.every(mayStay)) {
    throw new SvcError("folder-not-empty", `the folder "${folder}" is not empty`, {
      hint: "name a folder that is empty or does not exist yet",
    });
  }
  const made = makeFolder(folder);
  try {
    return work();
  } catch (error) {
    const names = made === undefined ? readdirSync(folder) : [];
    const paths = names.filter((name) => !before.includes(name)).map((name) => join(folder, name));
    if (made !== undefined) paths.push(made);
    for (const path of paths) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** @throws SvcError when the path is a file. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
    throw new SvcError("folder-not-empty", `"${folder}" is not a folder`, {
      hint: "name a folder that is empty or does not exist yet",
      cause: error,
    });
  }
}

/**
 * Creates a folder with its parents and returns the topmost one created. Not `recursive` when the
 * parent exists: Node loops forever where mkdir fails with ENOENT in an existing folder.
 */
function makeFolder(folder: string): string | undefined {
  if (existsSync(folder) || !existsSync(dirname(resolve(folder)))) {
    return mkdirSync(folder, { recursive: true });
  }
  mkdirSync(folder);
  return folder;
}
