import { existsSync, type FSWatcher, readdirSync, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Changes are reported after this time without another one, in milliseconds. */
const DEBOUNCE = 15;
/** Changes are reported at the latest this long after the first one, in milliseconds. */
const MAX_WAIT = 150;
/** With more events at once some may be lost: Linux keeps 16,384. */
const MAX_EVENTS = 10_000;

/**
 * Watches a folder and its subfolders: files that are written or renamed, and the folder itself
 * being replaced. Hidden entries and `node_modules` are ignored.
 */
export class WatchedFolder {
  readonly #folder: string;
  readonly #except: readonly string[];
  #watchers: FSWatcher[] = [];
  /** The watched folders below the folder, relative to it. */
  #below = new Set<string>();
  /** Since `take` was called last: what has changed, relative to the folder; undefined: that is not known. */
  #paths: Set<string> | undefined;
  #events = 0;
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
    this.#below = new Set();
    this.take();
    // The parent reports when the folder itself is moved away or replaced.
    this.#watch(dirname(this.#folder), (name) => {
      return name === null || name === basename(this.#folder) ? UNKNOWN : undefined;
    });
    if (statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory()) this.#watchTree();
    for (const watcher of old) watcher.close();
  }

  /**
   * The paths of the files that have changed since the last call or `renew`, relative to the folder;
   * undefined: it is not known which, or folders have changed, so that `renew` has to be called.
   */
  take(): ReadonlySet<string> | undefined {
    const paths = this.#events > MAX_EVENTS ? undefined : this.#paths;
    this.#paths = new Set();
    this.#events = 0;
    this.#discard();
    return paths;
  }

  /** For callers that have changed files: reports them without a pause. */
  note(paths: readonly string[]): void {
    for (const path of paths) this.#paths?.add(path);
    this.#firstChangeAt = 0;
    this.#debounce();
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
    const root = realpathSync(this.#folder);
    const below = [""];
    for (const path of below) {
      const folder = join(root, path);
      const pathOf = (name: string) => (path === "" ? name : `${path}/${name}`);
      this.#watch(folder, (name) => {
        if (name === null) return UNKNOWN;
        return this.#isWatched(folder, name) ? pathOf(name) : undefined;
      });
      for (const entry of entriesOf(folder)) {
        if (!entry.isDirectory() || !this.#isWatched(folder, entry.name)) continue;
        below.push(pathOf(entry.name));
        this.#below.add(pathOf(entry.name));
      }
    }
  }

  #isWatched(folder: string, name: string): boolean {
    if (name.startsWith(".") || name === "node_modules") return false;
    return !this.#except.includes(join(folder, name));
  }

  /** @param pathOf the path of what has changed, by its name; undefined: that is no part of the folder. */
  #watch(folder: string, pathOf: (name: string | null) => string | undefined): void {
    try {
      const watcher = watch(folder, (_event, name) => {
        this.#events += 1;
        const path = pathOf(name);
        if (path === undefined) return;
        if (path === UNKNOWN || this.#below.has(path)) this.#paths = undefined;
        else this.#paths?.add(path);
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

/** No path below a folder. */
const UNKNOWN = "";

/** The path with the symbolic links of its folder resolved; the last segment need not exist. */
function withoutLinks(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Removed or unreadable by now: the update reports it.
    return [];
  }
}
