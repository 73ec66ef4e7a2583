import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";
import { readOfSize, writeWhole } from "./file-bytes.ts";
import type { FileContent } from "./file-content.ts";
import { guard } from "./guard.ts";
import { type Known, type KnownFile, type Look, lookOf } from "./known-files.ts";
import { makeFolder } from "./make-folder.ts";
import { type FileFact, MANIFEST } from "./manifest.ts";

/** How a file stands to what it should be; `fact`: what a file that is right holds. */
export type Comparison =
  | { readonly state: "same"; readonly fact: FileFact; readonly look: Look }
  | { readonly state: "changed" | "new"; readonly fact?: undefined };

function compareKnown(
  content: FileContent,
  { fact, versionId }: KnownFile,
  look: Look,
): Comparison {
  const isSame =
    content.sha256 === undefined
      ? content.versionId === versionId && content.size === fact.size
      : content.sha256 === fact.sha256;
  return isSame ? { state: "same", fact, look } : { state: "changed" };
}

/** The folder of published files: each file is replaced whole, and only when it differs (F3). */
export class OutFolder {
  readonly path: string;
  /** Folders that were made here, so exist now. */
  readonly #made = new Set<string>();
  /** Folders that can be written. */
  readonly #writable = new Set<string>();
  /** What stood in folders when it was looked for: whether each is a folder, by path. */
  readonly #found = new Map<string, boolean>();
  /** Folders in which was looked. */
  readonly #listed = new Set<string>();
  #hasRead = false;

  constructor(path: string) {
    // As the folders of its files are named below: without "./" or a final slash.
    this.path = dirname(join(path, MANIFEST));
  }

  #path(file: string): string {
    return `${this.path}/${file}`;
  }

  /** Whether a file had to be read to be compared. */
  get hasRead(): boolean {
    return this.#hasRead;
  }

  /** How the file stands to what it should be. What is known of it is not read. */
  compare(file: string, content: FileContent, known?: Known): Comparison {
    const path = this.#path(file);
    return guard(path, (): Comparison => {
      if (!this.#exists(dirname(path))) return { state: "new" };
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return { state: "new" };
      if (stats.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
      // What is served is a file: a link or a pipe in its place is replaced.
      if (!stats.isFile()) return { state: "changed" };
      const found = known?.(file, stats);
      if (found !== undefined) return compareKnown(content, found, lookOf(stats));
      this.#hasRead = true;
      const fact = stats.size === content.size ? content.matches(readFileSync(path)) : undefined;
      return fact === undefined
        ? { state: "changed" }
        : { state: "same", fact, look: lookOf(stats) };
    });
  }

  /** The bytes of a file that is so long, until the next one is read. */
  read(file: string, size: number): Uint8Array | undefined {
    return readOfSize(this.#path(file), size);
  }

  /** What can be told of the file without reading it; fails as `compare` does. */
  look(file: string): Stats | undefined {
    const path = this.#path(file);
    return guard(path, () =>
      this.#exists(dirname(path)) ? lstatSync(path, { throwIfNoEntry: false }) : undefined,
    );
  }

  /**
   * Whether the folder is there. Fails when something else stands in its place, or further up: a
   * link as well, through which what is not ours could be written.
   */
  #exists(folder: string): boolean {
    let isFolder = this.#found.get(folder);
    if (isFolder === undefined) {
      isFolder = this.#find(folder);
      if (isFolder !== undefined) this.#found.set(folder, isFolder);
    }
    if (isFolder !== false) return isFolder === true;
    throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  }

  #find(folder: string): boolean | undefined {
    if (folder === this.path) return statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    const parent = dirname(folder);
    if (!this.#exists(parent)) return undefined;
    this.#list(parent);
    // Some file systems have it by another name: in other letters.
    return this.#found.get(folder) ?? lstatSync(folder, { throwIfNoEntry: false })?.isDirectory();
  }

  /** One look for a whole folder: a project has one for each of its experiences. */
  #list(folder: string): void {
    if (this.#listed.has(folder)) return;
    this.#listed.add(folder);
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        this.#found.set(`${folder}/${entry.name}`, entry.isDirectory());
      }
    } catch {
      // It may be entered, not listed: what stands there is looked for one by one.
    }
  }

  /** Fails as `replace` and `remove` would where the file's folder, or the next above, is closed. */
  checkWritable(file: string): void {
    let folder = dirname(this.#path(file));
    while (folder !== this.path && !this.#exists(folder)) folder = dirname(folder);
    if (this.#writable.has(folder)) return;
    guard(folder, () => accessSync(folder, constants.W_OK));
    this.#writable.add(folder);
  }

  /**
   * Writes the file beside its place and renames it there. `isNew`: its folder may be missing.
   * Returns how it looks then.
   */
  replace(file: string, pieces: readonly Uint8Array[], isNew = true): Look {
    const path = this.#path(file);
    const folder = dirname(path);
    return guard(path, () => {
      if (isNew) this.#make(folder);
      const beside = join(folder, TEMPORARY);
      try {
        const look = writeWhole(beside, pieces);
        renameSync(beside, path);
        return look;
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
    const path = this.#path(file);
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
   * `onUnreadable` hears of folders that cannot be read; without it that fails. Folders that `skip`
   * tells are not looked into.
   */
  filesBelow(
    folder: string,
    { onUnreadable = failing, skip }: { onUnreadable?: OnUnreadable; skip?: Skip } = {},
  ): string[] {
    return this.#entriesOf(folder, onUnreadable).flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return skip?.(path) ? [] : this.filesBelow(path, { onUnreadable, ...(skip && { skip }) });
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

type OnUnreadable = (folder: string, error: NodeJS.ErrnoException) => void;
type Skip = (folder: string) => boolean;

function failing(_folder: string, error: NodeJS.ErrnoException): void {
  throw error;
}

/** Of each thread its own. */
const TEMPORARY = `.svc-${process.pid}${isMainThread ? "" : threadId}.tmp`;

/** Whether the path is a file that was being written beside its place when a process was killed. */
export function isTemporary(path: string): boolean {
  return /(^|\/)\.svc-\d+\.tmp$/.test(path);
}
