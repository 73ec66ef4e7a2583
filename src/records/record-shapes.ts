import type { ErrorObject } from "ajv/dist/2020.js";
import { conditionsShape, SORT_SHAPE } from "../fields/conditions.ts";
import type { FieldType } from "../fields/field-type.ts";
import { FIELD_TYPES } from "../fields/registry.ts";
import { didYouMean } from "../workspace/did-you-mean.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { type JsonObject, type JsonValue, ownMember, pathIn } from "../workspace/json.ts";
import type { Kind } from "../workspace/records.ts";
import { nearMember } from "./near-members.ts";
import { shapeCheck } from "./shape-check.ts";

export interface ShapeFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Another file that the fault is about, below the folder. */
  readonly other?: string;
}

const [STRING, FLAG] = [{ type: "string" }, { type: "boolean" }];
const TIME = { type: "string", description: "RFC 3339, with a zone: 2026-11-21T09:30:00Z" };
const LOCALE = { type: "string", minLength: 1, description: "A language tag: en, pt-BR" };
const COUNT = { type: "integer", minimum: 0 };

function object(members: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties: members, required, additionalProperties: false };
}

const list = (items: JsonValue): JsonObject => ({ type: "array", items });
const IMPORT = {
  from: STRING,
  roots: list(STRING),
  locale: STRING,
  collections: FLAG,
  onlyTranslated: FLAG,
  locales: list(STRING),
  foundLocales: list(STRING),
  types: list(STRING),
};

/** The options of a field definition depend on its type; `fieldFaults` checks them. */
export const FIELD = { type: "object", properties: { type: STRING }, required: ["type"] };
const FIELDS = list(FIELD);

/** V4d. */
const ASSET_TEXT = {
  type: ["string", "object"],
  additionalProperties: { type: "string" },
  description: 'a text, or one for each locale: { "en": "A logo" }',
};

const FILE_MEMBERS = {
  id: STRING,
  fileName: STRING,
  title: ASSET_TEXT,
  description: ASSET_TEXT,
  mimeType: { type: "string", pattern: "^[^/\\s]+/[^\\s]+$" },
  url: STRING,
  file: STRING,
  sizeBytes: COUNT,
  width: COUNT,
  height: COUNT,
};

/** Q11: more would let a few texts become gigabytes. */
const PATTERN = { type: "string", minLength: 1, maxLength: 200 };

/** Q11: of collections of a project, and of steps around an entry. */
const MOST = 100;

const SIZE = { type: "integer", minimum: 1 };
const BY = { type: "string", description: "article.tags: pages for each value of the field" };

/** Q10, Q17: a collection has a model, or is by value. */
const COLLECTION = {
  ...object(
    {
      model: STRING,
      by: BY,
      id: { ...PATTERN, description: "article-{slug}: {id}, or the keys of fields" },
      key: PATTERN,
      name: PATTERN,
      stepId: PATTERN,
      stepKey: PATTERN,
      layoutName: STRING,
      where: conditionsShape(false),
      // Q26.
      except: { ...list(STRING), maxItems: 1000 },
      steps: { ...list(STRING), maxItems: MOST },
      // Q15.
      list: object(
        {
          id: { ...PATTERN, description: "articles-{page}" },
          key: PATTERN,
          name: PATTERN,
          size: SIZE,
          sort: SORT_SHAPE,
        },
        ["id", "size"],
      ),
      size: SIZE,
      sort: SORT_SHAPE,
    },
    ["id"],
  ),
  if: { properties: { by: BY }, required: ["by"] },
  // biome-ignore lint/suspicious/noThenProperty: of JSON Schema
  then: {
    properties: {
      ...{ model: false, stepId: false, stepKey: false, layoutName: false, steps: false },
      ...{ list: false, size: true },
    },
    required: ["size"],
  },
  else: {
    properties: { size: false, sort: false, model: true, layoutName: true },
    required: ["model", "layoutName"],
  },
};

