import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { canonicalJson } from "../../documents/canonical-json.ts";
import { sha256 } from "../../documents/version-id.ts";
import { Folder } from "../../files/folder.ts";
import { withoutNullMembers } from "../../records/null-members.ts";
import { shapeFaults } from "../../records/record-shapes.ts";
import { SvcError } from "../../workspace/errors.ts";
import { ID_RULE, isId } from "../../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { singular } from "../../workspace/records.ts";
import { isContentPath } from "../export/export-list.ts";
import { fileNames } from "../export/exported-records.ts";
import { fileLayout, withValue } from "../json-editor.ts";
import { jsonValue, parseJsonText } from "../json-text.ts";
import { recordsIn } from "../migrate/migrate-folder.ts";
import { assertNotMigrating } from "../migrate/replace-files.ts";
import { openReading } from "../reading.ts";
import { filesOfKind } from "../record-texts.ts";
import { copyOf, FilePart, type Line, lineAfter, linesIn, withEnds } from "./file-lines.ts";

/** A larger file is edited in an editor: it would keep the preview from answering. */
const LARGEST = 16 * 1024 * 1024;
/** How long it looks for an entry before other requests are answered, in milliseconds. */
export const LONGEST_TURN = 10;

/** The kinds of records that are edited. */
export type EditedKind = "entries" | "assets" | "projects";

/** H42: an entry, an asset, or a project, in its file. */
export interface EntryText {
  /** Below the folder, with `/`. */
  readonly file: string;
  /** Of the whole file; of one of lines that of the line. */
  readonly text: string;
  readonly line?: Line;
  /** Where the record is in the text. */
  readonly start: number;
  readonly end: number;
  readonly record: JsonObject;
  /** Changes with each value of the record, and with no layout of its text. */
  readonly hash: string;
}

export type FileContent = string | Uint8Array | FilePart;

/** What is done to a file; undefined: there was none, or is none. */
export interface FileChange {
  readonly file: string;
  readonly before: FileContent | undefined;
  readonly after: FileContent | undefined;
}

/** The records of a kind of a workspace folder as texts, each read from its file when it is asked for. */
export class EntryTexts {
  readonly #folder: string;
  readonly #kind: EditedKind;
  /** Where they were found last. */
  readonly #files = new Map<string, string>();

  constructor(folder: string, kind: EditedKind = "entries") {
    this.#folder = folder;
    this.#kind = kind;
  }

  /** The way to change its files (F9a); another one each time, as it remembers what are folders. */
  get files(): Folder {
    return new Folder(this.#folder, isContentPath);
  }

  get #one(): string {
    return singular(this.#kind);
  }

  /** Whether a file has one record alone. */
  #isOwn(file: string): boolean {
    return file.startsWith(`${this.#kind}/`);
  }

