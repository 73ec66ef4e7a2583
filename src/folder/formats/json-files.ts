import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import { SvcError } from "../../workspace/errors.ts";
import type { JsonValue } from "../../workspace/json.ts";
import { TOO_DEEP } from "../json-losses.ts";
import { parseJsonText } from "../json-text.ts";
import { StreamFault, TooDeep } from "./byte-reader.ts";
import { NO_OBJECT, NOT_UTF8, pieces } from "./json-stream.ts";
import { positionIn } from "./position-in.ts";

/** A value of the top-level object of a file, or an element of one of its lists. */
export interface FileValue {
  /** Empty where the file is a list. */
  readonly member: string;
  /** Undefined: the member's value; that of a list is empty, and its elements follow. */
  readonly index: number | undefined;
  readonly value: JsonValue;
  /** Of its first byte in the file. */
  readonly offset: number;
}

type Fault = (member: string, index: number | undefined, value: JsonValue) => string | undefined;

/** Reads the JSON files of an export value by value, so that a file may be larger than memory. */
export class JsonFiles {
  readonly #system: string;
  readonly #hint: string;
  readonly #faultOf: Fault;

  /**
   * @param system whose exports they are.
   * @param hint how to create one.
   * @param faultOf why a value is not valid.
   */
  constructor(system: string, hint: string, faultOf: Fault = () => undefined) {
    this.#system = system;
    this.#hint = hint;
    this.#faultOf = faultOf;
  }

  /**
   * The wanted values of a file, parsed and checked.
   *
   * @throws SvcError `export-invalid`, of a syntax error with its position.
   */
  *values(
    path: string,
    onRead: (offset: number) => void,
    isWanted: (member: string) => boolean,
    options: { readonly mayBeList?: boolean } = {},
  ): Generator<FileValue> {
    try {
      for (const { member, index, bytes, offset } of pieces(path, isWanted, options)) {
        onRead(offset);
        if (bytes === undefined) continue;
        const value = this.parsed(path, offset, bytes);
        const fault = this.#faultOf(member, index, value);
        if (fault !== undefined) {
          throw this.invalid(path, fault, index === undefined ? undefined : offset);
        }
        yield { member, index, value, offset };
      }
    } catch (error) {
      if (!(error instanceof StreamFault)) throw error;
      const { message, offset } = error;
      if (error instanceof TooDeep) throw tooDeep(placeIn(path, offset));
      if (message === NO_OBJECT || message === NOT_UTF8) throw this.invalid(path, message);
      throw this.#broken(path, offset, message);
    }
  }

  /** Exports are generated, so they are not checked for duplicate members or lost digits. */
  parsed(path: string, offset: number, bytes: Uint8Array): JsonValue {
    if (!isUtf8(bytes)) throw this.invalid(path, NOT_UTF8);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    let value: JsonValue;
    try {
      value = JSON.parse(text);
    } catch {
      const checked = parseJsonText(text);
      const [fault] = "faults" in checked ? checked.faults : [];
      if (fault === TOO_DEEP) throw tooDeep(placeIn(path, offset));
      const { line = 1, column = 1, message = "broken JSON" } = fault ?? {};
      const before = text.split("\n").slice(0, line - 1);
      const inText = before.join("\n").length + (line > 1 ? 1 : 0) + column - 1;
      const inBytes = Buffer.byteLength(text.slice(0, inText));
      throw this.#broken(path, offset + inBytes, message.replace(/^broken JSON: /, ""));
    }
    if (/\d[eE]\+?\d{3}/.test(text) && hasInfinity(value)) {
      throw new SvcError("export-invalid", `"${path}" has a number above the range of a double`, {
        hint: "find an exponent of three digits, such as 1e400, and write the number as a string",
      });
    }
    return value;
  }

  /** @throws SvcError for what is no file. */
  assertFile(path: string): void {
    try {
      if (!statSync(path).isDirectory()) return;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") {
        throw new SvcError("export-not-found", `there is no file "${path}"`, { hint: this.#hint });
      }
      throw new SvcError("export-invalid", `"${path}" cannot be read: ${code ?? message}`, {
        hint: "check its permissions",
      });
    }
    throw new SvcError("export-invalid", `"${path}" is a folder, not an export`, {
      hint: "give the JSON file of an export; import a workspace folder without --from",
    });
  }

  /** @param offset of what is wrong; undefined: the whole file. */
  invalid(path: string, why: string, offset?: number): SvcError {
    const place = offset === undefined ? `"${path}" is` : `${placeIn(path, offset)}:`;
    return new SvcError("export-invalid", `${place} not a ${this.#system} export: ${why}`, {
      hint: this.#hint,
    });
  }

  #broken(path: string, offset: number, message: string): SvcError {
    return new SvcError("export-invalid", `${placeIn(path, offset)}: broken JSON: ${message}`, {
      hint: "the file may be truncated: export again, then import; the store was not changed",
    });
  }
}

function placeIn(path: string, offset: number): string {
  const { line, column } = positionIn(path, offset);
  return `${path}:${line}:${column}`;
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
