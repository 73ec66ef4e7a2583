import type { ErrorCode } from "../workspace/error-codes.ts";
import { SvcError } from "../workspace/errors.ts";

type Meaning = readonly [code: ErrorCode, says: string, hint: string];

const NOT_A_FOLDER: Meaning = ["out-obstructed", "it must be a folder", "move away what is there"];
const NOT_A_FILE: Meaning = ["out-obstructed", "it must be a file", "move away what is there"];

/** Of Windows also: another program has the file open. */
const NOT_PERMITTED: Meaning = [
  "out-unwritable",
  "permission denied",
  "check who may write there, and that no other program has it open",
];

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOSPC: ["disk-full", "the disk is full", "make room, then try again"],
  EDQUOT: ["disk-full", "the disk quota is used up", "make room, then try again"],
  EROFS: [
    "out-unwritable",
    "the file system is read-only",
    "make it writable, or choose another folder",
  ],
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EBUSY: ["out-unwritable", "another program has it open", "close it there, then try again"],
  ENOENT: ["out-unwritable", "the folder cannot be made there", "choose another folder"],
  ENOTDIR: NOT_A_FOLDER,
  EEXIST: NOT_A_FOLDER,
  EISDIR: NOT_A_FILE,
  ENOTEMPTY: NOT_A_FILE,
  ELOOP: NOT_A_FILE,
  EXDEV: ["out-unwritable", "it is on another file system", "choose a folder on one file system"],
  ENAMETOOLONG: ["out-unwritable", "the path is too long", "choose a shorter path"],
  EIO: ["out-unwritable", "the disk fails", "check the disk, then try again"],
};

/**
 * Runs work on one file.
 *
 * @throws SvcError `disk-full`, `out-unwritable`, `out-obstructed` for errors of the file system.
 */
export function withFileErrors<T>(path: string, work: () => T, verb = "write"): T {
  try {
    return work();
  } catch (error) {
    const meaning = MEANINGS[(error as NodeJS.ErrnoException).code ?? ""];
    if (meaning === undefined || error instanceof SvcError) throw error;
    const [code, says, hint] = meaning;
    throw new SvcError(code, `cannot ${verb} "${path}": ${says}`, { hint, cause: error });
  }
}
