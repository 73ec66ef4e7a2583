import { existsSync, type FSWatcher, readdirSync, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Changes are reported after this time without another one, in milliseconds. */
const DEBOUNCE = 15;
/** Changes are reported at the latest this long after the first one, in milliseconds. */
const MAX_WAIT = 150;

/**
 * Watches a folder and its subfolders: files that are written or renamed, and the folder itself
 * being replaced. Hidden entries and `node_modules` are ignored.
 */
export class WatchedFolder {
  readonly #folder: string;
  readonly #except: readonly string[];
  #watchers: FSWatcher[] = [];
  #firstChangeAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onChanged: (() => void) | undefined;

  /** @param except files and folders whose changes are ignored. */
  constructor(folder: string, except: readonly string[]) {
    this.#folder = resolve(folder);
    this.#except = except.map((path) => withoutLinks(resolve(path)));
  }

  /**
   * Watches the folders that exist now and discards the changes so far. Call it before reading
   * the folder, so that changes during the read are reported.
   */
  renew(): void {
    const old = this.#watchers;
    this.#watchers = [];
    this.#discard();
    // The parent reports when the folder itself is moved away or replaced.
    this.#watch(dirname(this.#folder), (name) => name === null || name === basename(this.#folder));
    if (statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory()) this.#watchTree();
    for (const watcher of old) watcher.close();
  }

  /** Resolves to true after changes, debounced; to false if there is none within so many milliseconds. */
  async changed(within?: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const change = new Promise<true>((resolve) => {
      this.#onChanged = () => resolve(true);
      if (this.#firstChangeAt !== undefined) this.#debounce();
    });
    const timeout = new Promise<false>((resolve) => {
      const end = () => this.#firstChangeAt === undefined && resolve(false);
      if (within !== undefined) timer = setTimeout(end, within);
    });
    const result = await Promise.race([change, timeout]);
    clearTimeout(timer);
    this.#onChanged = undefined;
    return result;
  }

  close(): void {
    this.#discard();
    for (const watcher of this.#watchers) watcher.close();
  }

  #watchTree(): void {
    const folders = [realpathSync(this.#folder)];
    for (const folder of folders) {
      this.#watch(folder, (name) => name === null || this.#isWatched(folder, name));
      for (const entry of entriesOf(folder)) {
        if (entry.isDirectory() && this.#isWatched(folder, entry.name)) {
          folders.push(join(folder, entry.name));
        }
      }
    }
  }

  #isWatched(folder: string, name: string): boolean {
    if (name.startsWith(".") || name === "node_modules") return false;
    return !this.#except.includes(join(folder, name));
  }

  #watch(folder: string, isWatched: (name: string | null) => boolean): void {
    try {
      const watcher = watch(folder, (_event, name) => {
        if (!isWatched(name)) return;
        this.#firstChangeAt ??= Date.now();
        this.#debounce();
      });
      // The folder was removed, which the watcher of its parent reports.
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(code)) throw error;
    }
  }

  #debounce(): void {
    clearTimeout(this.#timer);
    const left = MAX_WAIT - (Date.now() - (this.#firstChangeAt ?? Date.now()));
    this.#timer = setTimeout(() => this.#onChanged?.(), Math.max(0, Math.min(DEBOUNCE, left)));
  }

  #discard(): void {
    clearTimeout(this.#timer);
    this.#firstChangeAt = undefined;
  }
}

/** The path with the symbolic links of its folder resolved; the last segment need not exist. */
function withoutLinks(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Removed or unreadable by now: the import reports it.
    return [];
  }
}
