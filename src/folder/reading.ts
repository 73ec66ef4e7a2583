import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SHAPES } from "../records/record-shapes.ts";
import { didYouMean } from "../workspace/did-you-mean.ts";
import { type FolderFault, SvcError } from "../workspace/errors.ts";
import { byCodeUnit, isJsonObject, type JsonValue } from "../workspace/json.ts";
import { KINDS, type Kind, singular } from "../workspace/records.ts";
import { isPublished } from "./find-workspace.ts";
import { parseJsonText } from "./json-text.ts";

export interface Reading {
  readonly folder: string;
  readonly faults: Faults;
  readonly names: ListedNames;
  readonly unread: UnreadFiles;
}

export function openReading(folder: string, faults = new Faults()): Reading {
  return { folder, faults, names: new ListedNames(folder), unread: new UnreadFiles() };
}

/**
 * The names in a folder and below it, as the file system lists them. Opening a path proves nothing:
 * where letter case does not matter, `entries` opens `Entries`.
 */
class ListedNames {
  readonly #folder: string;
  readonly #names = new Map<string, ReadonlySet<string>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether every segment of the path is listed with these letters. */
  has(...segments: readonly string[]): boolean {
    let folder = this.#folder;
    return segments
      .filter((segment) => segment !== "" && segment !== ".")
      .every((segment) => {
        const names = this.#namesIn(folder);
        folder = join(folder, segment);
        return names.has(segment.normalize());
      });
  }

  #namesIn(folder: string): ReadonlySet<string> {
    let names = this.#names.get(folder);
    if (names === undefined) {
      // Some file systems list names in another Unicode normalization than they were given.
      names = new Set(readdirSync(folder).map((name) => name.normalize()));
      this.#names.set(folder, names);
    }
    return names;
  }
}

export class Faults {
  readonly #faults: FolderFault[] = [];

  add(fault: FolderFault): void {
    this.#faults.push(fault);
  }

  get any(): boolean {
    return this.#faults.length > 0;
  }

  /** In order of file and line. */
  get list(): FolderFault[] {
    return [...this.#faults].sort(byPlace);
  }

  /** @throws SvcError with every fault, in order of file and line, if there is any. */
  throwIfAny(folder: string): void {
    if (this.any) throw this.error(folder);
  }

  /** With every fault, in order of file and line. */
  error(folder: string): SvcError {
    const count = this.#faults.length === 1 ? "1 fault" : `${this.#faults.length} faults`;
    return new SvcError("folder-invalid", `the workspace folder "${folder}" has ${count}`, {
      hint: "fix them, then try again; nothing was changed",
      problems: { kind: "folder", list: this.list, folder },
    });
  }
}

function byPlace(a: FolderFault, b: FolderFault): number {
  return (
    byCodeUnit(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    byCodeUnit(a.message, b.message)
  );
}

export const RECORD_FILE = /\.jsonc?$/;
export const DATA_FILE = /\.(?:json[5cl]?|ndjson|ya?ml)$/i;

/** Asset files, as `svc export` writes them: not searched for data. */
const ASSET_FILES = "files";

/** W1b: files of tools that people keep beside their content. */
export const TOOL_FILE =
  /^(?:package|package-lock|npm-shrinkwrap|deno|biome|renovate|[jt]sconfig|.+\.config|.+\.schema)\.jsonc?$|^pnpm-(?:lock|workspace)\.yaml$/;

/** Names by which a kind may be misspelt. */
const NAMES = new Map<string, Kind | "workspace">([
  ...KINDS.map((kind) => [kind, kind] as const),
  ...KINDS.map((kind) => [singular(kind), kind] as const),
  ["workspace", "workspace"],
]);

const READ_FILES: ReadonlySet<string> = new Set(
  [...KINDS, "workspace"].flatMap((name) => [`${name}.json`, `${name}.jsonc`, `${name}.ndjson`]),
);

/** The kind whose records a file or folder with this path would hold. */
export function kindOf(path: string): Kind | undefined {
  const [name] = path.split(/[./]/, 1);
  return KINDS.find((kind) => kind === name);
}

/** Whether a workspace folder may have records in a file with this path. */
export function isRecordPath(path: string): boolean {
  const [top = "", ...below] = path.split("/");
  if (below.length === 0) return READ_FILES.has(top);
  const isKind = (KINDS as readonly string[]).includes(top);
  return isKind && RECORD_FILE.test(path) && !below.some(isIgnored);
}

/** W1b: hidden files, and what npm installs, are no part of a workspace. */
export function isIgnored(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/** W1b: what editors, patches and systems leave beside a file, and write before they replace it. */
const LEFT_BESIDE =
  /~$|^#.*#$|\.(?:bak|orig|rej|tmp|sw[a-p])$|___jb_(?:tmp|old)___$|^(?:4913|desktop\.ini|thumbs\.db)$/i;

/** W1c: whether a file in the folder of a kind, which is no record, is a fault unless an asset names it. */
export function isNearlyRecord(name: string): boolean {
  return !LEFT_BESIDE.test(name);
}

/** W1, W1a, W1c: files of a workspace folder that look like records, but are not read. */
class UnreadFiles {
  readonly #found: string[] = [];
  readonly #named = new Set<string>();

  /** Notes a file in the folder of a kind that holds no record. */
  add(path: string, name: string): void {
    if (isNearlyRecord(name)) this.#found.push(path);
  }

  /** An asset names the file: it may hold any data. */
  addNamed(file: string): void {
    const segments = file.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
    this.#named.add(segments.join("/"));
  }

  /** Call it after all records were read. */
  report(folder: string, faults: Faults): void {
    for (const file of this.#found) {
      if (!this.#named.has(file)) {
        faults.add({ code: "file-unknown", file, message: notARecord(file) });
      }
    }
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (isIgnored(entry.name)) continue;
      const fault = entry.isDirectory()
        ? this.#folderFault(folder, entry.name)
        : this.#fileFault(folder, entry);
      if (fault !== undefined) faults.add({ code: "file-unknown", ...fault });
    }
  }

  #folderFault(folder: string, name: string) {
    if ((KINDS as readonly string[]).includes(name) || name === ASSET_FILES) return undefined;
    if (isMisspelt(name, KINDS)) return { file: name, message: unknownMessage(name) };
    const file = isPublished(join(folder, name)) ? undefined : this.#dataBelow(folder, name);
    if (file === undefined) return undefined;
    return { file, message: unknownMessage(name, kindsOf(join(folder, file))) };
  }

  #fileFault(folder: string, { name }: Dirent) {
    if (READ_FILES.has(name) && name !== "workspace.ndjson") return undefined;
    const meant = LEFT_BESIDE.test(name) ? undefined : nameOfRecord(name);
    if (meant !== undefined && READ_FILES.has(meant) && !/^[^.]+(?:\.txt)?$/i.test(name)) {
      return { file: name, message: unknownMessage(name) };
    }
    const isUnread = DATA_FILE.test(name)
      ? !TOOL_FILE.test(name) && !this.#named.has(name)
      : isMisspelt(name, NAMES.keys()) && !(KINDS as readonly string[]).includes(name);
    if (!isUnread) return undefined;
    return { file: name, message: unknownMessage(name, kindsOf(join(folder, name))) };
  }

