import { inlinedSchema } from "../documents/inlined-schema.ts";
import { SvcError } from "../workspace/errors.ts";
import { isId, isKey } from "../workspace/ids.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
} from "../workspace/json.ts";
import type {
  Definition,
  Feature,
  Literal,
  Member,
  SchemaModel,
  Step,
  Type,
} from "./schema-model.ts";

/** T4: the newest `x-svc-schema-version` that is supported. */
const SUPPORTED_VERSION = 1;
const PROJECT_SCHEMA = /^svc:project\/([^/]+)\/schema$/;
export const SCHEMA_HINT = "pass the schema.json of a project, or the URL that serves it";

/**
 * Phase 1: reads a schema document into a model. In older documents without
 * `x-svc-feature-values`, every feature is a boolean.
 *
 * @throws SvcError `schema-invalid`, or `schema-newer` for an unsupported `x-svc-schema-version`.
 */
export function readSchema(published: JsonValue): SchemaModel {
  const document = isJsonObject(published) ? inlinedSchema(published) : published;
  const $id = isJsonObject(document) ? ownMember(document, "$id") : undefined;
  const [, projectId] = typeof $id === "string" ? (PROJECT_SCHEMA.exec($id) ?? []) : [];
  // Validated because it is printed into code, and the document may be untrusted.
  if (!isJsonObject(document) || projectId === undefined || !isId(projectId)) {
    throw invalid("its $id is not svc:project/<project id>/schema");
  }
  const version = document["x-svc-schema-version"];
  if (typeof version === "number" && version > SUPPORTED_VERSION) {
    throw new SvcError(
      "schema-newer",
      `the schema document has version ${version}, newer than this program supports (${SUPPORTED_VERSION})`,
      { hint: "install a newer release of svc" },
    );
  }
  const definitions = section(document, "$defs");
  return {
    projectId,
    models: readDefinitions(section(definitions, "contentModels")),
    blocks: readDefinitions(section(definitions, "contentBlocks")),
    fields: readMembers(section(definitions, "fields", {})),
    features: readFeatures(document, keys(definitions, "featureKeys")),
    steps: readSteps(document, keys(definitions, "stepKeys")),
    experienceKeys: keys(definitions, "experienceKeys"),
  };
}

/**
 * T8: the ids of the experiences of a project config, sorted by code unit.
 *
 * @throws SvcError `schema-invalid` when it is no config of this project.
 */
export function readExperienceIds(config: JsonValue, projectId: string): string[] {
  const { id, experiences } = isJsonObject(config) ? config : {};
  const listed = Array.isArray(experiences) ? (experiences as readonly JsonValue[]) : [];
  const ids = textsIn(listed.map((one) => (isJsonObject(one) && ownMember(one, "id")) || null));
  if (id === projectId && ids.length === listed.length) return [...new Set(ids)].sort();
  throw new SvcError("schema-invalid", `not the project config of "${projectId}"`, {
    hint: "the config must be the one that is published beside the schema document",
  });
}

function readDefinitions(definitions: JsonObject): Definition[] {
  return Object.entries(definitions)
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([key, schema]) => {
      if (!isKey(key)) throw invalid(`${JSON.stringify(key)} is not a key of a model or block`);
      if (!isJsonObject(schema)) throw invalid(`the definition of "${key}" is not an object`);
      const title = typeof schema.title === "string" ? schema.title : undefined;
      return { key, title, members: readMembers(schema) };
    });
}

function readFeatures(document: JsonObject, featureKeys: readonly string[]): Feature[] {
  const listed = ownMember(document, "x-svc-feature-values");
  return featureKeys.map((key) => {
    const values = isJsonObject(listed) ? ownMember(listed, key) : undefined;
    if (values === undefined) return { key, values: [false, true] };
    if (!Array.isArray(values)) throw invalid(`the values of the feature "${key}" are not a list`);
    return { key, values: values as readonly Literal[] };
  });
}

function readSteps(document: JsonObject, stepKeys: readonly string[]): Step[] {
  const models = section(document, "x-svc-step-content-models", {});
  return stepKeys.map((key) => {
    const modelKey = ownMember(models, key);
    return { key, modelKey: typeof modelKey === "string" ? modelKey : undefined };
  });
}

/** S6: the values of an enum; empty if the schema is not an enum. */
function keys(definitions: JsonObject, name: string): string[] {
  const { enum: listed } = section(definitions, name, {});
  return [...new Set(textsIn(listed))];
}

function textsIn(list: JsonValue | undefined): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

/** @param fallback for documents from before this section existed. */
function section(parent: JsonObject, name: string, fallback?: JsonObject): JsonObject {
  const value = ownMember(parent, name) ?? fallback;
  if (isJsonObject(value)) return value;
  throw invalid(`"${name}" is missing`);
}

