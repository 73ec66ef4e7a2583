import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";

const STRING = { type: "string" };
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
  ...{ id: STRING, space: LINK, contentType: LINK },
  ...{ version: NUMBER, publishedVersion: NUMBER, archivedVersion: NUMBER },
};
const BY_LOCALE = {
  type: "object",
  additionalProperties: { type: "object" },
};
const VALIDATIONS = list({ type: "object" });
const ITEMS = object({ type: STRING, linkType: STRING, validations: VALIDATIONS }, ["type"]);
const FIELD = object(
  {
    ...{ id: STRING, apiName: TEXT, name: TEXT, type: STRING, linkType: STRING },
    ...{ items: ITEMS, validations: VALIDATIONS },
    ...{ localized: BOOLEAN, required: BOOLEAN, omitted: BOOLEAN },
  },
  ["id", "type"],
);

/** The imported lists of an export, each with the schema of its records. */
const RECORDS: Readonly<Record<string, JsonObject>> = {
  contentTypes: object(
    { sys: object(SYS, ["id"]), name: TEXT, displayField: TEXT, fields: list(FIELD) },
    ["sys", "fields"],
  ),
  entries: object({ sys: object(SYS, ["id", "contentType"]), fields: BY_LOCALE }, ["sys"]),
  assets: object({ sys: object(SYS, ["id"]), fields: BY_LOCALE }, ["sys"]),
  locales: object({ code: STRING, default: BOOLEAN, fallbackCode: TEXT }, ["code"]),
};

let validators: [string, ValidateFunction][] | undefined;

function compiled(): [string, ValidateFunction][] {
  const ajv = new Ajv2020();
  validators ??= Object.entries(RECORDS).map(([name, schema]) => [name, ajv.compile(schema)]);
  return validators;
}

/** Why an object is not a valid export; undefined when it is. */
export function exportFault(value: JsonObject): string | undefined {
  for (const [name, validate] of compiled()) {
    const records = value[name] ?? (name === "contentTypes" ? undefined : []);
    if (!Array.isArray(records)) return `it has no list "${name}"`;
    const index = (records as readonly JsonValue[]).findIndex((record) => !validate(record));
    if (index >= 0) return `${name}[${index}]${firstFault(validate)}`;
  }
  if ((value.contentTypes as readonly JsonValue[]).length === 0) {
    return 'its list "contentTypes" is empty';
  }
  return undefined;
}

function firstFault({ errors }: ValidateFunction): string {
  const { instancePath = "", message = "" } = errors?.[0] ?? {};
  const path = instancePath.replace(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".");
  return `${path} ${message}`;
}
