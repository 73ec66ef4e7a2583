import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and what is missing above it; returns the topmost that was made. (Node's own
 * `recursive` never ends where the system says that a folder is missing which cannot be made.)
 */
export function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path);
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return undefined;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
  }
  const made = makeFolder(dirname(path));
  mkdirSync(path);
  return made ?? path;
}