export const SHAPES: { readonly [K in Kind | "workspace"]: JsonObject } = {
  workspace: object(
    {
      id: STRING,
      name: STRING,
      // H3c.
      previewToken: { type: "string", minLength: 20 },
      assetBaseUrl: { type: "string", pattern: "^(?:|https?://.*|/.*)$" },
      assetTexts: { type: "boolean" },
      fields: FIELDS,
      import: object(IMPORT, ["from"]),
    },
    ["id", "name"],
  ),
  models: object({ id: STRING, key: STRING, name: STRING, fields: FIELDS }, [
    "id",
    "key",
    "name",
    "fields",
  ]),
  blocks: object(
    {
      id: STRING,
      key: STRING,
      name: STRING,
      category: { type: "string", minLength: 1 },
      fields: FIELDS,
    },
    ["id", "key", "name", "fields"],
  ),
  features: object(
    {
      id: STRING,
      key: STRING,
      name: STRING,
      type: { enum: ["boolean", "text"] },
      variants: list(
        object({ id: STRING, key: STRING, name: STRING, value: { const: false } }, [
          "id",
          "key",
          "name",
        ]),
      ),
    },
    ["id", "key", "name", "type"],
  ),
  projects: object(
    {
      id: STRING,
      name: STRING,
      locale: LOCALE,
      fallbackLocales: { type: "array", items: LOCALE, uniqueItems: true },
      fields: { type: "object" },
      steps: list(
        object(
          { id: STRING, key: STRING, name: STRING, layoutName: STRING, layoutContentId: STRING },
          ["id", "key", "name", "layoutName"],
        ),
      ),
      experiences: list(
        object({ id: STRING, key: STRING, name: STRING, stepIds: list(STRING) }, [
          "id",
          "key",
          "name",
          "stepIds",
        ]),
      ),
      collections: { ...list(COLLECTION), maxItems: MOST },
    },
    ["id", "name", "steps", "experiences"],
  ),
  entries: object(
    {
      id: STRING,
      modelId: STRING,
      draft: {
        type: ["boolean", "object"],
        additionalProperties: { type: "boolean" },
        description:
          'true: previewed, and not published; { "de": true }: in projects of this locale',
      },
      publishAt: TIME,
      unpublishAt: TIME,
      data: { type: "object" },
    },
    ["id", "modelId", "data"],
  ),
  assets: object({ ...FILE_MEMBERS, versions: list(object(FILE_MEMBERS, ["id", "fileName"])) }, [
    "id",
    "fileName",
  ]),
};

/** Faults of the shape of a record: unknown members, wrong types, missing members. */
export function shapeFaults(kind: Kind | "workspace", record: JsonValue): ShapeFault[] {
  const validate = shapeCheck(kind, () => SHAPES[kind]);
  return validate(record) ? [] : toFaults(validate.errors ?? [], SHAPES[kind], record);
}

/** Faults of one field definition: its type, its members, its options in combination. */
export function fieldFaults(field: FieldDefinition): ShapeFault[] {
  const type = FIELD_TYPES.get(field.type);
  if (type === undefined) {
    const names = [...FIELD_TYPES.keys()];
    const similar = didYouMean(field.type, names);
    const meant = similar === undefined ? "" : `; did you mean "${similar}"?`;
    const message = `unknown field type "${field.type}"${meant} (one of ${names.join(", ")})`;
    return [{ path: ["type"], message }];
  }
  const validate = shapeCheck(`field ${type.name}`, () => shapeOfType(type));
  if (!validate(field)) {
    return toFaults(validate.errors ?? [], shapeOfType(type), field as unknown as JsonValue);
  }
  const message = itemsFault(field) ?? uniqueFault(field) ?? type.optionFault?.(field);
  return message === undefined ? [] : [{ path: [], message }];
}

/** The shape of a field definition; undefined for an unknown type. */
export function fieldShape({ type }: FieldDefinition): JsonObject | undefined {
  const fieldType = FIELD_TYPES.get(type);
  return fieldType && shapeOfType(fieldType);
}

export function shapeOfType({ options, requiredOptions = [] }: FieldType): JsonObject {
  return object(
    {
      key: STRING,
      name: STRING,
      description: STRING,
      type: STRING,
      ...options,
      required: { type: "boolean" },
      repeatable: { type: "boolean" },
      minItems: COUNT,
      maxItems: COUNT,
      unique: { type: "boolean" },
      localized: { type: "boolean" },
      title: { type: "boolean" },
    },
    ["key", "type", ...requiredOptions],
  );
}

function itemsFault({ repeatable, minItems, maxItems }: FieldDefinition): string | undefined {
  if (!repeatable && (minItems !== undefined || maxItems !== undefined)) {
    return "minItems and maxItems need repeatable: true";
  }
  return minItems !== undefined && maxItems !== undefined && minItems > maxItems
    ? `minItems ${minItems} is greater than maxItems ${maxItems}`
    : undefined;
}

/** V10. */
function uniqueFault({ type, unique, repeatable }: FieldDefinition): string | undefined {
  if (!unique) return undefined;
  if (repeatable) return "a repeatable field cannot be unique; remove one of the two";
  if (FIELD_TYPES.get(type)?.canBeUnique) return undefined;
  const able = [...FIELD_TYPES.values()].filter(({ canBeUnique }) => canBeUnique);
  const names = able.map(({ name }) => name).join(", ");
  return `a field of the type "${type}" cannot be unique; the types ${names} can`;
}

