import { SvcError } from "../workspace/errors.ts";
import { isId, isKey } from "../workspace/ids.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
} from "../workspace/json.ts";
import { readMembers } from "./read-type.ts";
import type { Definition, Feature, Literal, SchemaModel, Step } from "./schema-model.ts";

/** The newest form of the schema document that is known. */
const KNOWN_VERSION = 1;

/**
 * Phase 1: reads a schema document. Older ones are read as they are: without
 * `x-svc-feature-values`, every feature serves true or false.
 *
 * @throws SvcError `schema-invalid`, or `schema-newer` for a form that this program does not know.
 */
export function readSchema(document: JsonValue): SchemaModel {
  const $id = isJsonObject(document) ? ownMember(document, "$id") : undefined;
  const [, projectId] = /^svc:project\/([^/]+)\/schema$/.exec(String($id)) ?? [];
  // What becomes a name or a comment is looked at: a document may come from anywhere.
  if (!isJsonObject(document) || projectId === undefined || !isId(projectId)) {
    throw invalid("it has no $id of the shape svc:project/<project_id>/schema");
  }
  const version = document["x-svc-schema-version"];
  if (typeof version === "number" && version > KNOWN_VERSION) {
    throw new SvcError("schema-newer", `the schema document is of form ${version}`, {
      hint: `this program knows form ${KNOWN_VERSION}: use a newer release of svc`,
    });
  }
  const definitions = section(document, "$defs");
  return {
    projectId,
    models: read(section(definitions, "contentModels"), readMembers),
    blocks: read(section(definitions, "contentBlocks"), readMembers),
    fields: readMembers(section(definitions, "fields", {})),
    features: readFeatures(document, keys(definitions, "featureKeys")),
    steps: readSteps(document, keys(definitions, "stepKeys")),
    experienceKeys: keys(definitions, "experienceKeys"),
  };
}

/** In order of the keys. */
function read(
  definitions: JsonObject,
  members: (schema: JsonObject) => Definition["members"],
): Definition[] {
  return Object.entries(definitions)
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([key, schema]) => {
      if (!isKey(key)) throw invalid(`${JSON.stringify(key)} is no key of a model or block`);
      if (!isJsonObject(schema)) throw invalid(`the definition of "${key}" is no object`);
      const title = typeof schema.title === "string" ? schema.title : undefined;
      return { key, title, members: members(schema) };
    });
}

function readFeatures(document: JsonObject, featureKeys: readonly string[]): Feature[] {
  const listed = ownMember(document, "x-svc-feature-values");
  return featureKeys.map((key) => {
    const values = isJsonObject(listed) ? ownMember(listed, key) : undefined;
    if (values === undefined) return { key, values: [false, true] };
    if (!Array.isArray(values)) throw invalid(`the values of the feature "${key}" are no list`);
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

/** S6: an enum, or nothing that could be one. */
function keys(definitions: JsonObject, name: string): string[] {
  const { enum: listed } = section(definitions, name, {});
  return Array.isArray(listed) ? [...new Set(listed.map(String))] : [];
}

/** `otherwise`: what it is in documents that are older than it. */
function section(parent: JsonObject, name: string, otherwise?: JsonObject): JsonObject {
  const value = ownMember(parent, name) ?? otherwise;
  if (isJsonObject(value)) return value;
  throw invalid(`"${name}" is missing`);
}

function invalid(reason: string): SvcError {
  return new SvcError("schema-invalid", `this is no schema document of svc: ${reason}`, {
    hint: "give the schema.json of a project, or the address at which it is served",
  });
}
