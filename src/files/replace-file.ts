import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { withFileErrors } from "./file-errors.ts";

/** The bytes of a file; its parts one after the other, where they need not be in memory at once. */
export type Content = string | Uint8Array | Iterable<string | Uint8Array>;

/**
 * F5: writes a temporary file and renames it: whenever the process is killed, the file is the old one or
 * the new one. Nobody else may use the temporary name.
 *
 * @param lookAgain called right before it is renamed; throws to leave the old one.
 */
export function replaceThrough(
  temporary: string,
  path: string,
  content: Content,
  mode?: number,
  lookAgain?: () => void,
): Stats {
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  const descriptor = openNew(temporary, mode);
  try {
    let stats: Stats;
    try {
      for (const part of isWhole ? [content] : content) writeFileSync(descriptor, part);
      stats = fstatSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    lookAgain?.();
    retryWhileOpen(() => renameSync(temporary, path));
    return stats;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A killed process may have left the file. What is there is never opened: it could be a link. */
function openNew(path: string, mode: number | undefined): number {
  try {
    return openSync(path, "wx", mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    rmSync(path, { recursive: true });
    return openSync(path, "wx", mode);
  }
}

/**
 * Replaces a single file that a user has named. Symbolic links are followed; devices and pipes are
 * written to directly.
 *
 * @param mode of a file that is not there yet.
 * @throws SvcError `disk-full`, `out-unwritable`, `out-obstructed`.
 */
export function replaceFile(file: string, text: string, mode?: number): void {
  withFileErrors(file, () => {
    makeFolder(dirname(file));
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) {
      writeFileSync(file, text);
      return;
    }
    const path = stats === undefined ? file : realpathSync(file);
    replaceThrough(`${path}.${process.pid}.tmp`, path, text, stats?.mode ?? mode);
  });
}

/** The text of a regular file; undefined for a missing file, a device or a pipe. */
export function readIfFile(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile()
    ? readFileSync(file, "utf8")
    : undefined;
}

/** Whether a file has this text. Git may have checked it out with CRLF. */
export function hasText(file: string, text: string): boolean {
  return readIfFile(file)?.replaceAll("\r\n", "\n") === text;
}

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

/** What Windows answers while another process has the file open. */
const OPEN = ["EBUSY", "EPERM", "EACCES"];

/** In milliseconds; each pause is twice as long as the one before, 630 ms together. */
const FIRST_PAUSE = 10;
const LAST_PAUSE = 320;

/** F8: replaces or removes a file, and repeats that while another process has the file open. */
export function retryWhileOpen<T>(work: () => T): T {
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    try {
      return work();
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (pause > LAST_PAUSE || !OPEN.includes(code)) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}
