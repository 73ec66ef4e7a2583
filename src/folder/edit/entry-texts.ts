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

/** A larger file is edited in an editor: it would keep the preview from answering. */
const LARGEST = 16 * 1024 * 1024;
/** How long it looks for an entry before other requests are answered, in milliseconds. */
const LONGEST_TURN = 10;

/** The kinds of records that are edited. */
export type EditedKind = "entries" | "assets";

/** H42: an entry, or an asset, in its file. */
export interface EntryText {
  /** Below the folder, with `/`. */
  readonly file: string;
  /** Of the whole file. */
  readonly text: string;
  /** Where the record is in it. */
  readonly start: number;
  readonly end: number;
  readonly record: JsonObject;
  /** Changes with each value of the record, and with no layout of its text. */
  readonly hash: string;
}

/** A file with another text; undefined: none. */
export interface NewText {
  readonly file: string;
  readonly text: string | undefined;
}

/** The entries, or the assets, of a workspace folder as texts, each read from its file when it is asked for. */
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

  /** Yields before each file. */
  *#looking(id: string): Generator<void, EntryText> {
    this.assertEditable();
    const files = this.files;
    /** Of the first file that cannot be read: the entry may be in it. */
    let failure: SvcError | undefined;
    for (const file of this.#candidates(id)) {
      yield;
      try {
        const found = recordIn(files, this.#kind, file, id);
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
  changed({ file, text, start, end }: EntryText, record: JsonObject): NewText {
    const next = withValue(text.slice(start, end), record, fileLayout(text));
    const parsed = parseJsonText(next, { isJsonc: file.endsWith(".jsonc") });
    // The order of members has no meaning.
    if ("faults" in parsed || canonicalJson(parsed.value) !== canonicalJson(record)) {
      throw new TypeError(`the record ${record.id} would not be as it was edited`);
    }
    return { file, text: text.slice(0, start) + next + text.slice(end) };
  }

  /** The file without the entry. */
  removed({ file, text, start, end, record }: EntryText): NewText {
    if (this.#isOwn(file)) return { file, text: undefined };
    if (file.endsWith(".ndjson")) {
      const before = text.slice(0, start);
      const isLast = text[end] !== "\n";
      const kept = isLast ? before.replace(/\r?\n$/, "") : before;
      return { file, text: kept + text.slice(end + 1) };
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
  added(record: JsonObject & { readonly id: string }, beside?: EntryText, isCopy = false): NewText {
    const { id } = record;
    if (!isId(id)) throw refused(`"${id}" cannot be an id`, ID_RULE);
    const files = this.files;
    const file = beside?.file ?? this.#all()[0] ?? `${this.#kind}/`;
    if (this.#isOwn(file)) {
      const [name] = fileNames([id]).values();
      const path = `${beside ? posix.dirname(file) : this.#kind}/${name}.json`;
      if (files.stat(path) !== undefined) throw this.#taken(id);
      if (beside && isCopy) return { file: path, text: this.changed(beside, record).text };
      const { indent, eol } = fileLayout(beside?.text ?? "");
      const text = `${JSON.stringify(record, null, indent)}\n`;
      return { file: path, text: text.replaceAll("\n", eol) };
    }
    const text = beside?.text ?? textIn(files, file);
    if (text === undefined) throw unreadable(file);
    if (file.endsWith(".ndjson")) {
      const begin = beginOf(text);
      // The end of its line is kept as it is, with CR.
      const end = Math.max(begin, text.slice(0, beside?.end).trimEnd().length);
      const line = `${end === begin ? "" : fileLayout(text).eol}${JSON.stringify(record)}`;
      return { file, text: text.slice(0, end) + line + (text.slice(end) || "\n") };
    }
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

const unreadable = (file: string) =>
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

/** @throws SvcError where it cannot be read. */
function recordIn(
  files: Folder,
  kind: EditedKind,
  file: string,
  id: string,
): EntryText | undefined {
  const text = textIn(files, file);
  // Ids need no escapes (I1).
  if (!text?.includes(`"${id}"`)) return undefined;
  const isJsonc = file.endsWith(".jsonc");
  const isLines = file.endsWith(".ndjson");
  const parsed = (part: string) => parseJsonText(part.replace(/^\ufeff/, ""), { isJsonc });
  if (!isLines && "faults" in parsed(text)) throw unreadable(file);
  for (const [start, end] of recordsIn(file, text)) {
    const part = text.slice(start, end);
    if (!part.includes(`"${id}"`) || (isLines && "faults" in parsed(part))) continue;
    const record = withoutNullMembers(kind, jsonValue(part));
    if (!isJsonObject(record) || record.id !== id) continue;
    if (shapeFaults(kind, record).length > 0) throw unreadable(file);
    return { file, text, start, end, record, hash: sha256(canonicalJson(record)) };
  }
  return undefined;
}

/** A file whose value is a list, with another one. */
function withList(
  file: string,
  text: string,
  change: (list: readonly JsonValue[]) => readonly JsonValue[],
): NewText {
  const begin = beginOf(text);
  const json = text.slice(begin);
  const list = jsonValue(json);
  if (!Array.isArray(list)) throw unreadable(file);
  return { file, text: text.slice(0, begin) + withValue(json, change(list)) };
}
