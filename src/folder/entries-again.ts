import { type ByteHolder, isHeld } from "../documents/held-bytes.ts";
import { isJsonObject } from "../workspace/json.ts";
import type { Faults } from "./faults.ts";
import { type FolderEntry, folderEntry } from "./folder-draft.ts";
import { readRecord } from "./read-folder.ts";
import { openReading, type Reading } from "./reading.ts";
import { RecordRules } from "./record-rules.ts";
import { type ReadValue, readJsonFile, recordTexts } from "./record-texts.ts";

/** Where lines were removed, how many are compared with the next one. */
const LOOKED_AHEAD = 1000;

/** Entries of a folder that are read again without its other files. */
export class EntriesAgain {
  /** By id, those without faults. */
  readonly entries: Map<string, FolderEntry> = new Map();
  /** Whether an id was read twice: a fault at a place that depends on the order of all files. */
  hasDuplicates = false;
  /** Whether these are all entries of the folder. */
  isComplete = false;
  /** The ids of those with faults. */
  readonly #faulty = new Set<string>();
  readonly #reading: Reading;
  readonly #rules = new RecordRules();
  readonly #known: ReadonlyMap<string, FolderEntry>;
  readonly #holder: ByteHolder;

  /** @param known the entries as they were. */
  constructor(folder: string, known: ReadonlyMap<string, FolderEntry>, holder: ByteHolder) {
    this.#reading = openReading(folder);
    this.#known = known;
    this.#holder = holder;
  }

  /** The ids of all. */
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

  /** Returns the id. */
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
