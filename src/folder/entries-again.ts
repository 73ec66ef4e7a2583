import { type ByteHolder, isHeld } from "../documents/held-bytes.ts";
import { isJsonObject } from "../workspace/json.ts";
import type { Faults } from "./faults.ts";
import { type FolderEntry, folderEntry } from "./folder-draft.ts";
import { readRecord } from "./read-folder.ts";
import { openReading, type Reading } from "./reading.ts";
import { RecordRules } from "./record-rules.ts";
import { type ReadValue, readJsonFile, recordTexts } from "./record-texts.ts";

/** Entries of a folder that are read again without its other files. */
export class EntriesAgain {
  /** By id, those without faults. */
  readonly entries: Map<string, FolderEntry> = new Map();
  /** The ids, those of faulty ones too. */
  readonly ids: Set<string> = new Set();
  /** Whether an id was read twice: a fault at a place that depends on the order of all files. */
  hasDuplicates = false;
  /** Whether these are all entries of the folder. */
  isComplete = false;
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
    const places = new Map(known.map(({ id }, place) => [id, place]));
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
      const place = places.get(this.#add(read) ?? "");
      if (place !== undefined) next = place + 1;
    }
  }

  /** Returns the id. */
  #add(read: ReadValue): string | undefined {
    const id = isJsonObject(read.value) ? read.value.id : undefined;
    if (typeof id === "string") this.#note(id);
    for (const item of readRecord(this.#reading, "entries", read, this.#rules, false)) {
      if (item.kind !== "entries") continue;
      const known = this.#known.get(item.record.id);
      this.entries.set(item.record.id, folderEntry(item, known, this.#holder));
    }
    return typeof id === "string" ? id : undefined;
  }

  #note(id: string): void {
    if (this.ids.has(id)) this.hasDuplicates = true;
    this.ids.add(id);
  }
}
