import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { replaceThrough } from "../../files/replace-file.ts";
import { newKey } from "../../page/access-key.ts";

/** What is kept: nothing of a draft. */
interface Kept {
  /** The access key of the page (H8). */
  readonly key: string;
  /** Other hosts whose pictures the page shows. */
  readonly imageHosts: readonly string[];
}

/** Neither a link nor a pipe is opened; Windows has no such flags. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const [PRIVATE_FOLDER, PRIVATE_FILE, ACCESS_OF_OTHERS] = [0o700, 0o600, 0o077];
const MOST_BYTES = 64 * 1024;

/**
 * H22: what svc keeps of a workspace folder or a store for its preview, in a file that only the user
 * can read. What cannot be trusted or written is replaced by new values, and noted; the preview goes on.
 */
export class KeptState {
  readonly #file: string;
  readonly #path: string;
  readonly #note: (text: string) => void;
  #kept: Kept;

  /** @param path of the folder or the store's file. */
  constructor(path: string, note: (text: string) => void, env: NodeJS.ProcessEnv = process.env) {
    this.#path = realpathSync(path);
    const name = createHash("sha256").update(this.#path).digest("hex").slice(0, 32);
    this.#file = join(stateFolder(env), `${name}.json`);
    this.#note = note;
    let found: Kept | undefined;
    try {
      found = readKept(this.#file);
    } catch (error) {
      note(`the kept access key is replaced by a new one: ${(error as Error).message}`);
    }
    this.#kept = found ?? { key: newKey(), imageHosts: [] };
    if (found === undefined) this.change({});
  }

  get key(): string {
    return this.#kept.key;
  }

  get imageHosts(): readonly string[] {
    return this.#kept.imageHosts;
  }

  /** Undefined also where it cannot be trusted. */
  #keptByOthers(): Kept | undefined {
    try {
      return readKept(this.#file);
    } catch {
      return undefined;
    }
  }

  /** Makes another key: links with the old one no longer work. */
  changeKey(): void {
    this.change({ key: newKey() });
  }

  /** Keeps new values, also those that another preview of the same has kept meanwhile. */
  change(values: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...this.#keptByOthers(), ...values };
    try {
      privateFolder(join(this.#file, ".."));
      const temporary = `${this.#file}.${randomBytes(6).toString("hex")}.tmp`;
      const text = `${JSON.stringify({ of: this.#path, ...this.#kept }, null, 2)}\n`;
      replaceThrough(temporary, this.#file, text, PRIVATE_FILE);
    } catch (error) {
      this.#note(`the access key is not kept for the next start: ${(error as Error).message}`);
    }
  }
}

/** Of the user, by the conventions of the platform. */
function stateFolder({ XDG_STATE_HOME = "", LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (process.platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, "svc");
  // The convention ignores relative paths.
  return join(isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), ".local/state"), "svc");
}

/** @throws when it is no folder of the user. */
function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || !isOwn(stats)) throw new Error(`"${folder}" is no folder of yours`);
  if (stats.mode & ACCESS_OF_OTHERS) chmodSync(folder, PRIVATE_FOLDER);
}

/** Windows has no owners. */
function isOwn({ uid }: { readonly uid: number }): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

/** Undefined when there is no file. @throws when others may have made or read it, or it is damaged. */
function readKept(file: string): Kept | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    const isPrivate = process.platform === "win32" || (stats.mode & ACCESS_OF_OTHERS) === 0;
    if (!stats.isFile() || !isOwn(stats) || !isPrivate) {
      throw new Error(`"${file}" is not yours alone`);
    }
    const kept = stats.size > MOST_BYTES ? undefined : parsed(readFileSync(descriptor, "utf8"));
    if (kept === undefined) throw new Error(`"${file}" is damaged`);
    return kept;
  } finally {
    closeSync(descriptor);
  }
}

function parsed(text: string): Kept | undefined {
  try {
    const { key, imageHosts = [] } = JSON.parse(text);
    const isKey = typeof key === "string" && /^[\w-]{32}$/.test(key);
    const areHosts =
      Array.isArray(imageHosts) && imageHosts.every((host) => typeof host === "string");
    return isKey && areHosts ? { key, imageHosts } : undefined;
  } catch {
    return undefined;
  }
}
