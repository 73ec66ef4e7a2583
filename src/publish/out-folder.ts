import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../documents/version-id.ts";
import { guard } from "./guard.ts";
import { makeFolder } from "./make-folder.ts";
import { type FileFact, MANIFEST } from "./manifest.ts";

/** The folder of published files: each file is replaced whole, and only when it differs (F3). */
export class OutFolder {
  readonly path: string;
  /** Folders that were made here, so exist now. */
  readonly #made = new Set<string>();
  /** Folders that can be written. */
  readonly #writable = new Set<string>();
  /** Whether a folder was there when it was looked for. */
  readonly #known = new Map<string, boolean>();

  constructor(path: string) {
    // As the folders of its files are named below: without "./" or a final slash.
    this.path = dirname(join(path, MANIFEST));
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

  /**
   * Whether the folder is there. Fails when something else stands in its place, or further up: a
   * link as well, through which what is not ours could be written.
   */
  #exists(folder: string): boolean {
    let exists = this.#known.get(folder);
    if (exists === undefined) {
      const isTop = folder === this.path;
      const stats = isTop
        ? statSync(folder, { throwIfNoEntry: false })
        : this.#exists(dirname(folder))
          ? lstatSync(folder, { throwIfNoEntry: false })
          : undefined;
      if (stats !== undefined && !stats.isDirectory()) {
        throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
      }
      exists = stats !== undefined;
      this.#known.set(folder, exists);
    }
    return exists;
  }

  /** Fails as `replace` and `remove` would where the file's folder, or the next above, is closed. */
  checkWritable(file: string): void {
    let folder = dirname(join(this.path, file));
    while (folder !== this.path && !this.#exists(folder)) folder = dirname(folder);
    if (this.#writable.has(folder)) return;
    guard(folder, () => accessSync(folder, constants.W_OK));
    this.#writable.add(folder);
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

  #make(folder: string): void {
    if (this.#made.has(folder)) return;
    makeFolder(folder);
    this.#made.add(folder);
  }

  /** Removes the file, and the folders that it leaves empty. */
  remove(file: string): void {
    const path = join(this.path, file);
    guard(path, () => {
      if (this.#exists(dirname(path))) rmSync(path, { force: true });
    });
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
      try {
        rmdirSync(join(this.path, folder));
      } catch {
        return;
      }
    }
  }

  /**
   * Every file below a folder of this one, with `/`; none when there is no such folder.
   * `onUnreadable` hears of folders that cannot be read; without it that fails.
   */
  filesBelow(folder: string, onUnreadable = failing): string[] {
    return this.#entriesOf(folder, onUnreadable).flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? this.filesBelow(path, onUnreadable) : [path];
    });
  }

  /** The files that stand in a folder itself. */
  filesDirectlyIn(folder: string): string[] {
    return this.#entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [] : entry.name));
  }

  /** Removes the folders below a folder that hold no file. Returns whether it holds none now. */
  removeEmptyFolders(folder: string): boolean {
    let isEmpty = true;
    for (const entry of this.#entriesOf(folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory() || !this.removeEmptyFolders(path)) isEmpty = false;
      else guard(join(this.path, path), () => rmdirSync(join(this.path, path)));
    }
    return isEmpty;
  }

  #entriesOf(folder: string, onUnreadable = failing): Dirent[] {
    const path = join(this.path, folder);
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      const failure = error as NodeJS.ErrnoException;
      if (failure.code !== "ENOENT" && failure.code !== "ENOTDIR") {
        guard(path, () => onUnreadable(folder, failure), "read");
      }
      return [];
    }
  }
}

function failing(_folder: string, error: NodeJS.ErrnoException): void {
  throw error;
}

function temporaryName(): string {
  return `.svc-${process.pid}.tmp`;
}

/** Whether the path is a file that was being written beside its place when a process was killed. */
export function isTemporary(path: string): boolean {
  return /(^|\/)\.svc-\d+\.tmp$/.test(path);
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
