import { withLock } from "../../files/lock.ts";
import { RecordRules } from "../../records/record-rules.ts";
import { shapeFaults } from "../../records/record-shapes.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { JsonObject } from "../../workspace/json.ts";
import { type EntryText, EntryTexts, type NewText, refused } from "./entry-texts.ts";

/** The most texts of files that are kept for undo, in characters. */
const MOST_KEPT = 32 * 1024 * 1024;

/** Of a file's mode: somebody may write it. */
const WRITABLE = 0o222;

/** How long another process is waited for, in milliseconds: meanwhile the preview answers nothing. */
const LOCKED_WITHIN = 50;

/** What was done to a file; undefined: there was none, or is none. */
interface Done {
  readonly what: string;
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly mode: number | undefined;
}

/** H42, H44: changes the entries of a workspace folder, one file at a time, and undoes that. */
export class FolderEditor {
  readonly #folder: string;
  readonly #texts: EntryTexts;
  /** The last one is undone first. */
  #done: readonly Done[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#texts = new EntryTexts(folder);
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
  find(id: string): EntryText {
    return this.#texts.find(id);
  }

  /** Looks for it while other requests are answered, so that what follows finds it at once. */
  async locate(id: string): Promise<void> {
    await this.#texts.findInTurns(id);
  }

  /**
   * Changes an entry as it was seen.
   *
   * @param what is done, for the one who may undo it.
   * @param change gives another record; undefined: none.
   * @throws SvcError `edit-conflict` when it is another one by now.
   */
  change(
    what: string,
    { id, hash }: { readonly id: string; readonly hash: string },
    change: (record: JsonObject) => JsonObject | undefined,
  ): string {
    return this.#write(what, () => {
      const entry = this.#texts.find(id);
      if (entry.hash !== hash) throw conflict(`"${entry.file}" was changed meanwhile`);
      const after = change(entry.record);
      if (after === undefined) return { ...this.#texts.removed(entry), before: entry.text };
      assertRecord(after);
      return { ...this.#texts.changed(entry, after), before: entry.text };
    });
  }

  /** Adds an entry, in the file of another one or beside it. */
  add(
    what: string,
    record: JsonObject & { readonly id: string },
    beside: string | undefined,
    isCopy = false,
  ): string {
    return this.#write(what, () => {
      assertRecord(record);
      const other = beside === undefined ? undefined : this.#texts.find(beside);
      const added = this.#texts.added(record, other, isCopy);
      return { ...added, before: this.#texts.textOf(added.file) };
    });
  }

  /**
   * H44: puts back the file of the last change.
   *
   * @throws SvcError `edit-conflict` when it was changed since; then that change is not undone later either.
   */
  undo(): string {
    const last = this.#done.at(-1);
    if (last === undefined) throw refused("there is nothing to undo", "nothing was changed here");
    const { what, file, before, after, mode } = last;
    this.#locked(() => {
      const others = this.#done.slice(0, -1);
      if (!this.#has(file, after)) {
        this.#done = others;
        throw conflict(`"${file}" was changed since, so "${what}" cannot be undone`);
      }
      this.#replace(file, after, before, mode);
      this.#done = others;
    });
    return what;
  }

  #locked<T>(work: () => T): T {
    // The lock would make a folder that is gone.
    this.#texts.assertEditable();
    return withLock(this.#folder, work, LOCKED_WITHIN);
  }

  /** Returns the file. */
  #write(what: string, work: () => NewText & { readonly before: string | undefined }): string {
    return this.#locked(() => {
      const { file, before, text: after } = work();
      if (before === after) return file;
      const mode = this.#texts.files.stat(file)?.mode;
      if (mode !== undefined && (mode & WRITABLE) === 0) {
        throw refused(`"${file}" is read-only`, "nothing was written; make it writable first");
      }
      this.#replace(file, before, after, mode);
      this.#done = [...this.#done, { what, file, before, after, mode }];
      while (this.#done.length > 1 && sizeOf(this.#done) > MOST_KEPT)
        this.#done = this.#done.slice(1);
      return file;
    });
  }

  /** Whether a file has this text; undefined: there is none. */
  #has(file: string, text: string | undefined): boolean {
    // What is not UTF-8 has no text, but is there.
    const isGone = this.#texts.files.stat(file) === undefined;
    return this.#texts.textOf(file) === text && isGone === (text === undefined);
  }

  #replace(file: string, before: string | undefined, after: string | undefined, mode?: number) {
    const { files } = this.#texts;
    // H42b: what is before it has taken milliseconds, and other programs do not take the lock.
    const lookAgain = () => {
      if (!this.#has(file, before)) throw conflict(`"${file}" was changed meanwhile`);
    };
    this.#written.add(file);
    if (after === undefined) {
      lookAgain();
      files.remove(file);
    } else files.replace(file, after, mode, lookAgain);
  }
}

const sizeOf = (done: readonly Done[]) =>
  done.reduce((sum, { before = "", after = "" }) => sum + before.length + after.length, 0);

function conflict(message: string): SvcError {
  return new SvcError("edit-conflict", message, {
    hint: "nothing was written: look at what it says now, then decide",
  });
}

/** As the reader of the folder would refuse it. */
function assertRecord(record: JsonObject): void {
  const faults = [
    ...shapeFaults("entries", record),
    ...new RecordRules().faults("entries", record),
  ];
  const [fault] = faults;
  if (fault !== undefined) throw refused(fault.message, "nothing was written");
}
