import { withLock } from "../../files/lock.ts";
import { RecordRules } from "../../records/record-rules.ts";
import { shapeFaults } from "../../records/record-shapes.ts";
import type { JsonObject } from "../../workspace/json.ts";
import { assetFaults } from "../asset-records.ts";
import type { Definitions } from "../migrate/migration.ts";
import { openReading } from "../reading.ts";
import {
  type EditedKind,
  type EntryText,
  EntryTexts,
  type FileChange,
  type FileContent,
  refused,
} from "./entry-texts.ts";
import { conflict, FilePart, spliced, wholeOf } from "./file-lines.ts";
import { renamedEntry } from "./renamed-entry.ts";

/** The most that is kept of files for undo, in characters and bytes. */
const MOST_KEPT = 64 * 1024 * 1024;

/** Of a file's mode: somebody may write it. */
const WRITABLE = 0o222;

/** How long another process is waited for, in milliseconds: meanwhile the preview answers nothing. */
const LOCKED_WITHIN = 50;

/** What was done at once, in this order. */
interface Done {
  readonly what: string;
  readonly changes: readonly (FileChange & { readonly mode: number | undefined })[];
}

/** A record as it was seen. */
interface Seen {
  readonly kind?: EditedKind;
  readonly id: string;
  readonly hash: string;
}

/** H61: what is done with files of an asset, together with its record. */
export interface AssetFiles {
  /** The file that the record names from now on. */
  readonly put?: { readonly file: string; readonly bytes: Uint8Array };
  /** Those that no record names any more. */
  readonly left?: readonly string[];
}

