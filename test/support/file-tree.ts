import { type BigIntStats, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** The path of every file below a folder, with `/`, sorted by code unit. */
export function pathsBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

/** The path of every folder below a folder, with `/`, sorted by code unit. */
export function foldersBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

/** The bytes of every file below a folder by path, as latin1. */
export function bytesBelow(folder: string): Record<string, string> {
  return Object.fromEntries(
    pathsBelow(folder).map((path) => [path, readFileSync(join(folder, path), "latin1")]),
  );
}

/** Inode, times and size of every file below a folder, by path. */
export function statesBelow(folder: string): Record<string, string> {
  return Object.fromEntries(
    pathsBelow(folder).map((path) => {
      const { ino, mtimeNs, ctimeNs, size }: BigIntStats = statSync(join(folder, path), {
        bigint: true,
      });
      return [path, [ino, mtimeNs, ctimeNs, size].join(" ")];
    }),
  );
}
