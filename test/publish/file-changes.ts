import fs, { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, relative, sep } from "node:path";

/**
 * Runs `work` and returns the files that it wrote and removed below the folder, in order. Files
 * whose names start with a dot are left out.
 */
export function changesBelow(folder: string, work: () => void): string[] {
  const changes: string[] = [];
  const { renameSync, rmSync, unlinkSync } = fs;
  const note = (what: string, path: fs.PathLike) => {
    if (basename(String(path)).startsWith(".")) return;
    changes.push(`${what} ${relative(folder, String(path)).split(sep).join("/")}`);
  };
  fs.renameSync = (from, to) => {
    renameSync(from, to);
    note("put", to);
  };
  fs.rmSync = (path, options) => {
    if (existsSync(path)) note("remove", path);
    rmSync(path, options);
  };
  fs.unlinkSync = (path) => {
    unlinkSync(path);
    note("remove", path);
  };
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    Object.assign(fs, { renameSync, rmSync, unlinkSync });
    syncBuiltinESMExports();
  }
  return changes;
}
