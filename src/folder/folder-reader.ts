import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { ByteHolder, isHeld } from "../documents/held-bytes.ts";
import { RecordRules } from "../records/record-rules.ts";
import { isJsonObject } from "../workspace/json.ts";
import type { SourceItem } from "../workspace/source.ts";
import {
  changeBetween,
  entriesChange,
  type FolderChange,
  type MapChange,
  mapChange,
} from "./folder-change.ts";
import { type FolderEntry, type FolderRecords, folderEntry, readRecords } from "./folder-draft.ts";
import { assertNotMigrating } from "./migrate/replace-files.ts";
import { readFolder, readRecord } from "./read-folder.ts";
import {
  DATA_FILE,
  type Faults,
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

/** Reads a workspace folder again and again, to tell other threads what has changed in it. */
export class FolderReader {
  readonly #path: string;
  readonly #folder: string;
  /** The only one: other threads read its file, which is closed with it. */
  readonly #holder = new ByteHolder(true);
  /** As they were when the folder last had no faults. */
  #records: FolderRecords | undefined;
  /** The files that have changed since; undefined: that is not known. */
  #changed: ReadonlySet<string> | undefined;
  /** The ids of entries by their files, if each has one of its own. */
  #ids = new Map<string, string>();
  /** Whether the entries are the lines of a file. */
  #hasLines = false;
  #assetFiles = new Set<string>();

  constructor(path: string) {
    this.#path = path;
    this.#folder = resolve(path);
  }

  /** Undefined: the folder never was without faults. */
  get records(): FolderRecords | undefined {
    return this.#records;
  }

  /**
   * Reads all files.
   *
   * @returns what has changed since the folder last had no faults.
   * @throws SvcError as `readFolder`.
   */
  read(): FolderChange {
    this.#changed = undefined;
    this.#ids = new Map();
    this.#hasLines = false;
    this.#assetFiles = new Set();
    const before = this.#records;
    this.#records = readRecords(this.#items(), before, this.#holder);
    this.#changed = new Set();
    return changeBetween(before, this.#records);
  }

  *#items(): Generator<SourceItem> {
    for (const item of readFolder(this.#path)) {
      if (item.kind === "entries" && item.file !== undefined) {
        if (item.file === LINES) this.#hasLines = true;
        if (item.file.startsWith(BELOW)) this.#ids.set(item.file, item.record.id);
      }
      if (item.kind === "file") {
        const { path = "", ...bytes } = item;
        this.#assetFiles.add(path);
        // Documents that show the text may be asked for when its file is already another one.
        const isText = item.bytes.length <= LONGEST_HELD_TEXT && isUtf8(item.bytes);
        yield isText ? bytes : item;
      } else yield item;
    }
  }

  /**
   * H10: the same as `read`, from the files of entries that have changed alone.
   *
   * @param paths of files that have changed since the last read, relative to the folder.
   * @returns undefined when all files have to be read.
   * @throws SvcError as `read`.
   */
  readChanged(paths: Iterable<string>): FolderChange | undefined {
    if (this.#records === undefined || this.#changed === undefined) return undefined;
    const changed = new Set([...this.#changed, ...paths]);
    // Until it is sure that nothing else has to be read.
    this.#changed = undefined;
    assertNotMigrating(this.#folder, this.#path);
    const known = this.#records.entries as Map<string, FolderEntry>;
    const again = new EntriesAgain(this.#folder, known, this.#holder);
    const ids = this.#readAgain(changed, again);
    const change = ids && this.#changeBy(again, known, ids.keys());
    if (change === undefined) return undefined;
    this.#changed = changed;
    again.faults.throwIfAny(this.#path);
    this.#changed = new Set();
    // In place: with 100,000 entries a copy would take longer than all else.
    for (const id of change.removed) known.delete(id);
    for (const [id, entry] of change.put) known.set(id, entry);
    // In order of the lines.
    if (again.isComplete) this.#records = { ...this.#records, entries: again.entries };
    for (const [file, id] of ids ?? []) {
      if (id === undefined) this.#ids.delete(file);
      else this.#ids.set(file, id);
    }
    return entriesChange(change);
  }

  /** Returns the id in each file of an entry; undefined when another file has changed. */
  #readAgain(
    changed: Iterable<string>,
    again: EntriesAgain,
  ): ReadonlyMap<string, string | undefined> | undefined {
    const ids = new Map<string, string | undefined>();
    for (const file of changed) {
      const what = this.#changeOf(file);
      if (what === "unknown") return undefined;
      if (what === "lines") again.readLines();
      if (what === "entry") ids.set(file, again.readFile(file));
      if (what === "removed") ids.set(file, undefined);
    }
    return ids;
  }

  /** What changes the known entries into those; undefined when two have the same id. */
  #changeBy(
    again: EntriesAgain,
    known: ReadonlyMap<string, FolderEntry>,
    files: Iterable<string>,
  ): MapChange<FolderEntry> | undefined {
    if (again.hasDuplicates) return undefined;
    if (again.isComplete) return mapChange(known, again.entries);
    const before = new Map<string, FolderEntry>();
    for (const file of files) {
      const entry = known.get(this.#ids.get(file) ?? "");
      if (entry !== undefined) before.set(entry.id, entry);
    }
    for (const id of again.ids) if (known.has(id) && !before.has(id)) return undefined;
    return mapChange(before, again.entries);
  }

  #changeOf(file: string): "entry" | "removed" | "lines" | "none" | "unknown" {
    if (file.split("/").some(isIgnored)) return "none";
    const path = join(this.#folder, file);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (this.#assetFiles.has(path) || stats?.isFile() === false) return "unknown";
    if (this.#ids.size > 0 && file.startsWith(BELOW) && RECORD_FILE.test(file)) {
      return stats === undefined ? "removed" : "entry";
    }
    if (this.#hasLines && file === LINES && stats !== undefined) return "lines";
    // Another file is no part of the workspace if it is not there, or is left beside those of entries.
    const isLeft = file.startsWith(BELOW) && !isNearlyRecord(file.slice(file.lastIndexOf("/") + 1));
    return isLeft || (stats === undefined && !DATA_FILE.test(file)) ? "none" : "unknown";
  }
}

/** Where lines were removed, how many are compared with the next one. */
const LOOKED_AHEAD = 1000;

/** Entries of a folder that are read again without its other files. */
class EntriesAgain {
  /** By id, those without faults. */
  readonly entries: Map<string, FolderEntry> = new Map();
  /** Whether an id was read twice: a fault at a place that depends on the order of all files. */
  hasDuplicates = false;
  /** Whether these are all entries of the folder. */
  isComplete = false;
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

  /** Reads an NDJSON file. Lines that are known in the same order are not parsed. */
  readLines(): void {
    this.isComplete = true;
    const known = [...this.#known.values()];
    let next = 0;
    const isChanged = (line: Uint8Array) => {
      const entry = known[next];
      if (entry === undefined || !isHeld(entry, line)) return true;
      next += 1;
      this.#note(entry.id);
      this.entries.set(entry.id, entry);
      return false;
    };
    for (const read of recordTexts(this.#reading, "entries", isChanged)) {
      const id = this.#add(read);
      if (id === undefined || !this.#known.has(id)) continue;
      const place = known.slice(next, next + LOOKED_AHEAD).findIndex((entry) => entry.id === id);
      next += place + 1;
    }
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