  /** The first data file at any depth that no asset names (W1a). */
  #dataBelow(folder: string, below: string): string | undefined {
    const entries = readdirSync(join(folder, below), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => byCodeUnit(a.name, b.name))) {
      if (isIgnored(entry.name)) continue;
      const path = `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        const found = this.#dataBelow(folder, path);
        if (found !== undefined) return found;
      } else if (DATA_FILE.test(path) && !this.#named.has(path)) return path;
    }
    return undefined;
  }
}

function notARecord(file: string): string {
  const [kind = "", ...names] = file.split("/");
  const meant = nameOfRecord(names.at(-1) ?? "");
  const rename = meant === undefined ? "" : `rename it to "${meant}", or `;
  const asset = meant === undefined && !DATA_FILE.test(file) ? ", and no asset names it" : "";
  return `is not read: records are *.json and *.jsonc files${asset}; ${rename}move it out of "${kind}"`;
}

/** The name under which a file would be read that an editor or a typo gave another ending. */
function nameOfRecord(name: string): string | undefined {
  const [, stem, bare] = /^(.+?)\.(?:jsonc?(?:\W.*)?|js[no]|txt)$|^([^.]+)$/i.exec(name) ?? [];
  return stem === undefined && bare === undefined ? undefined : `${stem ?? bare}.json`;
}

/** A larger file is not opened to see what it holds. */
const MOST_BYTES = 1024 * 1024;

/** The kinds whose records a file, which is not read, seems to hold. */
function kindsOf(path: string): Kind[] {
  if (!/\.jsonc?$/i.test(path) || statSync(path).size > MOST_BYTES) return [];
  const parsed = parseJsonText(readFileSync(path, "utf8"), { isJsonc: true });
  const value: JsonValue = "value" in parsed ? parsed.value : null;
  const record = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(record)) return [];
  const isOf = (kind: Kind) =>
    (SHAPES[kind].required as readonly string[]).every((name) => Object.hasOwn(record, name));
  return KINDS.filter(isOf);
}

/** Whether the name is a kind's but for letter case, number or one edit. */
function isMisspelt(name: string, names: Iterable<string>): boolean {
  return NAMES.has(name.toLowerCase()) || didYouMean(name, names, 1) !== undefined;
}

function unknownMessage(name: string, kinds: readonly Kind[] = []): string {
  const [extension = ""] = /\.(?:json|jsn).*|\.ndjson$|\.ya?ml$/i.exec(name) ?? [];
  const similar = didYouMean(name.slice(0, name.length - extension.length), NAMES.keys());
  const meant = similar === undefined ? undefined : NAMES.get(similar);
  const belong = kinds.map((kind) => `${kind} belong in "${kind}/"`).join(", ");
  const hint =
    meant === undefined
      ? belong || `kinds are ${KINDS.join(", ")}; move it out of the workspace folder`
      : `did you mean "${meant}${meant === "workspace" ? ".json" : readAs(extension)}"?`;
  return `is not read: "${name}" is no kind of records; ${hint}`;
}

/** The extension with which a file is read. */
function readAs(extension: string): string {
  if (extension === "") return "";
  return /\.(?:ndjson|jsonl)$/i.test(extension) ? ".ndjson" : ".json";
}
