import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { ByteHolder, isHeld } from "../documents/held-bytes.ts";
import { RecordRules } from "../records/record-rules.ts";
import type { FolderFault, SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { KINDS, type Kind } from "../workspace/records.ts";
import type { SourceItem } from "../workspace/source.ts";
import {
  type FolderEntry,
  type FolderRecord,
  type FolderRecords,
  GatheredRecords,
} from "./folder-draft.ts";
import { readFolder } from "./read-folder.ts";
import { DATA_FILE, Faults, isIgnored, isNearlyRecord, kindOf, RECORD_FILE } from "./reading.ts";

/** The bytes of a text that is held. */
const LONGEST_HELD_TEXT = 1024 * 1024;

const LINES = "entries.ndjson";

/** H10: reads a workspace folder again and again; what has not changed is the same object. */
export class FolderReader {
  readonly #path: string;
  readonly #folder: string;
  readonly #holder = new ByteHolder();
  #records: FolderRecords | undefined;
  #faults: Faults | undefined;
  /** What the files have, and what those with faults had. */
  readonly #files = new Map<string, readonly FolderRecord[]>();
  /** They know the ids and keys in all files; undefined: all have to be read. */
  #rules: RecordRules | undefined;
  readonly #assetFiles = new Set<string>();

  constructor(path: string) {
    this.#path = path;
    this.#folder = resolve(path);
  }

  /** H10a: what is shown; undefined: nothing was read yet. */
  get records(): FolderRecords | undefined {
    return this.#records;
  }

  /** The faults of the last read, in order of file and line. */
  get faults(): SvcError | undefined {
    return this.#faults?.any ? this.#faults.error(this.#path) : undefined;
  }

  /**
   * Reads all files.
   *
   * @throws SvcError as `readFolder`; `folder-invalid` when there is no `workspace.json` to show.
   */
  read(): FolderRecords {
    this.#assetFiles.clear();
    return this.#read(new Set(this.#files.keys()), new RecordRules()) as FolderRecords;
  }

  /**
   * H10: the same as `read`, from the files of records that have changed or have faults alone.
   *
   * @param paths of files that have changed since the last read, relative to the folder.
   * @returns undefined when all files have to be read.
   * @throws SvcError as `read`.
   */
  readChanged(paths: Iterable<string>): FolderRecords | undefined {
    const rules = this.#rules;
    if (rules === undefined) return undefined;
    const faulty = this.#faults?.list.map(({ file }) => file) ?? [];
    const changed = Map.groupBy([...faulty, ...paths], (file) => this.#changeOf(file));
    if (changed.has("unknown")) return undefined;
    const again = new Set(changed.get("records"));
    rules.leave(again);
    const files = [...again].filter((file) => existsSync(join(this.#folder, file)));
    return this.#read(again, rules, files.sort(byCodeUnit));
  }

  /**
   * What files have takes the place of what they had.
   *
   * @param again the files that are read, or are gone.
   * @param files to read; undefined: all.
   * @returns undefined when a fault may be in a file that was not read.
   */
  #read(
    again: ReadonlySet<string>,
    rules: RecordRules,
    files?: readonly string[],
  ): FolderRecords | undefined {
    // Until all has been read.
    this.#rules = undefined;
    const faults = new Faults();
    const now = new GatheredRecords(this.#records, this.#holder);
    const lines = new KnownLines((this.#files.get(LINES) ?? []) as readonly FolderEntry[]);
    for (const file of again) {
      if (file !== LINES) now.leave(kindOf(file) as Kind, this.#files.get(file) ?? []);
    }
    const read = new Map<string, FolderRecord[]>();
    let [last, list] = ["", [] as FolderRecord[]];
    const put = (file: string, record: FolderRecord) => {
      if (file !== last) list = read.get(file) ?? [];
      if (file !== last) read.set(file, list);
      last = file;
      list.push(record);
    };
    const isWanted = (file: string, line: Uint8Array) => {
      const entry = files !== undefined && file === LINES ? lines.next(line) : undefined;
      if (entry !== undefined) put(file, entry);
      return entry === undefined;
    };
    for (const item of readFolder(this.#path, { faults, rules, files, isWanted })) {
      const record = now.add(item.kind === "file" ? this.#held(item) : item);
      if (record === undefined) continue;
      const { file = "" } = item as { file?: string };
      put(file, record);
      if (file === LINES) lines.find(record.id);
    }
    if (again.has(LINES)) now.leave("entries", lines.gone());
    if (files !== undefined && faults.list.some((fault) => isUnsure(fault, again)))
      return undefined;
    if (!now.hasSettings) throw faults.error(this.#path);
    for (const file of this.#below(faults)) {
      for (const record of this.#files.get(file) ?? []) {
        if (now.keep(kindOf(file) as Kind, record)) put(file, record);
      }
    }
    const records = now.records();
    // Otherwise a line has the id of one that was not parsed.
    const isWhole = records.entries.size === (read.get(LINES)?.length ?? 0);
    if (files !== undefined && again.has(LINES) && !isWhole) return undefined;
    for (const file of again) this.#files.delete(file);
    for (const [file, has] of read) this.#files.set(file, has);
    this.#faults = faults;
    this.#rules = rules;
    this.#records = records;
    return this.#records;
  }

  /** The files that have faults, and those in folders that have. */
  #below(faults: Faults): string[] {
    return [...new Set(faults.list.map(({ file }) => file))].flatMap((file) =>
      (KINDS as readonly string[]).includes(file)
        ? [...this.#files.keys()].filter((one) => one.startsWith(`${file}/`))
        : [file],
    );
  }

  #held(item: FileItem): FileItem {
    const { path = "", ...bytes } = item;
    this.#assetFiles.add(path);
    // Documents that show the text may be asked for when its file is already another one.
    const isText = item.bytes.length <= LONGEST_HELD_TEXT && isUtf8(item.bytes);
    return isText ? bytes : item;
  }

  #changeOf(file: string): "records" | "none" | "unknown" {
    if (file.split("/").some(isIgnored)) return "none";
    const path = join(this.#folder, file);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (this.#assetFiles.has(path) || stats?.isFile() === false) return "unknown";
    const kind = kindOf(file);
    const isBelow = kind !== undefined && file.startsWith(`${kind}/`);
    const isKnown = isBelow ? RECORD_FILE.test(file) : stats !== undefined && this.#files.has(file);
    if (isKnown && kind !== "assets") return "records";
    // Another file is no part of the workspace if it is not there, or is left beside others.
    const name = file.slice(file.lastIndexOf("/") + 1);
    const isLeft = (isBelow || name.includes(".")) && !isNearlyRecord(name);
    return isLeft || (stats === undefined && !DATA_FILE.test(file)) ? "none" : "unknown";
  }
}

type FileItem = Extract<SourceItem, { kind: "file" }>;

/** Where lines were removed, how many are compared with the next one. */
const LOOKED_AHEAD = 1000;

/** The entries of an NDJSON file in their order: lines that are theirs need not be parsed. */
class KnownLines {
  readonly #entries: readonly FolderEntry[];
  readonly #gone: FolderEntry[] = [];
  #next = 0;

  constructor(entries: readonly FolderEntry[]) {
    this.#entries = entries;
  }

  /** The next entry, if the line is its text. */
  next(line: Uint8Array): FolderEntry | undefined {
    const entry = this.#entries[this.#next];
    if (entry === undefined || !isHeld(entry, line)) return undefined;
    this.#next += 1;
    return entry;
  }

  /** The entry is in another line: the next one is looked for behind it. */
  find(id: string): void {
    const end = Math.min(this.#next + LOOKED_AHEAD, this.#entries.length);
    for (let at = this.#next; at < end; at += 1) {
      if (this.#entries[at]?.id !== id) continue;
      this.#gone.push(...this.#entries.slice(this.#next, at));
      this.#next = at + 1;
      return;
    }
  }

  /** Call it at the end: the entries that are in no line, or in another one. */
  gone(): readonly FolderEntry[] {
    return [...this.#gone, ...this.#entries.slice(this.#next)];
  }
}

/** Whether a fault that was found in some files may be another one in the whole folder. */
function isUnsure({ file, other = file }: FolderFault, read: ReadonlySet<string>): boolean {
  // W4a: of two files with the same id the second one has the fault.
  return file === LINES || (byCodeUnit(file, other) < 0 && !read.has(other));
}
