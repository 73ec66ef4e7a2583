import { SvcError } from "../workspace/errors.ts";

const MEANINGS: Readonly<Record<string, readonly [code: string, says: string, hint: string]>> = {
  ENOSPC: ["disk-full", "the disk is full", "make room, then try again"],
  EDQUOT: ["disk-full", "the disk quota is used up", "make room, then try again"],
  EROFS: ["out-unwritable", "the file system is read-only", "choose another folder with --out"],
  EACCES: ["out-unwritable", "permission denied", "check who may write there"],
  EPERM: ["out-unwritable", "permission denied", "check who may write there"],
  ENOENT: ["out-unwritable", "the folder cannot be made there", "choose another folder with --out"],
  ENOTDIR: ["out-obstructed", "no folder stands where one is needed", "move away what is there"],
  EEXIST: ["out-obstructed", "no folder stands where one is needed", "move away what is there"],
  EISDIR: ["out-obstructed", "no file stands where one is needed", "move away what is there"],
  ENOTEMPTY: ["out-obstructed", "no file stands where one is needed", "move away what is there"],
  ENAMETOOLONG: ["out-unwritable", "the path is too long", "choose a shorter --out"],
  EIO: ["out-unwritable", "the disk fails", "check the disk, then try again"],
};

/** Runs work on one file; an error of the file system names the file and says what to do. */
export function guard<T>(path: string, work: () => T, verb = "write"): T {
  try {
    return work();
  } catch (error) {
    const meaning = MEANINGS[(error as NodeJS.ErrnoException).code ?? ""];
    if (meaning === undefined) throw error;
    const [code, says, hint] = meaning;
    throw new SvcError(code, `cannot ${verb} "${path}": ${says}`, { hint, cause: error });
  }
}
