import { constants, isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseJsonText, TOO_DEEP } from "../../folder/json-text.ts";
import { SvcError } from "../../workspace/errors.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nestsTooDeep,
} from "../../workspace/json.ts";

interface System {
  readonly name: string;
  readonly hint: string;
}

/** X6: a JSON file of an export, which is read as one text. */
export class ExportFile {
  readonly path: string;
  readonly #system: System;
  readonly #text: string;

  /** @throws SvcError `export-not-found`, `export-invalid` for what cannot be read. */
  constructor(path: string, system: System) {
    this.path = path;
    this.#system = system;
    let bytes: Buffer;
    try {
      if (statSync(path).size > constants.MAX_STRING_LENGTH) throw tooLarge(path);
      bytes = readFileSync(path);
    } catch (error) {
      if (error instanceof SvcError) throw error;
      throw unreadable(path, error as NodeJS.ErrnoException, system);
    }
    if (!isUtf8(bytes)) throw this.invalid("it is not UTF-8");
    this.#text = bytes.toString().replace(/^\ufeff/, "");
  }

  /**
   * Exports are generated, so they are not checked for duplicate members or lost digits.
   *
   * @throws SvcError `export-invalid` for what is no JSON, with the position.
   */
  value(text = this.#text, line = 1): JsonValue {
    let value: JsonValue;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#broken(text, line);
    }
    const place = line === 1 ? this.path : `${this.path}:${line}`;
    if (nestsTooDeep(value)) throw tooDeep(place);
    if (!/\d[eE]\+?\d{3}/.test(text) || !hasInfinity(value)) return value;
    throw new SvcError("export-invalid", `"${place}" has a number above the range of a double`, {
      hint: "find an exponent of three digits, such as 1e400, and write the number as a string",
    });
  }

  /** @throws SvcError `export-invalid` for another value, too. */
  object(): JsonObject {
    const value = this.value();
    if (!isJsonObject(value)) throw this.invalid("it is not a JSON object");
    return value;
  }

  /** Whether it is no text of one value a line. */
  get isOneValue(): boolean {
    try {
      JSON.parse(this.#text);
      return true;
    } catch {
      return /^\s*\[/.test(this.#text);
    }
  }

  /** The values of the lines that are not empty, each with its number. */
  *lines(): Generator<[number, JsonValue]> {
    for (const [at, line] of this.#text.split("\n").entries()) {
      if (line.trim() !== "") yield [at + 1, this.value(line, at + 1)];
    }
  }

  invalid(why: string): SvcError {
    return invalidExport(`"${this.path}" is`, why, this.#system);
  }

  /** What is wrong with a text that `JSON.parse` refuses. */
  #broken(text: string, first: number): SvcError {
    const checked = parseJsonText(text);
    const [fault] = "faults" in checked ? checked.faults : [];
    if (fault === TOO_DEEP) return tooDeep(this.path);
    const { line = 1, column = 1, message = "broken JSON" } = fault ?? {};
    return new SvcError(
      "export-invalid",
      `${this.path}:${line + first - 1}:${column}: ${message}`,
      {
        hint: "the file may be truncated: export again, then import; the store was not changed",
      },
    );
  }
}

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
  return new SvcError("export-invalid", `"${path}" cannot be read: ${code ?? message}`, {
    hint: "check its permissions",
  });
}

/** X6: no text of JavaScript is longer. */
function tooLarge(path: string): SvcError {
  return new SvcError("export-invalid", `"${path}" is larger than 512 MiB`, {
    hint: "divide the export: several files that are given together are one import",
  });
}

function tooDeep(place: string): SvcError {
  return new SvcError("export-invalid", `${place}: ${TOO_DEEP.message}`, {
    hint: "divide the record into several that refer to each other, or leave it out",
  });
}

function hasInfinity(value: JsonValue): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasInfinity);
}