/** W4d: with the members that are meant; one that is missing under another name is one fault. */
function toFaults(
  errors: readonly ErrorObject[],
  shape: JsonObject,
  record: JsonValue,
): ShapeFault[] {
  const meant = new Set<string>();
  // "if" says again that one of its branches does not hold.
  const said = errors.filter(({ keyword }) => keyword !== "if");
  const faults = said.map((error): [ErrorObject, ShapeFault] => {
    const { keyword, instancePath, params } = error;
    const fault = toFault(error);
    if (keyword !== "additionalProperties" && keyword !== "required") return [error, fault];
    const object = objectAt(record, instancePath);
    const names = membersAt(shape, record, instancePath);
    if (keyword === "required") {
      const similar = didYouMean(
        params.missingProperty,
        Object.keys(object).filter((one) => !names.includes(one)),
      );
      const hint = similar === undefined ? "" : `; did you mean it by "${similar}"?`;
      return [error, { ...fault, message: fault.message + hint }];
    }
    const free = names.filter((one) => !Object.hasOwn(object, one));
    const similar = nearMember(params.additionalProperty, free, object.repeatable === true);
    if (similar !== undefined) meant.add(`${instancePath} ${similar}`);
    const others = names.includes("data")
      ? 'values of fields are in "data"'
      : `the members are ${names.join(", ")}`;
    const hint = similar === undefined ? others : `did you mean "${similar}"?`;
    return [error, { ...fault, message: `${fault.message}; ${hint}` }];
  });
  return faults
    .filter(([{ instancePath, params }]) => !meant.has(`${instancePath} ${params.missingProperty}`))
    .map(([, fault]) => fault);
}

/** The object in which a member is missing or unknown. */
function objectAt(record: JsonValue, pointer: string): JsonObject {
  return pathIn(pointer).reduce(
    (at, name) => (at as JsonObject)[name] as JsonValue,
    record,
  ) as JsonObject;
}

/** The names of the members that it may have. */
function membersAt(shape: JsonObject, record: JsonValue, pointer: string): string[] {
  let [at, value] = [shape, record];
  for (const name of pathIn(pointer)) {
    const members = at.properties as JsonObject | undefined;
    const member = (members && ownMember(members, name)) ?? at.additionalProperties;
    at = (Array.isArray(value) ? at.items : member) as JsonObject;
    value = (value as JsonObject)[name] as JsonValue;
  }
  return Object.keys(at.properties ?? {});
}

function toFault({ keyword, instancePath, params, message }: ErrorObject): ShapeFault {
  const path = pathIn(instancePath).map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  switch (keyword) {
    case "additionalProperties": {
      const member: string = params.additionalProperty;
      return { path: [...path, member], message: `unknown member "${member}"` };
    }
    case "required":
      return { path, message: `the member "${params.missingProperty}" is missing` };
    case "enum":
      return { path, message: `${named(path)} must be one of ${params.allowedValues.join(", ")}` };
    case "const":
      return { path, message: `${named(path)} must be ${params.allowedValue}` };
    case "pattern":
      return { path, message: `${named(path)} must match ${params.pattern}` };
    default:
      return { path, message: `${named(path)} ${SAYS[keyword]?.(params) ?? message}` };
  }
}

/** Of the other keywords that shapes use; the validator's own words are those of a schema's author. */
const SAYS: Readonly<Record<string, (params: ErrorObject["params"]) => string>> = {
  "false schema": () => "does not go with the other members",
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((one) => TYPES[one] ?? one)
      .join(" or ")}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  minLength: ({ limit }) =>
    limit === 1 ? "must not be empty" : `has fewer than ${limit} characters`,
  maxLength: ({ limit }) => `has more than ${limit} characters`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minProperties: () => "must not be empty",
  maxProperties: ({ limit }) => `has more than ${limit} members`,
  maxItems: ({ limit }) => `has more than ${limit} items`,
  minItems: ({ limit }) => (limit === 1 ? "must not be empty" : `has fewer than ${limit} items`),
  uniqueItems: ({ i, j }) =>
    `has the same item twice: ${Math.min(i, j) + 1} and ${Math.max(i, j) + 1}`,
};

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a number without fraction",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

function named(path: readonly (string | number)[]): string {
  const last = path.at(-1);
  if (last === undefined) return "the record";
  const around = path.at(-2);
  if (typeof last === "number") return `"${around}" item ${last + 1}`;
  return typeof around === "string" ? `"${last}" of "${around}"` : `"${last}"`;
}
