import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and its missing parents; returns the topmost that was made. (`recursive` of Node
 * loops forever where the system answers ENOENT for a folder that cannot be made.)
 */
export function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path);
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The root of a drive is EPERM on Windows, that of macOS EISDIR.
    if (code === "EEXIST" || existsSync(path)) return undefined;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
  }
  const made = makeFolder(dirname(path));
  mkdirSync(path);
  return made ?? path;
}
