import { readFileSync, statSync } from "node:fs";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { nestsTooDeep, parseJsonText } from "../json-text.ts";

/** A value in each locale that has one. */
export type Localized = Readonly<Record<string, JsonValue>>;

export interface Sys {
  readonly id: string;
  readonly publishedVersion?: number;
  readonly archivedVersion?: number;
  readonly contentType?: { readonly sys: { readonly id: string } };
  readonly space?: { readonly sys: { readonly id: string } };
}

/** An entry or an asset. */
export interface Resource {
  readonly sys: Sys;
  readonly fields: Readonly<Record<string, Localized>>;
}

export interface ContentTypeField {
  readonly id: string;
  readonly apiName?: string;
  readonly name?: string;
  readonly type: string;
  readonly linkType?: string;
  readonly items?: Pick<ContentTypeField, "type" | "linkType" | "validations">;
  readonly localized?: boolean;
  readonly required?: boolean;
  readonly omitted?: boolean;
  readonly validations?: readonly JsonObject[];
}

export interface ContentType {
  readonly sys: Sys;
  readonly name?: string;
  readonly displayField?: string;
  readonly fields: readonly ContentTypeField[];
}

export interface Locale {
  readonly code: string;
  readonly default?: boolean;
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
  "contentful space export --space-id <id> makes one (its content types must be in it)";

/**
 * Reads an export.
 *
 * @throws SvcError `export-not-found`, `export-invalid`: broken JSON with its place, or what is
 *   missing, or a record that has no id.
 */
export function readExport(path: string): ContentfulExport {
  const value = parse(path, readText(path));
  if (!isJsonObject(value)) throw foreign(path, "it is no JSON object");
  for (const member of ["contentTypes", "entries", "assets", "locales"]) {
    const list = value[member] ?? (member === "contentTypes" ? undefined : []);
    if (!Array.isArray(list)) throw foreign(path, `it has no list "${member}"`);
    list.forEach((record: JsonValue, index: number) => {
      const fault = recordFault(member, record);
      if (fault !== undefined) throw foreign(path, `${member}[${index}] ${fault}`);
    });
  }
  const { contentTypes, entries = [], assets = [], locales = [] } = value;
  if ((contentTypes as readonly JsonValue[]).length === 0) {
    throw foreign(path, 'its list "contentTypes" is empty');
  }
  return { contentTypes, entries, assets, locales } as unknown as ContentfulExport;
}

function readText(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SvcError("export-invalid", `"${path}" is a folder, not an export`, {
      hint: "name the JSON file; a workspace folder is imported without --from",
    });
  }
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") {
      throw new SvcError("export-not-found", `there is no file "${path}"`, { hint: HOW_TO_EXPORT });
    }
    throw new SvcError("export-invalid", `"${path}" cannot be read: ${code ?? message}`, {
      hint: "check its permissions and its size",
    });
  }
}

/** What a machine has written is not searched for doubled members and long numbers. */
function parse(path: string, text: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const parsed = parseJsonText(text);
    const [fault] = "faults" in parsed ? parsed.faults : [];
    const { line, column, message } = fault ?? { message: (error as Error).message };
    const place = line === undefined ? "" : `:${line}:${column}`;
    throw new SvcError("export-invalid", `${path}${place}: ${message}`, {
      hint: "is the file whole? export again, then import; the store is as it was",
    });
  }
  if (!nestsTooDeep(value)) return value;
  throw foreign(path, "its values are nested more than 200 levels deep");
}

/** What a record lacks to be one. */
function recordFault(member: string, record: JsonValue): string | undefined {
  if (!isJsonObject(record)) return "is no object";
  if (member === "locales") return typeof record.code === "string" ? undefined : "has no code";
  const sys = record.sys;
  if (!isJsonObject(sys) || typeof sys.id !== "string") return "has no sys.id";
  if (member === "contentTypes") {
    const { fields } = record;
    if (!Array.isArray(fields)) return "has no list of fields";
    const isField = (field: JsonValue) =>
      isJsonObject(field) && typeof field.id === "string" && typeof field.type === "string";
    return fields.every(isField) ? undefined : "has a field without id or type";
  }
  if (member === "entries" && typeof idOf(sys.contentType) !== "string") {
    return "has no sys.contentType";
  }
  const { fields = {} } = record;
  return isJsonObject(fields) && Object.values(fields).every(isJsonObject)
    ? undefined
    : "has fields that are not by locale";
}

function idOf(link: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(link) && isJsonObject(link.sys) ? link.sys.id : undefined;
}

function foreign(path: string, why: string): SvcError {
  return new SvcError("export-invalid", `"${path}" is no export of Contentful: ${why}`, {
    hint: HOW_TO_EXPORT,
  });
}
