import { inlinedSchema } from "../documents/inlined-schema.ts";
import { isGiven, isPattern } from "../documents/key-patterns.ts";
import { SvcError } from "../workspace/errors.ts";
import { isId, isKey } from "../workspace/ids.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
} from "../workspace/json.ts";
import { mayOverlap } from "./key-patterns.ts";
import type {
  Definition,
  Feature,
  KeyPatterns,
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

/** What types are made of. */
export interface TypesSource {
  /** The schema document of a project. */
  readonly document: JsonValue;
  /** T8: the project's config, whose experience ids are listed. */
  readonly config?: JsonValue | undefined;
}

/**
 * Phase 1: reads the schema document of a project into a model, or those of several projects of a workspace
 * (T11). In older documents without `x-svc-feature-values`, every feature is a boolean.
 *
 * @throws SvcError `schema-invalid`, or `schema-newer` for an unsupported `x-svc-schema-version`.
 */
export function readSchemas(sources: readonly TypesSource[]): SchemaModel {
  const [first, ...others] = sources.map(readSource);
  if (first === undefined) throw invalid("there is none");
  return withoutGiven(others.reduce(both, first));
}

function readSource({ document, config }: TypesSource): SchemaModel {
  const model = readSchema(document);
  if (config === undefined) return model;
  return { ...model, experienceIds: readExperienceIds(config, model.projectIds[0] ?? "") };
}

/** T11. */
function both(one: SchemaModel, other: SchemaModel): SchemaModel {
  const shared = ({ models, blocks, fields, features }: SchemaModel) =>
    JSON.stringify([models, blocks, fields, features]);
  const projectIds = [...new Set([...one.projectIds, ...other.projectIds])];
  if (shared(one) !== shared(other)) {
    throw new SvcError("schema-invalid", `the schemas of ${projectIds.join(", ")} differ`, {
      hint: "one file is of projects of one workspace and version; make one for each of the others",
    });
  }
  const ids = [one, other].flatMap(({ experienceIds }) => experienceIds ?? []);
  return {
    ...one,
    projectIds,
    steps: bothSteps([...one.steps, ...other.steps]),
    experienceKeys: sorted([...one.experienceKeys, ...other.experienceKeys]),
    experienceIds: one.experienceIds && sorted(ids),
    patterns: {
      experienceKeys: sorted([one, other].flatMap(({ patterns }) => patterns.experienceKeys)),
      experienceIds: sorted([one, other].flatMap(({ patterns }) => patterns.experienceIds)),
      steps: bothSteps([...one.patterns.steps, ...other.patterns.steps]),
    },
  };
}

/** Each key once, with all models. */
function bothSteps(steps: readonly Step[]): Step[] {
  return [...Map.groupBy(steps, ({ key }) => key)]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([key, same]) => ({ key, modelKeys: sorted(same.flatMap((one) => one.modelKeys)) }));
}

/** T2: a key that a pattern gives is not listed, so that a new one changes nothing. */
function withoutGiven(model: SchemaModel): SchemaModel {
  const { patterns, experienceIds } = model;
  const left = (keys: readonly string[], given: readonly string[]) =>
    keys.filter((key) => !given.some((pattern) => isGiven(pattern, key)));
  // A step of another model is written by hand.
  const steps = model.steps.filter(({ key, modelKeys: [own] }) =>
    patterns.steps.every((one) => !isGiven(one.key, key) || !one.modelKeys.includes(own ?? "")),
  );
  return {
    ...model,
    steps,
    experienceKeys: left(model.experienceKeys, patterns.experienceKeys),
    experienceIds: experienceIds && left(experienceIds, patterns.experienceIds),
    // A key may be of several, and the compiler takes what they have in common.
    patterns: { ...patterns, steps: patterns.steps.map((one) => widened(one, patterns, steps)) },
  };
}

function widened({ key }: Step, patterns: KeyPatterns, steps: readonly Step[]): Step {
  const others = patterns.steps.filter((one) => mayOverlap(one.key, key));
  const listed = steps.filter((one) => isGiven(key, one.key));
  return { key, modelKeys: sorted([...others, ...listed].flatMap((one) => one.modelKeys)) };
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

function readSchema(published: JsonValue): SchemaModel {
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
    projectIds: [projectId],
    models: readDefinitions(section(definitions, "contentModels")),
    blocks: readDefinitions(section(definitions, "contentBlocks")),
    fields: readMembers(section(definitions, "fields", {})),
    features: readFeatures(document, keys(definitions, "featureKeys")),
    steps: readSteps(document, keys(definitions, "stepKeys")),
    experienceKeys: keys(definitions, "experienceKeys"),
    patterns: readPatterns(definitions),
  };
}

/** S12. None in older documents. */
function readPatterns(definitions: JsonObject): KeyPatterns {
  const listed = (name: string) => {
    const list = section(definitions, name, {})["x-svc-patterns"];
    return Array.isArray(list) ? (list as readonly JsonValue[]).filter(isJsonObject) : [];
  };
  const texts = (all: readonly JsonObject[], name: string) =>
    sorted(textsIn(all.map((one) => ownMember(one, name) ?? null)).filter(isPattern));
  const ofExperiences = listed("experienceKeys");
  const ofSteps = listed("stepKeys").map((one) => {
    return { keys: texts([one], "key"), modelKeys: textsIn([one.contentModelKey ?? null]) };
  });
  return {
    experienceKeys: texts(ofExperiences, "key"),
    experienceIds: texts(ofExperiences, "id"),
    steps: bothSteps(
      ofSteps.flatMap(({ keys, modelKeys }) => keys.map((key) => ({ key, modelKeys }))),
    ),
  };
}

/**
 * T8: the ids of the experiences of a project config, sorted by code unit.
 *
 * @throws SvcError `schema-invalid` when it is no config of this project.
 */
function readExperienceIds(config: JsonValue, projectId: string): string[] {
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
    return { key, modelKeys: textsIn([ownMember(models, key) ?? null]) };
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