function invalid(reason: string): SvcError {
  return new SvcError("schema-invalid", `not a schema document of svc: ${reason}`, {
    hint: SCHEMA_HINT,
  });
}

function readMembers(schema: JsonObject): Member[] {
  const properties = ownMember(schema, "properties");
  const required = ownMember(schema, "required");
  const isRequired = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isJsonObject(properties) ? properties : {})
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([name, value]) => {
      const member = isJsonObject(value) ? value : {};
      const texts = [member.title, member.description].filter((one) => typeof one === "string");
      const title = texts.length === 0 ? undefined : texts.join(": ");
      return { name, title, isRequired: isRequired.has(name), type: readType(member) };
    });
}

/** The type of the values that a schema allows, without constraints such as lengths. */
function readType(schema: JsonObject): Type {
  const { const: constant, enum: options, anyOf, not, type, items, $defs } = schema;
  // S10.
  if (isJsonObject($defs) && isJsonObject($defs.pointer)) return readTree($defs.pointer);
  if (Object.hasOwn(schema, "const")) return { kind: "literals", values: [constant as Literal] };
  if (Array.isArray(options)) return { kind: "literals", values: options as readonly Literal[] };
  if (Array.isArray(anyOf)) return readChoice(anyOf.map((one) => (isJsonObject(one) ? one : {})));
  if (isJsonObject(not) && Object.keys(not).length === 0) return { kind: "block", blockKeys: [] };
  if (Array.isArray(type)) {
    return union(type.map((name) => readType({ ...schema, type: name as JsonValue })));
  }
  switch (type) {
    case "array":
      return { kind: "list", items: isJsonObject(items) ? readType(items) : { kind: "json" } };
    case "object":
      return readPointer(schema) ?? { kind: "object", members: readMembers(schema) };
    case "integer":
    case "number":
    case "string":
    case "boolean":
    case "null":
      return { kind: type };
    default:
      return Object.hasOwn(schema, "$ref") ? readChoice([schema]) : { kind: "json" };
  }
}

function readTree({ anyOf: pointers }: JsonObject): Type {
  const list = Array.isArray(pointers) ? (pointers as readonly JsonValue[]) : [];
  return {
    kind: "rich-text",
    pointers: list.map((one) => (isJsonObject(one) ? readType(one) : { kind: "unknown" })),
  };
}

/** S5: accepted blocks, or a pointer, or else a union. */
function readChoice(alternatives: readonly JsonObject[]): Type {
  const blockKeys = alternatives.map(({ $ref }) => definitionKey($ref, "contentBlocks"));
  if (alternatives.length > 0 && blockKeys.every((key) => key !== undefined)) {
    return { kind: "block", blockKeys };
  }
  if (alternatives.some(({ $ref }) => $ref !== undefined)) return { kind: "unknown" };
  const pointers = alternatives.map(pointerModel);
  if (pointers.every((models) => models !== undefined)) {
    return { kind: "pointer", modelKeys: pointers.flat() };
  }
  return union(alternatives.map(readType));
}

/** S5, S11: a pointer, or a block, whose key is one of a list. */
function readPointer({ properties }: JsonObject): Type | undefined {
  if (!isJsonObject(properties)) return undefined;
  if (Object.hasOwn(properties, "contentEntryId")) {
    return { kind: "pointer", modelKeys: listed(properties.contentModelKey) };
  }
  if (!Object.hasOwn(properties, "contentBlockKey")) return undefined;
  return { kind: "block", blockKeys: listed(properties.contentBlockKey) };
}

function listed(schema: JsonValue | undefined): string[] {
  const keys = isJsonObject(schema) ? schema.enum : undefined;
  return textsIn(keys);
}

/** The model that a pointer schema accepts; empty without `contentModelKey`; undefined if not a pointer. */
function pointerModel({ properties }: JsonObject): string[] | undefined {
  if (!isJsonObject(properties) || !Object.hasOwn(properties, "contentEntryId")) return undefined;
  const { contentModelKey } = properties;
  return isJsonObject(contentModelKey) ? textsIn([contentModelKey.const as JsonValue]) : [];
}

function definitionKey($ref: JsonValue | undefined, section: string): string | undefined {
  const prefix = `#/$defs/${section}/`;
  return typeof $ref === "string" && $ref.startsWith(prefix)
    ? $ref.slice(prefix.length)
    : undefined;
}

function union(types: readonly Type[]): Type {
  const [only, ...more] = types;
  return only !== undefined && more.length === 0 ? only : { kind: "union", types };
}
