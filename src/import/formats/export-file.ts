import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MAXIMUM_TEXT, parseJsonText, TOO_DEEP, TOO_LARGE } from "../../folder/json-text.ts";
import type { Position } from "../../folder/text-positions.ts";
import { SvcError } from "../../workspace/errors.ts";
import { byCodeUnit, type JsonValue } from "../../workspace/json.ts";
import { NO_OBJECT, NOT_UTF8, type Piece, SplitFault, split, startOf } from "./split.ts";

interface System {
  readonly name: string;
  readonly hint: string;
}

/** A value in a file of an export, which is parsed each time it is needed. */
export interface Slice extends Piece {
  readonly file: ExportFile;
}

/** A JSON file of an export: its bytes, outside of V8's heap, and what is in them (X6). */
export class ExportFile {
  readonly path: string;
  readonly #bytes: Buffer;
  readonly #system: System;
  readonly #onRead: (done: number, total: number) => void;

  /** @throws SvcError `export-not-found`, `export-invalid` for what cannot be read. */
  constructor(
    path: string,
    system: System,
    onRead: (done: number, total: number) => void = () => {},
  ) {
    this.path = path;
    this.#system = system;
    this.#onRead = onRead;
    try {
      this.#bytes = readFileSync(path);
    } catch (error) {
      throw unreadable(path, error as NodeJS.ErrnoException, system);
    }
  }

  /** @throws SvcError `export-invalid`, with the position. */
  *values(options?: { readonly mayBeList?: boolean }): Generator<Slice> {
    try {
      for (const piece of split(this.#bytes, options)) yield { ...piece, file: this };
    } catch (error) {
      if (!(error instanceof SplitFault)) throw error;
      const { message, offset } = error;
      if (message === TOO_DEEP.message) throw tooDeep(this.#place(offset));
      if (message === NO_OBJECT || message === NOT_UTF8) throw this.invalid(message);
      throw this.#broken(offset, message);
    }
  }

  /** The lines that are not empty; the index of each is its number, from 1. */
  *lines(): Generator<Slice> {
    const bytes = this.#bytes;
    for (let [index, start] = [1, startOf(bytes)]; start < bytes.length; index += 1) {
      const found = bytes.indexOf(10, start);
      const end = found < 0 ? bytes.length : found;
      if (bytes.subarray(start, end).some((byte) => byte > SPACE)) {
        yield { member: "", index, start, end, file: this };
      }
      start = end + 1;
    }
  }

  whole(): Slice {
    return { member: "", start: startOf(this.#bytes), end: this.#bytes.length, file: this };
  }

  /** A value that was checked before. */
  value({ start, end, isList }: Piece): JsonValue {
    this.#onRead(end, this.#bytes.length);
    return isList ? [] : JSON.parse(this.#bytes.toString("utf8", start, end));
  }

  /**
   * Exports are generated, so they are not checked for duplicate members or lost digits.
   *
   * @throws SvcError `export-invalid` for what is no JSON, with the position.
   */
  checked(piece: Piece): JsonValue {
    const { start, end } = piece;
    if (end - start > MAXIMUM_TEXT) {
      throw new SvcError("export-invalid", `${this.#place(start)}: the record ${TOO_LARGE}`, {
        hint: "divide the record into several that refer to each other, or leave it out",
      });
    }
    if (!isUtf8(this.#bytes.subarray(start, end))) throw this.invalid(NOT_UTF8);
    let value: JsonValue;
    try {
      value = this.value(piece);
    } catch {
      throw this.#fault(start, this.#bytes.toString("utf8", start, end));
    }
    if (this.#hasExponent(start, end) && hasInfinity(value)) {
      throw new SvcError(
        "export-invalid",
        `"${this.path}" has a number above the range of a double`,
        {
          hint: "find an exponent of three digits, such as 1e400, and write the number as a string",
        },
      );
    }
    return value;
  }

  #hasExponent(start: number, end: number): boolean {
    return /\d[eE]\+?\d{3}/.test(this.#bytes.toString("latin1", start, end));
  }

  /** What is wrong with a text that `JSON.parse` refuses. */
  #fault(start: number, text: string): SvcError {
    const checked = parseJsonText(text);
    const [fault] = "faults" in checked ? checked.faults : [];
    if (fault === TOO_DEEP) return tooDeep(this.#place(start));
    const { line = 1, column = 1, message = "broken JSON" } = fault ?? {};
    const before = text.split("\n", line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const offset = start + Buffer.byteLength(text.slice(0, before + column - 1));
    return this.#broken(offset, message.replace(/^broken JSON: /, ""));
  }

  /** @param at what is wrong; undefined: the whole file. */
  invalid(why: string, at?: Piece): SvcError {
    const place = at === undefined ? `"${this.path}" is` : `${this.#place(at.start)}:`;
    return invalidExport(place, why, this.#system);
  }

  /** Where a value begins: the path, the line and the column. */
  place({ start }: Piece): string {
    return this.#place(start);
  }

  #broken(offset: number, message: string): SvcError {
    return new SvcError("export-invalid", `${this.#place(offset)}: broken JSON: ${message}`, {
      hint: "the file may be truncated: export again, then import; the store was not changed",
    });
  }

  #place(offset: number): string {
    const { line, column } = positionIn(this.#bytes, offset);
    return `${this.path}:${line}:${column}`;
  }
}

const SPACE = 0x20;

/** The files below a folder, sorted by path; links are none. */
export function filesBelow(folder: string, depth = Number.POSITIVE_INFINITY): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 1 ? filesBelow(path, depth - 1) : [];
      return entry.isFile() ? [path] : [];
    })
    .sort(byCodeUnit);
}

export function invalidExport(place: string, why: string, { name, hint }: System): SvcError {
  return new SvcError("export-invalid", `${place} not a ${name} export: ${why}`, { hint });
}

export function positionIn(bytes: Buffer, offset: number): Position {
  let [line, start] = [1, startOf(bytes)];
  for (let end = bytes.indexOf(10); end >= 0 && end < offset; end = bytes.indexOf(10, start)) {
    line += 1;
    start = end + 1;
  }
  let column = 1;
  for (const byte of bytes.subarray(start, offset)) {
    // Bytes that continue a character have no column; one of four bytes is two UTF-16 units.
    if ((byte & 0xc0) !== 0x80) column += byte >= 0xf0 ? 2 : 1;
  }
  return { line, column };
}

function unreadable(path: string, error: NodeJS.ErrnoException, { hint }: System): SvcError {
  const { code, message } = error;
  if (code === "ENOENT") {
    return new SvcError("export-not-found", `there is no file "${path}"`, { hint });
  }
  if (code === "EISDIR") {
    return new SvcError("export-invalid", `"${path}" is a folder, not an export`, {
      hint: "give the JSON file of an export; import a workspace folder without --from",
    });
  }
  if (code === "ERR_FS_FILE_TOO_LARGE") {
    return new SvcError("export-invalid", `"${path}" is larger than 2 GiB`, {
      hint: "divide the export: several files that are given together are one import",
    });
  }
  return new SvcError("export-invalid", `"${path}" cannot be read: ${code ?? message}`, {
    hint: "check its permissions",
  });
}

/** X6. */
export function tooDeep(place: string): SvcError {
  return new SvcError("export-invalid", `${place}: ${TOO_DEEP.message}`, {
    hint: "divide the record into several that refer to each other, or leave it out",
  });
}

function hasInfinity(value: JsonValue): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasInfinity);
}
