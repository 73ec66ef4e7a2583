import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SvcError } from "../workspace/errors.ts";

/**
 * Makes a folder, if it is missing, and runs `work` to fill it. A work that fails leaves what was
 * there before: nothing.
 *
 * @throws SvcError `folder-not-empty`: nothing that stands there is ever written over.
 */
export function fillFolder<T>(folder: string, work: () => T): T {
  refuseNonEmpty(folder);
  const made = makeFolder(folder);
  try {
    return work();
  } catch (error) {
    const paths =
      made === undefined ? readdirSync(folder).map((name) => join(folder, name)) : [made];
    for (const path of paths) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** @throws SvcError when the path is taken by a file, or by a folder that has something in it. */
function refuseNonEmpty(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
    throw new SvcError("folder-not-empty", `"${folder}" is not a folder`, {
      hint: "name a folder that is empty or does not exist yet",
      cause: error,
    });
  }
  if (names.length === 0) return;
  throw new SvcError("folder-not-empty", `the folder "${folder}" is not empty`, {
    hint: "name a folder that is empty or does not exist yet",
  });
}

/** Returns the topmost that was made. (Below a folder that the system closes, it must not recurse.) */
function makeFolder(folder: string): string | undefined {
  if (existsSync(folder) || !existsSync(dirname(resolve(folder)))) {
    return mkdirSync(folder, { recursive: true });
  }
  mkdirSync(folder);
  return folder;
}
