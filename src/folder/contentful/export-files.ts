import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import { basename, extname } from "node:path";
import { SvcError } from "../../workspace/errors.ts";
import type { JsonValue } from "../../workspace/json.ts";
import { parseJsonText } from "../json-text.ts";
import { StreamFault, TooDeep } from "./byte-reader.ts";
import { type ContentType, HOW_TO_EXPORT, type Locale, type Resource } from "./export-file.ts";
import { recordFault } from "./export-shape.ts";
import { NO_OBJECT, NOT_UTF8, type Piece, pieces } from "./json-stream.ts";
import { positionIn } from "./position-in.ts";

/** The lists with many records, which are read again and again instead of being held. */
type Streamed = "entries" | "assets";

/** The lists that are held. */
interface Held {
  readonly contentTypes: ContentType[];
  readonly locales: Locale[];
  readonly editorInterfaces: JsonValue[];
}

/**
 * The files of one export (`contentful space export`). Entries and assets are read record by record,
 * so an export may be larger than memory.
 */
export class ExportFiles {
  readonly contentTypes: readonly ContentType[];
  readonly locales: readonly Locale[];
  readonly editorInterfaces: readonly JsonValue[];
  readonly #paths: readonly string[];
  readonly #onRead: (path: string) => (offset: number) => void;

  /**
   * @throws SvcError `export-not-found`; `export-invalid` for syntax errors, with their position, and
   *   for missing lists and records of the wrong shape.
   */
  constructor(
    paths: readonly string[],
    onProgress: (done: number, total: number) => void = () => {},
  ) {
    this.#paths = paths;
    this.#onRead = (path) => {
      const { size } = statSync(path);
      return (offset) => onProgress(offset, size);
    };
    const held: Held = { contentTypes: [], locales: [], editorInterfaces: [] };
    for (const path of paths) {
      assertFile(path);
      const lists = new Set<string>();
      for (const { member, index, value } of read(
        path,
        this.#onRead(path),
        (name) => !isStreamed(name),
      )) {
        if (index !== undefined && Object.hasOwn(held, member)) {
          held[member as "locales"].push(value as unknown as Locale);
        }
        if (Array.isArray(value)) lists.add(member);
      }
      if (!lists.has("contentTypes")) throw invalidExport(path, 'it has no list "contentTypes"');
    }
    if (held.contentTypes.length === 0) {
      throw invalidExport(paths.join('", "'), 'its list "contentTypes" is empty');
    }
    ({
      contentTypes: this.contentTypes,
      locales: this.locales,
      editorInterfaces: this.editorInterfaces,
    } = held);
  }

  /** The id of the space that the content types are of. */
  get spaceId(): string | undefined {
    return this.contentTypes.find(({ sys }) => sys.space)?.sys.space?.sys.id;
  }

  /** The name of the first file. */
  get name(): string {
    const [path = ""] = this.#paths;
    return basename(path, extname(path));
  }

  /** The records of one list of all files. */
  *records(list: Streamed): Generator<Resource> {
    for (const path of this.#paths) {
      for (const { index, value } of read(path, this.#onRead(path), (member) => member === list)) {
        if (index !== undefined) yield value as unknown as Resource;
      }
    }
  }
}

function isStreamed(member: string): boolean {
  return member === "entries" || member === "assets";
}

/** The wanted values of a file, parsed and checked. */
function* read(
  path: string,
  onRead: (offset: number) => void,
  isWanted: (member: string) => boolean,
): Generator<{ member: string; index: number | undefined; value: JsonValue }> {
  try {
    for (const piece of pieces(path, isWanted)) {
      onRead(piece.offset);
      if (piece.bytes === undefined) continue;
      const { member, index } = piece;
      const value = parsed(path, piece, piece.bytes);
      const fault = recordFault(member, index, value);
      if (fault !== undefined) throw invalidExport(path, fault);
      yield { member, index, value };
    }
  } catch (error) {
    if (!(error instanceof StreamFault)) throw error;
    const { message, offset } = error;
    if (error instanceof TooDeep || message === NO_OBJECT || message === NOT_UTF8)
      throw invalidExport(path, message);
    throw brokenExport(path, offset, message);
  }
}

/** Exports are generated, so they are not checked for duplicate members or lost digits. */
function parsed(path: string, { offset }: Piece, bytes: Buffer): JsonValue {
  if (!isUtf8(bytes)) throw invalidExport(path, NOT_UTF8);
  const text = bytes.toString("utf8");
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    const checked = parseJsonText(text);
    const [fault] = "faults" in checked ? checked.faults : [];
    const { line = 1, column = 1, message = "broken JSON" } = fault ?? {};
    const before = text.split("\n").slice(0, line - 1);
    const inText = before.join("\n").length + (line > 1 ? 1 : 0) + column - 1;
    const inBytes = Buffer.byteLength(text.slice(0, inText));
    throw brokenExport(path, offset + inBytes, message.replace(/^broken JSON: /, ""));
  }
  if (/\d[eE]\+?\d{3}/.test(text) && hasInfinity(value)) {
    throw new SvcError("export-invalid", `"${path}" has a number above the range of a double`, {
      hint: "find an exponent of three digits, such as 1e400, and write the number as a string",
    });
  }
  return value;
}

function hasInfinity(value: JsonValue): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasInfinity);
}

function assertFile(path: string): void {
  try {
    if (!statSync(path).isDirectory()) return;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") {
      throw new SvcError("export-not-found", `there is no file "${path}"`, { hint: HOW_TO_EXPORT });
    }
    throw new SvcError("export-invalid", `"${path}" cannot be read: ${code ?? message}`, {
      hint: "check its permissions",
    });
  }
  throw new SvcError("export-invalid", `"${path}" is a folder, not an export`, {
    hint: "give the JSON file of an export; import a workspace folder without --from",
  });
}

function brokenExport(path: string, offset: number, message: string): SvcError {
  const { line, column } = positionIn(path, offset);
  return new SvcError("export-invalid", `${path}:${line}:${column}: broken JSON: ${message}`, {
    hint: "the file may be truncated: export again, then import; the store was not changed",
  });
}

function invalidExport(path: string, why: string): SvcError {
  return new SvcError("export-invalid", `"${path}" is not a Contentful export: ${why}`, {
    hint: HOW_TO_EXPORT,
  });
}