  /** @throws SvcError `folder-not-found`, as nothing is written where it was, `migration-interrupted`. */
  assertEditable(): void {
    if (!existsSync(this.#folder)) {
      throw new SvcError("folder-not-found", `there is no folder "${this.#folder}"`, {
        hint: "nothing was written; put it back, then try again",
      });
    }
    assertNotMigrating(this.#folder, this.#folder);
  }

  /** @throws SvcError `entry-not-found`, `edit-refused`, `folder-not-found`, `migration-interrupted`. */
  find(id: string): EntryText {
    const looking = this.#looking(id);
    for (;;) {
      const { done, value } = looking.next();
      if (done) return value;
    }
  }

  /** As `find`, and other requests are answered meanwhile. */
  async findInTurns(id: string): Promise<EntryText> {
    let since = performance.now();
    const looking = this.#looking(id);
    for (;;) {
      const { done, value } = looking.next();
      if (done) return value;
      if (performance.now() - since < LONGEST_TURN) continue;
      await nextTurn();
      since = performance.now();
    }
  }

  /** Yields before each file, and each part of a large one. */
  *#looking(id: string): Generator<void, EntryText> {
    this.assertEditable();
    const files = this.files;
    /** Of the first file that cannot be read: the entry may be in it. */
    let failure: SvcError | undefined;
    for (const file of this.#candidates(id)) {
      yield;
      try {
        const found = isOfLines(file)
          ? yield* lineOf(files, this.#kind, file, id)
          : recordIn(files, this.#kind, file, id);
        if (found === undefined) continue;
        this.#files.set(id, file);
        return found;
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    throw new SvcError("entry-not-found", `the ${this.#one} is not there any more`, {
      hint: "it was deleted or renamed meanwhile; copy what you have written before you leave",
    });
  }

  /** Names that are probably its file first: there may be many. */
  *#candidates(id: string): Generator<string> {
    if (!isId(id)) return;
    const own = `${this.#kind}/${id}`;
    const usual = [this.#files.get(id), `${own}.json`, `${own}.jsonc`];
    yield* usual.flatMap((file) => file ?? []);
    const all = this.#all();
    const isNamed = (file: string) => file.replace(/^.*\//, "").replace(/\.jsonc?$/, "") === id;
    yield* all.filter(isNamed);
    yield* all;
  }

  #all(): readonly string[] {
    return filesOfKind(openReading(this.#folder), this.#kind);
  }

  /** Undefined: there is no such file. */
  textOf(file: string): string | undefined {
    return textIn(this.files, file);
  }

  /** M2: the file with another record in place of the entry. */
  changed({ file, text, line, start, end }: EntryText, record: JsonObject): FileChange {
    const next = withValue(text.slice(start, end), record, fileLayout(text));
    const parsed = parseJsonText(next, { isJsonc: file.endsWith(".jsonc") });
    // The order of members has no meaning.
    if ("faults" in parsed || canonicalJson(parsed.value) !== canonicalJson(record)) {
      throw new TypeError(`the record ${record.id} would not be as it was edited`);
    }
    if (line !== undefined) {
      const [before, after] = [text, next].map((one) => new FilePart(line.at, Buffer.from(one)));
      return { file, before, after };
    }
    return { file, before: text, after: text.slice(0, start) + next + text.slice(end) };
  }

  /** The file without the entry. */
  removed({ file, text, line, record }: EntryText): FileChange {
    if (this.#isOwn(file)) return { file, before: text, after: undefined };
    if (line !== undefined) {
      const before = withEnds(line);
      return { file, before, after: new FilePart(before.at, Buffer.alloc(0)) };
    }
    return withList(file, text, (list) =>
      // The first one, as it is found: another one with its id is not lost with it.
      list.toSpliced(
        list.findIndex((one) => idOf(one) === record.id),
        1,
      ),
    );
  }

  /** The file of a new entry: that of its model's others, or one beside it. A copy has the other's layout. */
  added(
    record: JsonObject & { readonly id: string },
    beside?: EntryText,
    isCopy = false,
  ): FileChange {
    const { id } = record;
    if (!isId(id)) throw refused(`"${id}" cannot be an id`, ID_RULE);
    const files = this.files;
    const file = beside?.file ?? this.#all()[0] ?? `${this.#kind}/`;
    if (this.#isOwn(file)) {
      const [name] = fileNames([id]).values();
      const path = `${beside ? posix.dirname(file) : this.#kind}/${name}.json`;
      if (files.stat(path) !== undefined) throw this.#taken(id);
      if (beside && isCopy) {
        return { file: path, before: undefined, after: this.changed(beside, record).after };
      }
      const { indent, eol } = fileLayout(beside?.text ?? "");
      const text = `${JSON.stringify(record, null, indent)}\n`;
      return { file: path, before: undefined, after: text.replaceAll("\n", eol) };
    }
    if (isOfLines(file)) {
      const line = beside?.line ?? lastLine(files, file);
      return { file, ...lineAfter(line, JSON.stringify(record)) };
    }
    const text = beside?.text ?? textIn(files, file);
    if (text === undefined) throw unreadable(file);
    return withList(file, text, (list) => {
      if (list.some((one) => idOf(one) === id)) throw this.#taken(id);
      const at = list.findIndex((one) => idOf(one) === beside?.record.id);
      return list.toSpliced(at < 0 ? list.length : at + 1, 0, record);
    });
  }

  #taken(id: string): SvcError {
    return refused(`there is already an ${this.#one} with the id "${id}"`, "choose another id");
  }
}

export function refused(message: string, hint: string): SvcError {
  return new SvcError("edit-refused", message, { hint });
}

const idOf = (record: JsonValue) => (isJsonObject(record) ? record.id : undefined);

export const unreadable = (file: string) =>
  refused(`"${file}" cannot be read`, "mend the faults of the file in your editor first");

/** A byte order mark is no part of the JSON text. */
const beginOf = (text: string) => (text.startsWith("\ufeff") ? 1 : 0);

/** Undefined: there is no such file, or it is not UTF-8. */
function textIn(files: Folder, file: string): string | undefined {
  const stats = files.stat(file);
  if (stats === undefined) return undefined;
  // A pipe would be waited for.
  if (!stats.isFile()) throw unreadable(file);
  if (stats.size > LARGEST) {
    throw refused(`"${file}" has more than 16 MiB`, "change it in your editor");
  }
  const bytes = files.read(file);
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

const tooLong = (file: string) =>
  refused(`"${file}" has a line of more than 16 MiB`, "change it in your editor");

const isOfLines = (file: string) => file.endsWith(".ndjson");

/** H42f: as `recordIn`, of a file of any size. */
function* lineOf(
  files: Folder,
  kind: EditedKind,
  file: string,
  id: string,
): Generator<void, EntryText | undefined> {
  const stats = files.stat(file);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw unreadable(file);
  const name = `"${id}"`;
  let hasLong = false;
  for (const line of linesIn(files.chunks(file))) {
    if (line === undefined) yield;
    else if (line.bytes === undefined) hasLong = true;
    else if (line.bytes.includes(name) && isUtf8(line.bytes)) {
      const text = line.bytes.toString();
      const record = "faults" in parseJsonText(text) ? null : recordOf(kind, file, id, text);
      if (record) return { file, text, line: copyOf(line), start: 0, end: text.length, ...record };
    }
  }
  if (hasLong) throw tooLong(file);
  return undefined;
}

/** Undefined: it is another record. */
function recordOf(kind: EditedKind, file: string, id: string, text: string) {
  const record = withoutNullMembers(kind, jsonValue(text));
  if (!isJsonObject(record) || record.id !== id) return undefined;
  if (shapeFaults(kind, record).length > 0) throw unreadable(file);
  return { record, hash: sha256(canonicalJson(record)) };
}

/** @throws SvcError where it cannot be read. */
function recordIn(
  files: Folder,
  kind: EditedKind,
  file: string,
  id: string,
): EntryText | undefined {
  const text = textIn(files, file);
  return text === undefined ? undefined : recordInText(kind, file, id, text);
}

/** H76: an entry in a file of another time; undefined: it is not there; null: that cannot be read. */
export function entryIn(file: string, bytes: Buffer, id: string): JsonObject | undefined | null {
  if (!isId(id) || !isUtf8(bytes)) return null;
  try {
    return recordInText("entries", file, id, bytes.toString())?.record;
  } catch (error) {
    if (error instanceof SvcError) return null;
    throw error;
  }
}

/** H78: the records of two states of a file that differ, as far as they can be read, by id. */
export function differingRecords(
  kind: EditedKind,
  file: string,
  sides: readonly [Buffer | undefined, Buffer | undefined],
): Map<string, JsonObject>[] {
  const isJsonc = file.endsWith(".jsonc");
  const isBroken = (json: string) => "faults" in parseJsonText(json, { isJsonc });
  const texts = sides.map((bytes) => {
    const text = bytes && isUtf8(bytes) ? bytes.toString() : "";
    if (!isOfLines(file) && isBroken(text.slice(beginOf(text)))) return new Set<string>();
    return new Set(Array.from(recordsIn(file, text), ([start, end]) => text.slice(start, end)));
  });
  return texts.map((own, side) => {
    const other = texts[1 - side];
    const records = new Map<string, JsonObject>();
    for (const part of own) {
      if (other?.has(part) || isBroken(part)) continue;
      const record = withoutNullMembers(kind, jsonValue(part));
      if (isJsonObject(record) && typeof record.id === "string") records.set(record.id, record);
    }
    return records;
  });
}

function recordInText(
  kind: EditedKind,
  file: string,
  id: string,
  text: string,
): EntryText | undefined {
  // Ids need no escapes (I1).
  if (!text.includes(`"${id}"`)) return undefined;
  const isJsonc = file.endsWith(".jsonc");
  const isBroken = (json: string) => "faults" in parseJsonText(json, { isJsonc });
  if (!isOfLines(file) && isBroken(text.slice(beginOf(text)))) throw unreadable(file);
  for (const [start, end] of recordsIn(file, text)) {
    const part = text.slice(start, end);
    if (!part.includes(`"${id}"`)) continue;
    if (isOfLines(file) && isBroken(part)) throw unreadable(file);
    const found = recordOf(kind, file, id, part);
    if (found) return { file, text, start, end, ...found };
  }
  return undefined;
}

/** The last line with a text, else the first, which says where the text begins. */
function lastLine(files: Folder, file: string): Line | undefined {
  let last: Line | undefined;
  for (const line of linesIn(files.chunks(file))) {
    if (line && (!last || (line.bytes?.some((byte) => byte > SPACE) ?? true))) last = copyOf(line);
  }
  if (last && last.bytes === undefined) throw tooLong(file);
  return last;
}

const SPACE = 0x20;

/** A file whose value is a list, with another one. */
function withList(
  file: string,
  text: string,
  change: (list: readonly JsonValue[]) => readonly JsonValue[],
): FileChange {
  const begin = beginOf(text);
  const json = text.slice(begin);
  const list = jsonValue(json);
  if (!Array.isArray(list)) throw unreadable(file);
  return { file, before: text, after: text.slice(0, begin) + withValue(json, change(list)) };
}
