import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";

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
  locales: object({ code: STRING, default: BOOLEAN, fallbackCode: TEXT }, ["code"]),
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

/** Why a member of an export, or an element of one of its lists, is not valid; undefined when it is. */
export function recordFault(
  member: string,
  index: number | undefined,
  value: JsonValue,
): string | undefined {
  const validate = validators().get(member);
  if (validate === undefined) return undefined;
  if (index === undefined) {
    const isList = Array.isArray(value) || (value === null && member !== "contentTypes");
    return isList ? undefined : `it has no list "${member}"`;
  }
  return validate(value) ? undefined : `${member}[${index}]${firstFault(validate)}`;
}

function firstFault({ errors }: ValidateFunction): string {
  const { instancePath = "", message = "" } = errors?.[0] ?? {};
  const path = instancePath.replace(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".");
  return `${path} ${message}`;
}
