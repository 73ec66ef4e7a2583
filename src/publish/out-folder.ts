import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import type { FileFact } from "./manifest.ts";

/** The folder of published files: each file is replaced whole, and only when it differs (F3). */
export class OutFolder {
  readonly path: string;
  /** Folders that were made here, so exist now. */
  readonly #made = new Set<string>();
  /** Whether a folder was there when it was looked for. */
  readonly #known = new Map<string, boolean>();

  constructor(path: string) {
    this.path = path;
  }

  /** Makes the folder, and fails as `replace` would when nothing can be written there. */
  prepare(): void {
    const probe = join(this.path, temporaryName());
    guard(probe, () => {
      this.#make(this.path);
      writeWhole(probe, new Uint8Array());
      rmSync(probe);
    });
  }

  /** How the file stands to what it should be. */
  compare(file: string, wanted: FileFact): "same" | "changed" | "new" {
    const path = join(this.path, file);
    return guard(path, () => {
      if (!this.#exists(dirname(path))) return "new";
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return "new";
      // What is served is a file: a link in its place is replaced.
      if (stats.isSymbolicLink()) return "changed";
      if (stats.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
      const isSame = stats.size === wanted.size && sha256(readFileSync(path)) === wanted.sha256;
      return isSame ? "same" : "changed";
    });
  }

  /** Whether the folder is there. Fails when a file stands in its place, or further up. */
  #exists(folder: string): boolean {
    let exists = this.#known.get(folder);
    if (exists === undefined) {
      const stats = statSync(folder, { throwIfNoEntry: false });
      if (stats !== undefined && !stats.isDirectory()) {
        throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
      }
      exists = stats !== undefined;
      if (!exists && folder !== this.path && folder !== dirname(folder)) {
        this.#exists(dirname(folder));
      }
      this.#known.set(folder, exists);
    }
    return exists;
  }

  /** Writes the file beside its place and renames it there. */
  replace(file: string, bytes: Uint8Array): void {
    const path = join(this.path, file);
    const folder = dirname(path);
    guard(path, () => {
      this.#make(folder);
      const beside = join(folder, temporaryName());
      try {
        writeWhole(beside, bytes);
        renameSync(beside, path);
      } catch (error) {
        rmSync(beside, { force: true });
        throw error;
      }
    });
  }

  /** Makes a folder and what is missing above it (a plain mkdir is much cheaper than a recursive). */
  #make(folder: string): void {
    if (this.#made.has(folder)) return;
    try {
      mkdirSync(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") {
        this.#make(dirname(folder));
        mkdirSync(folder);
      } else if (code !== "EEXIST") throw error;
    }
    this.#made.add(folder);
  }

  /** Removes the file, and the folders that it leaves empty. */
  remove(file: string): void {
    const path = join(this.path, file);
    guard(path, () => rmSync(path, { force: true }));
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
      try {
        rmdirSync(join(this.path, folder));
      } catch {
        return;
      }
    }
  }
}

function temporaryName(): string {
  return `.svc-${process.pid}.tmp`;
}

function writeWhole(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, "w");
  try {
    for (let done = 0; done < bytes.byteLength; ) {
      done += writeSync(descriptor, bytes, done);
    }
  } finally {
    closeSync(descriptor);
  }
}

const MEANINGS: Readonly<Record<string, readonly [code: string, says: string, hint: string]>> = {
  ENOSPC: ["disk-full", "the disk is full", "make room, then run svc write"],
  EDQUOT: ["disk-full", "the disk quota is used up", "make room, then run svc write"],
  EROFS: ["out-unwritable", "the file system is read-only", "choose another folder with --out"],
  EACCES: ["out-unwritable", "permission denied", "check who may write there"],
  EPERM: ["out-unwritable", "permission denied", "check who may write there"],
  ENOTDIR: ["out-obstructed", "a file stands where a folder is needed", "move that file away"],
  EEXIST: ["out-obstructed", "a file stands where a folder is needed", "move that file away"],
  EISDIR: ["out-obstructed", "a folder stands where a file is needed", "move that folder away"],
  ENOTEMPTY: ["out-obstructed", "a folder stands where a file is needed", "move that folder away"],
  ENAMETOOLONG: ["out-unwritable", "the path is too long", "choose a shorter --out"],
};

/** Runs work on one file; an error of the file system names the file and says what to do. */
export function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const meaning = MEANINGS[(error as NodeJS.ErrnoException).code ?? ""];
    if (meaning === undefined) throw error;
    const [code, says, hint] = meaning;
    throw new SvcError(code, `cannot write "${path}": ${says}`, { hint, cause: error });
  }
}
