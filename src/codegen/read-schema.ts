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

/** The newest `x-svc-schema-version` that is supported. */
const SUPPORTED_VERSION = 1;

/**
 * Phase 1: reads a schema document into a model. In older documents without
 * `x-svc-feature-values`, every feature is a boolean.
 *
 * @throws SvcError `schema-invalid`, or `schema-newer` for an unsupported `x-svc-schema-version`.
 */
export function readSchema(document: JsonValue): SchemaModel {
  const $id = isJsonObject(document) ? ownMember(document, "$id") : undefined;
  const [, projectId] = /^svc:project\/([^/]+)\/schema$/.exec(String($id)) ?? [];
  // Validated because it is printed into code, and the document may be untrusted.
  if (!isJsonObject(document) || projectId === undefined || !isId(projectId)) {
    throw invalid("its $id is not svc:project/<project id>/schema");
  }
  const version = document["x-svc-schema-version"];
  if (typeof version === "number" && version > SUPPORTED_VERSION) {
    throw new SvcError(
      "schema-newer",
      `the schema document has version ${version}, newer than this program supports (${SUPPORTED_VERSION})`,
      {
        hint: "install a newer release of svc",
      },
    );
  }
  const definitions = section(document, "$defs");
  return {
    projectId,
    models: readDefinitions(section(definitions, "contentModels"), readMembers),
    blocks: readDefinitions(section(definitions, "contentBlocks"), readMembers),
    fields: readMembers(section(definitions, "fields", {})),
    features: readFeatures(document, keys(definitions, "featureKeys")),
    steps: readSteps(document, keys(definitions, "stepKeys")),
    experienceKeys: keys(definitions, "experienceKeys"),
  };
}

/** The definitions, sorted by key. */
function readDefinitions(
  definitions: JsonObject,
  members: (schema: JsonObject) => Definition["members"],
): Definition[] {
  return Object.entries(definitions)
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([key, schema]) => {
      if (!isKey(key)) throw invalid(`${JSON.stringify(key)} is not a key of a model or block`);
      if (!isJsonObject(schema)) throw invalid(`the definition of "${key}" is not an object`);
      const title = typeof schema.title === "string" ? schema.title : undefined;
      return { key, title, members: members(schema) };
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
  return Array.isArray(listed) ? [...new Set(listed.map(String))] : [];
}

/** @param fallback for documents from before this section existed. */
function section(parent: JsonObject, name: string, fallback?: JsonObject): JsonObject {
  const value = ownMember(parent, name) ?? fallback;
  if (isJsonObject(value)) return value;
  throw invalid(`"${name}" is missing`);
}

function invalid(reason: string): SvcError {
  return new SvcError("schema-invalid", `not a schema document of svc: ${reason}`, {
    hint: "pass the schema.json of a project, or the URL that serves it",
  });
}
