import { basename, extname } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { ExportFile, invalidExport } from "../formats/export-file.ts";

/** A value in each locale that has one. */
type Localized = Readonly<Record<string, JsonValue>>;

export interface Sys {
  readonly id: string;
  readonly version?: number | null;
  readonly publishedVersion?: number | null;
  readonly revision?: number | null;
  readonly archivedVersion?: number | null;
  /** In spaces that publish by locale: `draft`, `published` or `changed` for each. */
  readonly fieldStatus?: JsonValue;
  readonly contentType?: { readonly sys: { readonly id: string } };
  readonly space?: JsonValue;
  readonly environment?: JsonValue;
}

export interface Resource {
  readonly sys: Sys;
  readonly fields?: Readonly<Record<string, Localized>>;
  readonly metadata?: JsonValue;
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
  readonly metadata?: JsonValue;
  readonly fields: readonly ContentTypeField[];
}

interface Locale {
  readonly code: string;
  readonly default?: boolean | null;
  readonly fallbackCode?: string | null;
  /** False: the delivery API has none of its values. */
  readonly contentDeliveryApi?: boolean | null;
}

export function fieldName({ apiName, id }: Pick<ContentTypeField, "id" | "apiName">): string {
  return apiName ?? id;
}

export const HOW_TO_EXPORT =
  "contentful space export --space-id <id> creates one (it must include the content types)";

const SYSTEM = { name: "Contentful", hint: HOW_TO_EXPORT };

export interface ExportFiles {
  readonly contentTypes: readonly ContentType[];
  readonly locales: readonly Locale[];
  readonly editorInterfaces: readonly JsonValue[];
  /** Of the management API, which other tools add to an export. */
  readonly scheduledActions: readonly JsonValue[];
  readonly entries: readonly Resource[];
  readonly assets: readonly Resource[];
  /** X26f: how many records it has in lists that are not read. */
  readonly others: ReadonlyMap<string, number>;
  readonly name: string;
  /** The ids of the space and the environment that the content types are of, or else the entries. */
  readonly spaceId: string | undefined;
  readonly environmentId: string | undefined;
}

/**
 * @throws SvcError `export-not-found`; `export-invalid` for syntax errors, with their position, and
 *   for missing lists and records of the wrong shape.
 */
export function readExportFiles(paths: readonly string[]): ExportFiles {
  const lists = {
    contentTypes: [] as ContentType[],
    locales: [] as Locale[],
    editorInterfaces: [] as JsonValue[],
    scheduledActions: [] as JsonValue[],
    entries: [] as Resource[],
    assets: [] as Resource[],
  };
  const all = new Map<string, unknown[]>(Object.entries(lists));
  const others = new Map<string, number>();
  for (const path of paths) {
    const file = new ExportFile(path, SYSTEM);
    const members = file.object();
    for (const name of new Set(["contentTypes", ...Object.keys(members)])) {
      const member = name === "scheduled_actions" ? "scheduledActions" : name;
      const records = recordsOf(member, members[name] ?? null, file);
      const list = all.get(member);
      if (list === undefined) others.set(member, (others.get(member) ?? 0) + records.length);
      else for (const one of records) list.push(one);
    }
  }
  const { contentTypes, entries } = lists;
  if (contentTypes.length === 0) {
    const what = `"${paths.join('", "')}" is`;
    throw invalidExport(what, 'its list "contentTypes" is empty', SYSTEM);
  }
  for (const [name, count] of others) if (count === 0) others.delete(name);
  const [path = ""] = paths;
  const idIn = (link: "space" | "environment") =>
    [...contentTypes, ...entries]
      .map(({ sys }) => linkIn(sys[link]).id)
      .find((id) => typeof id === "string");
  return {
    ...lists,
    others,
    name: basename(path, extname(path)),
    spaceId: idIn("space"),
    environmentId: idIn("environment"),
  };
}

export function linkIn(link: JsonValue | undefined): { linkType?: JsonValue; id?: JsonValue } {
  const sys = isJsonObject(link) ? link.sys : undefined;
  return isJsonObject(sys) ? sys : {};
}

const STRING = { type: "string" };
const ID = { type: "string", minLength: 1 };
const NUMBER = { type: "number", nullable: true };
const BOOLEAN = { type: "boolean", nullable: true };
/** Contentful writes null for some unset members. */
const TEXT = { type: "string", nullable: true };

function object(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: "object", properties, required };
}

const list = (items: JsonObject): JsonObject => ({ type: "array", items });
const LINK = object({ sys: object({ id: STRING }, ["id"]) }, ["sys"]);
const SYS = {
  id: ID,
  space: LINK,
  contentType: LINK,
  version: NUMBER,
  publishedVersion: NUMBER,
  archivedVersion: NUMBER,
};
const BY_LOCALE = {
  type: "object",
  additionalProperties: { type: "object" },
};
const VALIDATIONS = list({ type: "object" });
const ITEMS = object({ type: STRING, linkType: STRING, validations: VALIDATIONS }, ["type"]);
const FIELD = object(
  {
    id: STRING,
    apiName: TEXT,
    name: TEXT,
    type: STRING,
    linkType: STRING,
    items: ITEMS,
    validations: VALIDATIONS,
    localized: BOOLEAN,
    required: BOOLEAN,
    omitted: BOOLEAN,
  },
  ["id", "type"],
);

/** The imported lists of an export, each with the schema of its records. */
const RECORDS: Readonly<Record<string, JsonObject>> = {
  contentTypes: object(
    {
      sys: object(SYS, ["id"]),
      name: TEXT,
      description: TEXT,
      displayField: TEXT,
      fields: list(FIELD),
    },
    ["sys", "fields"],
  ),
  entries: object({ sys: object(SYS, ["id", "contentType"]), fields: BY_LOCALE }, ["sys"]),
  assets: object({ sys: object(SYS, ["id"]), fields: BY_LOCALE }, ["sys"]),
  locales: object(
    { code: STRING, default: BOOLEAN, fallbackCode: TEXT, contentDeliveryApi: BOOLEAN },
    ["code"],
  ),
};

let compiled: Map<string, ValidateFunction> | undefined;

function validators(): ReadonlyMap<string, ValidateFunction> {
  if (compiled === undefined) {
    const ajv = new Ajv2020();
    compiled = new Map(
      Object.entries(RECORDS).map(([name, schema]) => [name, ajv.compile(schema)]),
    );
  }
  return compiled;
}

/**
 * The records of a member of an export; the management API has them in `items`.
 *
 * @throws SvcError `export-invalid` for a missing list, and a record of the wrong shape.
 */
function recordsOf(member: string, value: JsonValue, file: ExportFile): readonly JsonValue[] {
  const validate = validators().get(member);
  const list = isJsonObject(value) && validate === undefined ? value.items : value;
  if (!Array.isArray(list)) {
    const isNone = validate === undefined || (value === null && member !== "contentTypes");
    if (!isNone) throw file.invalid(`it has no list "${member}"`);
    return [];
  }
  const wrong = validate === undefined ? -1 : list.findIndex((one) => !validate(one));
  if (validate === undefined || wrong < 0) return list;
  validate(list[wrong]);
  throw file.invalid(`${member}[${wrong}]${firstFault(validate)}`);
}

function firstFault({ errors }: ValidateFunction): string {
  const { instancePath = "", message = "" } = errors?.[0] ?? {};
  const path = instancePath.replace(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".");
  return `${path} ${message}`;
}
