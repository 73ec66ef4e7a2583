import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../publish/make-folder.ts";
import { retryWhileOpen } from "../workspace/retry-while-open.ts";

/** The text of a regular file; undefined for a missing file, a device or a pipe. */
export function readIfFile(file: string): string | undefined {
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

/** Whether a file has this text. Git may have checked it out with CRLF. */
export function hasText(file: string, text: string): boolean {
  return readIfFile(file)?.replaceAll("\r\n", "\n") === text;
}

/**
 * Replaces a file atomically: writes a temporary file beside it, then renames. Symbolic links are
 * followed; devices and pipes are written to directly.
 */
export function replaceFile(file: string, text: string): void {
  makeFolder(dirname(file));
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    writeFileSync(file, text);
    return;
  }
  const path = stats === undefined ? file : realpathSync(file);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, stats === undefined ? {} : { mode: stats.mode });
    retryWhileOpen(() => renameSync(temporary, path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
