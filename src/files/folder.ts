import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SvcError } from "../workspace/errors.ts";
import { withFileErrors } from "./file-errors.ts";
import { type Content, makeFolder, replaceThrough, retryWhileOpen } from "./replace-file.ts";

/** The file that is being written, until it is renamed. A killed process leaves it behind. */
export const TEMPORARY = ".svc-writing.tmp";

const CHUNK = 1024 * 1024;

/** Windows has no such flag. */
const NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/**
 * Whether it is the path of a file below a folder, with `/`: nothing absolute, no `..`, and no
 * backslash, which separates on Windows.
 */
function isInside(path: string): boolean {
  const isName = (segment: string) => !["", ".", ".."].includes(segment) && !/[\\\0]/.test(segment);
  return path.split("/").every(isName);
}

/**
 * A folder in which svc writes. Each file is replaced whole: by one rename. Paths come from anyone,
 * so each one is checked here (F9): it is one that the folder may hold, is below it, and no link leads
 * out of it. Call what changes files with the folder locked.
 */
export class Folder {
  readonly path: string;
  readonly #mayHold: (path: string) => boolean;
  /** Whether these are folders; undefined: there is nothing. */
  readonly #folders = new Map<string, boolean | undefined>();
  /** Folders that can be written. */
  readonly #writable = new Set<string>();

  /** @param mayHold F9a: which paths the folder may hold. */
  constructor(path: string, mayHold: (path: string) => boolean) {
    // Normalized, as `dirname` of its files gives it.
    this.path = dirname(join(path, TEMPORARY));
    this.#mayHold = mayHold;
  }

  /** The absolute path of a file. */
  #at(path: string): string {
    if (isInside(path) && this.#mayHold(path)) return `${this.path}/${path}`;
    throw new SvcError("path-refused", `"${path}" is no path of a file in "${this.path}"`, {
      hint: "where it comes from is damaged, or was made to harm: svc writes no such file",
    });
  }

  /** Undefined when there is nothing. Fails when it is a folder. */
  stat(path: string): Stats | undefined {
    const at = this.#at(path);
    return withFileErrors(at, () => {
      if (!this.#isFolder(dirname(at))) return undefined;
      const stats = lstatSync(at, { throwIfNoEntry: false });
      if (stats?.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
      return stats;
    });
  }

  /** The bytes of a file that is there. */
  read(path: string): Buffer {
    const at = this.#at(path);
    const read = () => {
      this.#isFolder(dirname(at));
      return readFileSync(at, { flag: NO_LINK as unknown as string });
    };
    return withFileErrors(at, read, "read");
  }

  /** The bytes of a file that is there, one part after the other, each in the memory of the one before. */
  *chunks(path: string): Generator<Buffer> {
    const at = this.#at(path);
    const descriptor = withFileErrors(
      at,
      () => {
        this.#isFolder(dirname(at));
        return openSync(at, NO_LINK);
      },
      "read",
    );
    const buffer = Buffer.allocUnsafeSlow(CHUNK);
    try {
      for (;;) {
        const chunk = buffer.subarray(0, readSync(descriptor, buffer));
        if (chunk.length === 0) return;
        yield chunk;
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** False: there is nothing. Fails when the path or one above it is no folder, or a link. */
  #isFolder(folder: string): boolean {
    let found = this.#folders.get(folder);
    if (found === undefined && !this.#folders.has(folder)) {
      const isTop = folder === this.path;
      const stat = isTop ? statSync : lstatSync;
      if (isTop || this.#isFolder(dirname(folder))) {
        found = stat(folder, { throwIfNoEntry: false })?.isDirectory();
      }
      this.#folders.set(folder, found);
    }
    if (found === false) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
    return found === true;
  }

  /** Replaces a file, and makes the folders that it is in; `lookAgain` as of `replaceThrough`. */
  replace(path: string, content: Content, mode?: number, lookAgain?: () => void): Stats {
    const at = this.#at(path);
    return withFileErrors(at, () => {
      this.#make(dirname(at));
      return replaceThrough(`${this.path}/${TEMPORARY}`, at, content, mode, lookAgain);
    });
  }

  #make(folder: string): void {
    if (this.#isFolder(folder)) return;
    if (folder === this.path) makeFolder(folder);
    else {
      this.#make(dirname(folder));
      mkdirSync(folder);
    }
    this.#folders.set(folder, true);
  }

  /** Gives a file that was written before another path: of one that is there already. */
  move(from: string, to: string): void {
    const [source, target] = [this.#at(from), this.#at(to)];
    withFileErrors(target, () => {
      for (const one of [source, target]) this.#isFolder(dirname(one));
      retryWhileOpen(() => renameSync(source, target));
    });
  }

  /** Removes a file, and the folders that it leaves empty. */
  remove(path: string): void {
    const at = this.#at(path);
    withFileErrors(at, () => {
      if (this.#isFolder(dirname(at))) retryWhileOpen(() => rmSync(at, { force: true }));
    });
    for (let folder = dirname(at); folder !== this.path; folder = dirname(folder)) {
      try {
        rmdirSync(folder);
      } catch {
        return;
      }
      this.#folders.delete(folder);
    }
  }

  /** Removes a folder with all that is in it. */
  removeFolder(path: string): void {
    const at = this.#at(path);
    withFileErrors(at, () => {
      if (this.#isFolder(dirname(at))) rmSync(at, { recursive: true, force: true });
    });
    this.#folders.clear();
  }

  /** Fails as `replace` and `remove` would when the nearest existing folder is not writable. */
  checkWritable(path: string): void {
    let folder = dirname(this.#at(path));
    while (folder !== this.path && !this.#isFolder(folder)) folder = dirname(folder);
    if (this.#writable.has(folder)) return;
    withFileErrors(folder, () => accessSync(folder, constants.W_OK));
    this.#writable.add(folder);
  }

  /**
   * The paths of all files below a folder, with `/`; none when there is no such folder.
   *
   * @param options `onUnreadable` is called for folders that cannot be read: by default that fails.
   *   Folders for which `skip` returns true are not entered.
   */
  filesBelow(folder: string, options: ListOptions = {}): string[] {
    return this.#entriesOf(folder, options.onUnreadable).flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return options.skip?.(path) ? [] : this.filesBelow(path, options);
    });
  }

  /** Removes the folders below a folder that have no file. Returns whether it is empty now. */
  removeEmptyFolders(folder: string): boolean {
    const kept = this.#entriesOf(folder).filter((entry) => {
      const path = `${folder}/${entry.name}`;
      if (!entry.isDirectory() || !this.removeEmptyFolders(path)) return true;
      withFileErrors(join(this.path, path), () => rmdirSync(join(this.path, path)));
      return false;
    });
    return kept.length === 0;
  }

  #entriesOf(folder: string, onUnreadable: ListOptions["onUnreadable"] = failing): Dirent[] {
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

interface ListOptions {
  readonly onUnreadable?: (folder: string, error: NodeJS.ErrnoException) => void;
  readonly skip?: (folder: string) => boolean;
}

function failing(_folder: string, error: NodeJS.ErrnoException): void {
  throw error;
}
