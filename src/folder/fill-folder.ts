import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/replace-file.ts";
import { SvcError } from "../workspace/errors.ts";

/** Whether a file or folder that is there already may be beside what is made. */
type MayStay = (name: string) => boolean;

/**
 * Creates a folder, if it is missing, and runs `work` to fill it. When `work` fails, everything
 * that was created is removed again.
 *
 * @throws SvcError `folder-not-empty`: existing files are never overwritten.
 */
export function fillFolder<T>(folder: string, work: () => T, mayStay: MayStay = () => false): T {
  const before = assertFillable(folder, mayStay);
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

/** The names in the folder. @throws SvcError `folder-not-empty`. */
export function assertFillable(folder: string, mayStay: MayStay): string[] {
  const names = namesIn(folder);
  if (names.every(mayStay)) return names;
  throw notEmpty(`the folder "${folder}" is not empty`);
}

/** @throws SvcError when the path is a file. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw code === "ENOTDIR" ? notEmpty(`"${folder}" is not a folder`, error) : error;
  }
}

function notEmpty(message: string, cause?: unknown): SvcError {
  const hint = "name a folder that is empty or does not exist yet";
  return new SvcError("folder-not-empty", message, { hint, cause });
}
