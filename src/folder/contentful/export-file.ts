import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { TextFault } from "../json-losses.ts";
import { nestsTooDeep, parseJsonText } from "../json-text.ts";
import { exportFault } from "./export-shape.ts";

/** A value in each locale that has one. */
export type Localized = Readonly<Record<string, JsonValue>>;

export interface Sys {
  readonly id: string;
  readonly version?: number | null;
  readonly publishedVersion?: number | null;
  readonly revision?: number | null;
  readonly archivedVersion?: number | null;
  /** In spaces that publish by locale: `draft`, `published` or `changed` for each. */
  readonly fieldStatus?: JsonValue;
  readonly contentType?: { readonly sys: { readonly id: string } };
  readonly space?: { readonly sys: { readonly id: string } };
}

/** An entry or an asset. */
export interface Resource {
  readonly sys: Sys;
  readonly fields?: Readonly<Record<string, Localized>>;
}

export interface ContentTypeField {
  readonly id: string;
  readonly apiName?: string | null;
  readonly name?: string | null;
  readonly type: string;
  readonly linkType?: string;
  readonly items?: Pick<ContentTypeField, "type" | "linkType" | "validations">;
  readonly localized?: boolean | null;
  readonly required?: boolean | null;
  readonly omitted?: boolean | null;
  readonly validations?: readonly JsonObject[];
}

export interface ContentType {
  readonly sys: Sys;
  readonly name?: string | null;
  readonly displayField?: string | null;
  readonly fields: readonly ContentTypeField[];
}

interface Locale {
  readonly code: string;
  readonly default?: boolean | null;
  readonly fallbackCode?: string | null;
}

/** The parts of a `contentful space export` that are read. */
export interface ContentfulExport {
  readonly contentTypes: readonly ContentType[];
  readonly entries: readonly Resource[];
  readonly assets: readonly Resource[];
  readonly locales: readonly Locale[];
}

export const HOW_TO_EXPORT =
  "contentful space export --space-id <id> creates one (it must include the content types)";

/**
 * Reads an export.
 *
 * @throws SvcError `export-not-found`; `export-invalid` for syntax errors, with their position, and
 *   for missing lists and records of the wrong shape.
 */
export function readExport(path: string): ContentfulExport {
  const value = parse(path, readText(path));
  const fault = isJsonObject(value) ? exportFault(value) : "it is not a JSON object";
  if (fault !== undefined) throw invalidExport(path, fault);
  const { contentTypes, entries, assets, locales } = value as unknown as Partial<ContentfulExport>;
  return {
    contentTypes: contentTypes ?? [],
    entries: entries ?? [],
    assets: assets ?? [],
    locales: locales ?? [],
  };
}

function readText(path: string): string {
  const bytes = readBytes(path);
  if (!isUtf8(bytes)) throw invalidExport(path, "it is not UTF-8");
  try {
    return bytes.toString("utf8").replace(/^\uFEFF/, "");
  } catch {
    throw new SvcError("export-invalid", `"${path}" is larger than 512 MB`, {
      hint: "export less: without --include-drafts, or in parts with --query-entries",
    });
  }
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") {
      throw new SvcError("export-not-found", `there is no file "${path}"`, { hint: HOW_TO_EXPORT });
    }
    if (code === "EISDIR") {
      throw new SvcError("export-invalid", `"${path}" is a folder, not an export`, {
        hint: "give the JSON file of an export; import a workspace folder without --from",
      });
    }
    throw new SvcError("export-invalid", `"${path}" cannot be read: ${code ?? message}`, {
      hint: "check its permissions and its size",
    });
  }
}

/** Exports are generated, so they are not checked for duplicate members or lost digits. */
function parse(path: string, text: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { line, column, message } = syntaxFault(text, error as Error);
    const place = line === undefined ? "" : `:${line}:${column}`;
    throw new SvcError("export-invalid", `${path}${place}: ${message}`, {
      hint: "the file may be truncated: export again, then import; the store was not changed",
    });
  }
  if (nestsTooDeep(value))
    throw invalidExport(path, "its values are nested more than 200 levels deep");
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

/** In characters: to scan a longer text for the error's position would take minutes. */
const MAXIMUM_SCANNED = 8 * 1024 * 1024;

function syntaxFault(text: string, { message }: Error): TextFault {
  if (text.length <= MAXIMUM_SCANNED) {
    const parsed = parseJsonText(text);
    return ("faults" in parsed && parsed.faults[0]) || { message };
  }
  const [position, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  const fault = { message: `broken JSON: ${message.replace(/ *at position .*$/s, "")}` };
  return position === undefined ? fault : { ...fault, line: Number(line), column: Number(column) };
}

function invalidExport(path: string, why: string): SvcError {
  return new SvcError("export-invalid", `"${path}" is not a Contentful export: ${why}`, {
    hint: HOW_TO_EXPORT,
  });
}
