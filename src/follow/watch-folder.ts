import { existsSync, type FSWatcher, readdirSync, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** How long nothing must happen until a burst of changes is over, in milliseconds. */
const QUIET = 15;
/** How long a burst may last before it is looked at all the same, in milliseconds. */
const LONGEST = 150;

/**
 * Watches a folder and all folders below it, whether files are written, renamed into their place,
 * or the folder itself is replaced. Hidden files and folders are none of a workspace's.
 */
export class WatchedFolder {
  readonly #folder: string;
  readonly #except: readonly string[];
  #watchers: FSWatcher[] = [];
  #begun: number | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #over: (() => void) | undefined;

  /** @param except files and folders that do not count, wherever they are. */
  constructor(folder: string, except: readonly string[]) {
    this.#folder = resolve(folder);
    this.#except = except.map((path) => placeOf(resolve(path)));
  }

  /**
   * Watches the folders that there are now, and forgets the changes so far. What is read after
   * this is seen whole, or its change is noticed.
   */
  renew(): void {
    const old = this.#watchers;
    this.#watchers = [];
    this.#forget();
    // The folder itself is seen from above when it is moved away, or another takes its place.
    this.#watch(dirname(this.#folder), (name) => name === null || name === basename(this.#folder));
    if (statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory()) this.#watchBelow();
    for (const watcher of old) watcher.close();
  }

  /** Resolves to true when a burst of changes is over, to false if none began in so many milliseconds. */
  async changed(within?: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<true>((resolve) => {
      this.#over = () => resolve(true);
      if (this.#begun !== undefined) this.#wait();
    });
    const timeout = new Promise<false>((resolve) => {
      const end = () => this.#begun === undefined && resolve(false);
      if (within !== undefined) timer = setTimeout(end, within);
    });
    const result = await Promise.race([over, timeout]);
    clearTimeout(timer);
    this.#over = undefined;
    return result;
  }

  #watchBelow(): void {
    const folders = [realpathSync(this.#folder)];
    for (const folder of folders) {
      this.#watch(folder, (name) => name === null || this.#counts(folder, name));
      for (const entry of entriesOf(folder)) {
        if (entry.isDirectory() && this.#counts(folder, entry.name)) {
          folders.push(join(folder, entry.name));
        }
      }
    }
  }

  #counts(folder: string, name: string): boolean {
    if (name.startsWith(".") || name === "node_modules") return false;
    const path = join(folder, name);
    return !this.#except.includes(path);
  }

  #watch(folder: string, counts: (name: string | null) => boolean): void {
    try {
      const watcher = watch(folder, (_event, name) => {
        if (!counts(name)) return;
        this.#begun ??= Date.now();
        this.#wait();
      });
      // The folder is gone, which the one above it tells.
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!["ENOENT", "ENOTDIR", "EACCES"].includes(code)) throw error;
    }
  }

  #wait(): void {
    clearTimeout(this.#quiet);
    const left = LONGEST - (Date.now() - (this.#begun ?? Date.now()));
    this.#quiet = setTimeout(() => this.#over?.(), Math.max(0, Math.min(QUIET, left)));
  }

  #forget(): void {
    clearTimeout(this.#quiet);
    this.#begun = undefined;
  }
}

/** The path without links, but for what it names itself, which need not be there. */
function placeOf(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It was removed or closed to us meanwhile: reading the workspace will say so.
    return [];
  }
}