/** H42, H44, H61: changes the entries, assets and projects of a workspace folder, and undoes that. */
export class FolderEditor {
  readonly #folder: string;
  readonly #texts: Readonly<Record<EditedKind, EntryTexts>>;
  /** The last one is undone first. */
  #done: readonly Done[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#texts = {
      entries: new EntryTexts(folder),
      assets: new EntryTexts(folder, "assets"),
      projects: new EntryTexts(folder, "projects"),
    };
  }

  /** The files that were written or removed, until they are taken. */
  readonly #written = new Set<string>();

  takeWritten(): readonly string[] {
    const files = [...this.#written];
    this.#written.clear();
    return files;
  }

  /** What would be undone next. */
  get last(): string | undefined {
    return this.#done.at(-1)?.what;
  }

  /** @throws SvcError as `EntryTexts.find`. */
  find(id: string, kind: EditedKind = "entries"): EntryText {
    return this.#texts[kind].find(id);
  }

  /** Looks for it while other requests are answered, so that what follows finds it at once. */
  async locate(id: string): Promise<void> {
    await this.#texts.entries.findInTurns(id);
  }

  /**
   * Changes a record as it was seen.
   *
   * @param what is done, for the one who may undo it.
   * @param change gives another record; undefined: none.
   * @throws SvcError `edit-conflict` when it is another one by now.
   */
  change(
    what: string,
    { kind = "entries", id, hash }: Seen,
    change: (record: JsonObject) => JsonObject | undefined,
    files: AssetFiles = {},
  ): void {
    const texts = this.#texts[kind];
    this.#writeRecord(what, files, () => {
      const found = texts.find(id);
      if (found.hash !== hash) throw conflict(found.file);
      const after = change(found.record);
      if (after === undefined) return texts.removed(found);
      this.#assertRecord(kind, after);
      return texts.changed(found, after);
    });
  }

  /** Adds an entry, in the file of another one or beside it. */
  add(
    what: string,
    record: JsonObject & { readonly id: string },
    beside: string | undefined,
    isCopy = false,
  ): void {
    const texts = this.#texts.entries;
    this.#writeRecord(what, {}, () => {
      this.#assertRecord("entries", record);
      const other = beside === undefined ? undefined : texts.find(beside);
      return texts.added(record, other, isCopy);
    });
  }

  /** Adds an asset with its file, as the folder has others. */
  addAsset(what: string, record: JsonObject & { readonly id: string }, files: AssetFiles): void {
    const texts = this.#texts.assets;
    this.#writeRecord(what, files, () => {
      this.#assertRecord("assets", record);
      return texts.added(record);
    });
  }

  /**
   * H69: gives an entry another id, in all files that have it.
   *
   * @throws SvcError as `renamedEntry`; `edit-conflict` when one of the files was changed meanwhile.
   */
  async rename(what: string, definitions: Definitions, from: string, to: string): Promise<void> {
    this.#texts.entries.assertEditable();
    this.#write(what, await renamedEntry(this.#texts.entries, definitions, from, to));
  }

  /**
   * H44: puts back the files of the last change.
   *
   * @throws SvcError `edit-conflict` when one was changed since; then that change is not undone later either.
   */
  undo(): string {
    const last = this.#done.at(-1);
    if (last === undefined) throw refused("there is nothing to undo", "nothing was changed here");
    const { what, changes } = last;
    this.#locked(() => {
      const others = this.#done.slice(0, -1);
      const changed = changes.find(({ file, after }) => !this.#has(file, after));
      if (changed !== undefined) {
        this.#done = others;
        throw conflict(changed.file, `was changed since, so "${what}" cannot be undone`);
      }
      this.#apply(changes.toReversed().map(undone));
      this.#done = others;
    });
    return what;
  }

  #locked<T>(work: () => T): T {
    // The lock would make a folder that is gone.
    this.#texts.entries.assertEditable();
    return withLock(this.#folder, work, LOCKED_WITHIN);
  }

  #writeRecord(what: string, files: AssetFiles, ofRecord: () => FileChange): void {
    this.#write(what, this.#changesOf(files, ofRecord));
  }

  #write(what: string, all: Iterable<FileChange>): void {
    this.#locked(() => {
      const changes = this.#apply(all);
      if (changes.length === 0) return;
      this.#done = [...this.#done, { what, changes }];
      while (this.#done.length > 1 && sizeOf(this.#done) > MOST_KEPT)
        this.#done = this.#done.slice(1);
    });
  }

  /** Each is made once the one before is done: a record is checked when its file is there. */
  *#changesOf({ put, left = [] }: AssetFiles, ofRecord: () => FileChange): Generator<FileChange> {
    if (put !== undefined) {
      const { file, bytes: after } = put;
      const before = this.#bytesOf(file);
      if (before !== undefined && !isSame(before, after)) {
        throw refused(`"${file}" is another file`, "give the picture another name");
      }
      yield { file, before, after };
    }
    yield ofRecord();
    for (const one of left) yield { file: one, before: this.#bytesOf(one), after: undefined };
  }

  /** Undefined: there is no such file, or more than undo keeps: it stays. */
  #bytesOf(file: string): Uint8Array | undefined {
    const { files } = this.#texts.assets;
    const stats = files.stat(file);
    return stats?.isFile() && stats.size < MOST_KEPT / 2 ? files.read(file) : undefined;
  }

  /** All of them or none. Returns those that change something, each with the mode that the file had. */
  #apply(changes: Iterable<FileChange & { readonly mode?: number | undefined }>): Done["changes"] {
    const done: Done["changes"][number][] = [];
    try {
      for (const { file, before, after, mode: earlier } of changes) {
        if (isSame(before, after)) continue;
        const mode = this.#texts.entries.files.stat(file)?.mode ?? earlier;
        if (mode !== undefined && before !== undefined && (mode & WRITABLE) === 0) {
          throw refused(`"${file}" is read-only`, "nothing was written; make it writable first");
        }
        this.#replace(file, before, after, mode);
        done.push({ file, before, after, mode });
      }
    } catch (error) {
      for (const { file, before, after, mode } of done.reverse()) {
        // What fails now is named by the error that led here, as a full disk.
        try {
          this.#replace(file, after, before, mode);
        } catch {}
      }
      throw error;
    }
    return done;
  }

  /** Whether a file has this content; undefined: there is none. */
  #has(file: string, content: FileContent | undefined): boolean {
    const { files } = this.#texts.entries;
    const stats = files.stat(file);
    if (content === undefined || stats === undefined) return content === stats;
    if (content instanceof FilePart) {
      return stats.isFile() && wholeOf(files.chunks(file)) === content.whole;
    }
    if (typeof content === "string") return this.#texts.entries.textOf(file) === content;
    return stats.isFile() && stats.size === content.length && isSame(files.read(file), content);
  }

  #replace(
    file: string,
    before: FileContent | undefined,
    after: FileContent | undefined,
    mode?: number,
  ): void {
    const { files } = this.#texts.entries;
    // H42b: what is before it has taken milliseconds, and other programs do not take the lock.
    const lookAgain = () => {
      if (!this.#has(file, before)) throw conflict(file);
    };
    this.#written.add(file);
    if (after === undefined) {
      lookAgain();
      files.remove(file);
    } else if (before instanceof FilePart && after instanceof FilePart) {
      files.replace(file, spliced(file, files.chunks(file), before, after), mode, lookAgain);
    } else if (!(after instanceof FilePart)) files.replace(file, after, mode, lookAgain);
  }

  /** As the reader of the folder would refuse it. */
  #assertRecord(kind: EditedKind, record: JsonObject): void {
    const [fault] = [
      ...shapeFaults(kind, record),
      ...new RecordRules().faults(kind, record),
      ...(kind === "assets" ? assetFaults(openReading(this.#folder), record, true) : []),
    ];
    if (fault !== undefined) throw refused(fault.message, "nothing was written");
  }
}

const undone = <T extends FileChange>({ before, after, ...rest }: T) => {
  return { ...rest, before: after, after: before };
};

function isSame(one: FileContent | undefined, other: FileContent | undefined): boolean {
  if (one instanceof FilePart && other instanceof FilePart) return one.bytes.equals(other.bytes);
  if (one instanceof FilePart || other instanceof FilePart) return false;
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  return Buffer.compare(one, other) === 0;
}

const sizeOf = (done: readonly Done[]) =>
  done
    .flatMap(({ changes }) => changes)
    .flatMap(({ before = "", after = "" }) => [before, after])
    .reduce((sum, one) => sum + (one instanceof FilePart ? one.bytes : one).length, 0);
