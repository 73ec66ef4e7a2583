import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../publish/make-folder.ts";

/** The text of a file; undefined when there is none, or what is there is a device or a pipe. */
export function contentOf(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile()
    ? readFileSync(file, "utf8")
    : undefined;
}

export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((file) =>
    statSync(file, { bigint: true, throwIfNoEntry: false }),
  );
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/**
 * Replaces a file whole: written beside its place, then renamed. A link stays one, and what is no
 * file is written to.
 */
export function replaceFile(file: string, text: string): void {
  makeFolder(dirname(file));
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    writeFileSync(file, text);
    return;
  }
  const path = stats === undefined ? file : realpathSync(file);
  const beside = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, text, stats === undefined ? {} : { mode: stats.mode });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
