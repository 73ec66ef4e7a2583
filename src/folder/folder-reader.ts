import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { ByteHolder, isHeld } from "../documents/held-bytes.ts";
import { RecordRules } from "../records/record-rules.ts";
import type { SvcError } from "../workspace/errors.ts";
import { isJsonObject } from "../workspace/json.ts";
import type { SourceItem } from "../workspace/source.ts";
import { type FolderEntry, type FolderRecords, folderEntry, readRecords } from "./folder-draft.ts";
import { withKept } from "./kept-records.ts";
import { assertNotMigrating } from "./migrate/replace-files.ts";
import { readFolder, readRecord } from "./read-folder.ts";
import {
  DATA_FILE,
  Faults,
  isIgnored,
  isNearlyRecord,
  openReading,
  RECORD_FILE,
  type Reading,
} from "./reading.ts";
import { type ReadValue, readJsonFile, recordTexts } from "./record-texts.ts";

/** The bytes of a text that is held. */
const LONGEST_HELD_TEXT = 1024 * 1024;

const [BELOW, LINES] = ["entries/", "entries.ndjson"];

/** How some entries become others. */
interface EntriesChange {
  readonly put: ReadonlyMap<string, FolderEntry>;
  readonly removed: readonly string[];
}

/** H10: reads a workspace folder again and again; what has not changed is the same object. */
export class FolderReader {
  readonly #path: string;
  readonly #folder: string;
  readonly #holder = new ByteHolder();
  #records: FolderRecords | undefined;
  #faults: Faults | undefined;
  /** The files that have to be read again whenever another has changed; undefined: all. */
  #faulty: readonly string[] | undefined;
  /** The ids of records by their files, if each has one of its own. */
  #ids = new Map<string, string>();
  #form: "files" | "lines" | undefined;
  #assetFiles = new Set<string>();

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
    const [before, known] = [this.#records, this.#ids];
    const faults = new Faults();
    this.#faulty = undefined;
    this.#ids = new Map();
    this.#form = undefined;
    this.#assetFiles = new Set();
    try {
      this.#records = readRecords(this.#items(faults), before, this.#holder);
    } catch (error) {
      this.#ids = known;
      throw error;
    }
    const files = new Set(faults.list.map(({ file }) => file));
    if (before !== undefined && files.size > 0) {
      const { records, kept } = withKept(this.#records, before, files, known);
      this.#records = records;
      for (const [file, id] of kept) this.#ids.set(file, id);
    }
    this.#faults = faults;
    this.#faulty = [...files];
    this.#records = before === undefined ? this.#records : sameOf(before, this.#records);
    return this.#records;
  }

  *#items(faults: Faults): Generator<SourceItem> {
    let hasSettings = false;
    for (const item of readFolder(this.#path, faults)) {
      if (item.kind === "workspace") hasSettings = true;
      else if (item.kind !== "file" && item.file !== undefined) {
        const isOwn = item.file.startsWith(`${item.kind}/`);
        if (isOwn) this.#ids.set(item.file, item.record.id);
        if (item.kind === "entries") {
          this.#form = isOwn ? "files" : item.file === LINES ? "lines" : undefined;
        }
      }
      if (item.kind === "file") {
        const { path = "", ...bytes } = item;
        this.#assetFiles.add(path);
        // Documents that show the text may be asked for when its file is already another one.
        const isText = item.bytes.length <= LONGEST_HELD_TEXT && isUtf8(item.bytes);
        yield isText ? bytes : item;
      } else yield item;
    }
    if (hasSettings) return;
    if (this.#records === undefined) throw faults.error(this.#path);
    const { workspace: record, previewToken } = this.#records;
    yield { kind: "workspace", record, ...(previewToken !== undefined && { previewToken }) };
  }

  /**
   * H10: the same as `read`, from the files of entries that have changed or have faults alone.
   *
   * @param paths of files that have changed since the last read, relative to the folder.
   * @returns undefined when all files have to be read.
   * @throws SvcError as `read`.
   */
  readChanged(paths: Iterable<string>): FolderRecords | undefined {
    if (this.#records === undefined || this.#faulty === undefined) return undefined;
    const changed = new Set([...this.#faulty, ...paths]);
    // Until it is sure that nothing else has to be read.
    this.#faulty = undefined;
    assertNotMigrating(this.#folder, this.#path);
    const known = this.#records.entries;
    const again = new EntriesAgain(this.#folder, known, this.#holder);
    const ids = this.#readAgain(changed, again);
    const change = ids && this.#changeBy(again, known, ids);
    if (change === undefined) return undefined;
    if (change.removed.length + change.put.size > 0) {
      const entries = new Map(known);
      for (const id of change.removed) entries.delete(id);
      for (const [id, entry] of change.put) entries.set(id, entry);
      this.#records = { ...this.#records, entries };
    }
    for (const [file, id] of ids ?? []) {
      if (id === undefined) this.#ids.delete(file);
      else this.#ids.set(file, id);
    }
    this.#faults = again.faults;
    this.#faulty = again.faults.list.map(({ file }) => file);
    return this.#records;
  }

  /** Returns the id in each file of an entry; undefined when another file has changed. */
  #readAgain(
    changed: Iterable<string>,
    again: EntriesAgain,
  ): ReadonlyMap<string, string | undefined> | undefined {
    const ids = new Map<string, string | undefined>();
    const faulty: string[] = [];
    for (const file of changed) {
      const what = this.#changeOf(file);
      if (what === "unknown") return undefined;
      if (what === "lines") again.readLines();
      if (what === "entry") {
        const id = again.readFile(file);
        if (id === undefined) faulty.push(file);
        ids.set(file, id);
      }
      if (what === "removed") ids.set(file, undefined);
    }
    for (const file of faulty) ids.set(file, again.keep(this.#ids.get(file)));
    return ids;
  }

  /** What changes the known entries into those; undefined when two have the same id, or a line has faults. */
  #changeBy(
    again: EntriesAgain,
    known: ReadonlyMap<string, FolderEntry>,
    files: ReadonlyMap<string, string | undefined>,
  ): EntriesChange | undefined {
    if (again.hasDuplicates || (this.#form === "lines" && again.faults.any)) return undefined;
    const before = new Map<string, FolderEntry>();
    for (const id of [...again.gone, ...Array.from(files.keys(), (file) => this.#ids.get(file))]) {
      const entry = known.get(id ?? "");
      if (entry !== undefined) before.set(entry.id, entry);
    }
    for (const id of again.ids) if (known.has(id) && !before.has(id)) return undefined;
    const put = new Map([...again.entries].filter(([id, entry]) => before.get(id) !== entry));
    return { put, removed: [...before.keys()].filter((id) => !again.entries.has(id)) };
  }

  #changeOf(file: string): "entry" | "removed" | "lines" | "none" | "unknown" {
    if (file.split("/").some(isIgnored)) return "none";
    const path = join(this.#folder, file);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (this.#assetFiles.has(path) || stats?.isFile() === false) return "unknown";
    if (this.#form === "files" && file.startsWith(BELOW) && RECORD_FILE.test(file)) {
      return stats === undefined ? "removed" : "entry";
    }
    if (this.#form === "lines" && file === LINES && stats !== undefined) return "lines";
    // Another file is no part of the workspace if it is not there, or is left beside others.
    const name = file.slice(file.lastIndexOf("/") + 1);
    const isLeft = (file.startsWith(BELOW) || name.includes(".")) && !isNearlyRecord(name);
    return isLeft || (stats === undefined && !DATA_FILE.test(file)) ? "none" : "unknown";
  }
}

const LISTS = ["workspace", "previewToken", "models", "blocks", "features", "projects"] as const;
const MAPS = ["entries", "assets", "files"] as const;

/** The records after a read; what is as it was before is the same object. */
function sameOf(before: FolderRecords, after: FolderRecords): FolderRecords {
  const lists = LISTS.filter(
    (name) => JSON.stringify(before[name]) === JSON.stringify(after[name]),
  );
  const maps = MAPS.filter((name) => isSame(before[name], after[name]));
  const same = [...lists, ...maps].map((name) => [name, before[name]]);
  return { ...after, ...Object.fromEntries(same) };
}

function isSame(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): boolean {
  if (before.size !== after.size) return false;
  for (const [key, value] of after) if (before.get(key) !== value) return false;
  return true;
}

/** Where lines were removed, how many are compared with the next one. */
const LOOKED_AHEAD = 1000;

/** Entries of a folder that are read again without its other files. */
class EntriesAgain {
  /** By id, those without faults. */
  readonly entries: Map<string, FolderEntry> = new Map();
  /** Whether an id was read twice: a fault at a place that depends on the order of all files. */
  hasDuplicates = false;
  /** The ids of known entries whose lines are others now. */
  readonly gone: string[] = [];
  readonly #faulty = new Set<string>();
  readonly #reading: Reading;
  readonly #rules = new RecordRules();
  readonly #known: ReadonlyMap<string, FolderEntry>;
  readonly #holder: ByteHolder;

  constructor(folder: string, known: ReadonlyMap<string, FolderEntry>, holder: ByteHolder) {
    this.#reading = openReading(folder);
    this.#known = known;
    this.#holder = holder;
  }

  get ids(): Iterable<string> {
    return [...this.entries.keys(), ...this.#faulty];
  }

  get faults(): Faults {
    return this.#reading.faults;
  }

  /** Returns the id of the entry in a file; undefined if it has faults. */
  readFile(file: string): string | undefined {
    const read = readJsonFile(this.#reading, file);
    const id = read && this.#add(read);
    return id !== undefined && this.entries.has(id) ? id : undefined;
  }

  /** H10a: the entry stays as it was, unless another file has its id now. Returns its id if it stays. */
  keep(id = ""): string | undefined {
    const entry = this.#known.get(id);
    if (entry === undefined || this.entries.has(id)) return undefined;
    this.entries.set(id, entry);
    return id;
  }

  /** Reads an NDJSON file. Lines that are known in the same order are not parsed. */
  readLines(): void {
    const known = [...this.#known.values()];
    let next = 0;
    const isChanged = (line: Uint8Array) => {
      const entry = known[next];
      if (entry === undefined || !isHeld(entry, line)) return true;
      next += 1;
      return false;
    };
    const leave = (end: number) => {
      for (; next < end; next += 1) this.gone.push((known[next] as FolderEntry).id);
    };
    for (const read of recordTexts(this.#reading, "entries", isChanged)) {
      const id = this.#add(read);
      if (id === undefined || !this.#known.has(id)) continue;
      const place = known.slice(next, next + LOOKED_AHEAD).findIndex((entry) => entry.id === id);
      leave(next + place + 1);
    }
    leave(known.length);
  }

  #add(read: ReadValue): string | undefined {
    const found = isJsonObject(read.value) ? read.value.id : undefined;
    const id = typeof found === "string" ? found : undefined;
    if (id !== undefined) this.#note(id);
    const [item] = readRecord(this.#reading, "entries", read, this.#rules, false);
    if (id === undefined) return undefined;
    if (item?.kind !== "entries") this.#faulty.add(id);
    else this.entries.set(id, folderEntry(item, this.#known.get(id), this.#holder));
    return id;
  }

  #note(id: string): void {
    if (this.entries.has(id) || this.#faulty.has(id)) this.hasDuplicates = true;
  }
}
