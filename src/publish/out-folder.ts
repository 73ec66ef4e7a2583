import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";
import type { FileFact } from "../documents/version-id.ts";
import { retryWhileOpen } from "../workspace/retry-while-open.ts";
import { makeFolder } from "./make-folder.ts";
import { MANIFEST } from "./manifest.ts";
import { withFileErrors } from "./with-file-errors.ts";

/** Renaming a file changes none of these; writing to it does. */
export type FileSignature = readonly [inode: number, size: number, mtimeMs: number];

export function signatureOf({ ino, size, mtimeMs }: Stats): FileSignature {
  return [ino, size, mtimeMs];
}

/** What a file should be. */
export interface ExpectedFile {
  /** Bytes. */
  readonly size: number;
  /** The version that the file names; undefined when it names none. */
  readonly versionId?: string;
  /** Of the file; undefined when it is not known before its bytes are. */
  readonly sha256?: string;
  /** The fact of a file with these bytes, if they are the right ones. */
  matches(bytes: Uint8Array): FileFact | undefined;
}

/** A published file that need not be read. */
export interface CachedFile {
  readonly fact: FileFact;
  /** The version that the documents of its workspace name. */
  readonly versionId: string;
}

export type Comparison =
  | { readonly state: "same"; readonly fact: FileFact; readonly signature: FileSignature }
  | { readonly state: "changed" | "new" };

function isSameAsCached(content: ExpectedFile, { fact, versionId }: CachedFile): boolean {
  return content.sha256 === undefined
    ? content.versionId === versionId && content.size === fact.size
    : content.sha256 === fact.sha256;
}

/** The folder of published files: each is replaced atomically, and only when it differs (F3). */
export class OutFolder {
  readonly path: string;
  /** Folders that were made here, so exist now. */
  readonly #made = new Set<string>();
  /** Folders that can be written. */
  readonly #writable = new Set<string>();
  /** Whether each entry of the listed folders is a folder, by path; undefined: there is none such. */
  readonly #found = new Map<string, boolean | undefined>();
  readonly #listed = new Set<string>();
  #hasReadFiles = false;

  constructor(path: string) {
    // Normalized, as `dirname` of its files gives it.
    this.path = dirname(join(path, MANIFEST));
  }

  #path(file: string): string {
    return `${this.path}/${file}`;
  }

  /** Whether a comparison had to read a file. */
  get hasReadFiles(): boolean {
    return this.#hasReadFiles;
  }

  /** Compares a file with the content that it should have. Files found in the cache are not read. */
  compare(
    file: string,
    content: ExpectedFile,
    cached?: (file: string, stats: Stats) => CachedFile | undefined,
  ): Comparison {
    const path = this.#path(file);
    return withFileErrors(path, (): Comparison => {
      if (!this.#exists(dirname(path))) return { state: "new" };
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return { state: "new" };
      if (stats.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
      // Links and pipes are replaced by files.
      if (!stats.isFile()) return { state: "changed" };
      const found = cached?.(file, stats);
      if (found === undefined) this.#hasReadFiles = true;
      else if (!isSameAsCached(content, found)) return { state: "changed" };
      const fact =
        found?.fact ??
        (stats.size === content.size ? content.matches(readFileSync(path)) : undefined);
      if (fact === undefined) return { state: "changed" };
      return { state: "same", fact, signature: signatureOf(stats) };
    });
  }

  /** Undefined when there is no such file. Fails as `compare` does. */
  stat(file: string): Stats | undefined {
    const path = this.#path(file);
    return withFileErrors(path, () =>
      this.#exists(dirname(path)) ? lstatSync(path, { throwIfNoEntry: false }) : undefined,
    );
  }

  /**
   * Fails when the path or one above it is not a folder. A link is not one either: writing through
   * it could change files outside `out/`.
   */
  #exists(folder: string): boolean {
    let isFolder = this.#found.get(folder);
    if (isFolder === undefined && !this.#found.has(folder)) {
      isFolder = this.#find(folder);
      this.#found.set(folder, isFolder);
    }
    if (isFolder !== false) return isFolder === true;
    throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  }

  #find(folder: string): boolean | undefined {
    if (folder === this.path) return statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    const parent = dirname(folder);
    if (!this.#exists(parent)) return undefined;
    this.#list(parent);
    // Some file systems ignore letter case or normalize names.
    return this.#found.get(folder) ?? lstatSync(folder, { throwIfNoEntry: false })?.isDirectory();
  }

  /** Once for all of a folder: a project has a folder for each of its experiences. */
  #list(folder: string): void {
    if (this.#listed.has(folder)) return;
    this.#listed.add(folder);
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        this.#found.set(`${folder}/${entry.name}`, entry.isDirectory());
      }
    } catch {
      // It may be possible to enter but not to list it: its entries are looked up one by one.
    }
  }

  /** Fails as `replace` and `remove` would when the nearest existing folder is not writable. */
  checkWritable(file: string): void {
    let folder = dirname(this.#path(file));
    while (folder !== this.path && !this.#exists(folder)) folder = dirname(folder);
    if (this.#writable.has(folder)) return;
    withFileErrors(folder, () => accessSync(folder, constants.W_OK));
    this.#writable.add(folder);
  }

  /** Writes a temporary file and renames it. `isNew`: its folder may be missing. */
  replace(file: string, bytes: Uint8Array, isNew = true): FileSignature {
    const path = this.#path(file);
    const folder = dirname(path);
    return withFileErrors(path, () => {
      if (isNew) this.#make(folder);
      const temporary = join(folder, TEMPORARY);
      try {
        const signature = writeNew(temporary, bytes);
        retryWhileOpen(() => renameSync(temporary, path));
        return signature;
      } catch (error) {
        rmSync(temporary, { force: true });
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
    withFileErrors(path, () => {
      if (this.#exists(dirname(path))) retryWhileOpen(() => rmSync(path, { force: true }));
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
   * The paths of all files below a folder, with `/`; none when there is no such folder.
   *
   * @param options `onUnreadable` is called for folders that cannot be read: by default that fails.
   *   Folders for which `skip` returns true are not entered.
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

  /** Not those in folders below it. */
  filesDirectlyIn(folder: string): string[] {
    return this.#entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [] : entry.name));
  }

  /** Removes the folders below a folder that have no file. Returns whether it is empty now. */
  removeEmptyFolders(folder: string): boolean {
    let isEmpty = true;
    for (const entry of this.#entriesOf(folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory() || !this.removeEmptyFolders(path)) isEmpty = false;
      else withFileErrors(join(this.path, path), () => rmdirSync(join(this.path, path)));
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
        withFileErrors(path, () => onUnreadable(folder, failure), "read");
      }
      return [];
    }
  }
}

function writeNew(path: string, bytes: Uint8Array): FileSignature {
  const descriptor = openSync(path, "w");
  try {
    writeFileSync(descriptor, bytes);
    return signatureOf(fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

type OnUnreadable = (folder: string, error: NodeJS.ErrnoException) => void;
type Skip = (folder: string) => boolean;

function failing(_folder: string, error: NodeJS.ErrnoException): void {
  throw error;
}

/** Each thread has its own. */
const TEMPORARY = `.svc-${process.pid}${isMainThread ? "" : threadId}.tmp`;

/** Whether the path is a temporary file, which a killed process leaves behind. */
export function isTemporary(path: string): boolean {
  return /(^|\/)\.svc-\d+\.tmp$/.test(path);
}
