// biome-ignore-all lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema

import { posix } from "node:path";
import { storedDataSchema } from "../../fields/data-schema.ts";
import type { JsonSchema } from "../../fields/field-type.ts";
import { FIELD_TYPES } from "../../fields/registry.ts";
import { SharedSchemas } from "../../fields/shared-schemas.ts";
import { SHAPES, shapeOfType } from "../../records/record-shapes.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { KINDS, type Kind } from "../../workspace/records.ts";
import { withValue } from "../json-editor.ts";
import { jsonValue } from "../json-text.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Of more entries or assets the ids are not proposed: editors would be slow (G7a). */
const MAX_IDS = 10_000;

/** G7: the JSON Schemas of the files of a workspace folder, by kind. */
export function folderSchemas(vocabulary: Vocabulary): Map<Kind | "workspace", JsonSchema> {
  const definitions = definitionsOf(vocabulary);
  const kinds = ["workspace", ...KINDS] as const;
  return new Map(
    kinds.map((kind) => {
      const record = { $ref: "#/$defs/record" };
      const schema = {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: kind === "workspace" ? "The settings of the workspace" : `Records: ${kind}`,
        ...(kind === "workspace"
          ? record
          : { if: { type: "array" }, then: { type: "array", items: record }, else: record }),
        $defs: { record: recordSchema(kind, vocabulary), ...definitions },
      };
      return [kind, schema];
    }),
  );
}

function recordSchema(kind: Kind | "workspace", vocabulary: Vocabulary): JsonSchema {
  const shape = SHAPES[kind] as JsonSchema & { properties: JsonSchema };
  switch (kind) {
    case "entries":
      return entrySchema(shape, vocabulary);
    case "projects":
      return projectSchema(shape, vocabulary);
    case "models":
    case "blocks":
    case "workspace":
      return withMembers(shape, { fields: { type: "array", items: fieldSchema() } });
    default:
      return shape;
  }
}

/** The model decides about `data`: if and then, so that editors propose its fields only. */
function entrySchema(shape: JsonSchema, { models }: Vocabulary): JsonSchema {
  const modelId = {
    description: "The id of the entry's model, which has the fields of data.",
    enum: models.map(({ id }) => id),
    enumDescriptions: models.map(({ name }) => name),
  };
  const cases = models.map(({ id }) => ({
    if: { properties: { modelId: { const: id } }, required: ["modelId"] },
    then: { properties: { data: { $ref: `#/$defs/models/${id}` } } },
  }));
  const { publishAt, unpublishAt } = shape.properties as Record<string, JsonSchema>;
  const times = {
    publishAt: { ...publishAt, format: "date-time" },
    unpublishAt: { ...unpublishAt, format: "date-time" },
  };
  return {
    ...withMembers(shape, models.length === 0 ? times : { ...times, modelId }),
    ...(cases.length > 0 && { allOf: cases }),
  };
}

function projectSchema(shape: JsonSchema, { models }: Vocabulary): JsonSchema {
  const { steps, collections } = shape.properties as Record<
    "steps" | "collections",
    { items: JsonSchema }
  >;
  const names = new Map(models.map(({ key, name }) => [key, name]));
  const model = {
    description: "The key of the model whose entries it has.",
    ...proposals([...names.keys()], (key) => names.get(key) ?? ""),
  };
  const layoutContentId = { $ref: "#/$defs/entryId" };
  const except = { type: "array", items: layoutContentId, maxItems: 1000 };
  return withMembers(shape, {
    fields: { $ref: "#/$defs/projectFields" },
    steps: { ...steps, items: withMembers(steps.items, { layoutContentId }) },
    collections: { ...collections, items: withMembers(collections.items, { model, except }) },
  });
}

/** A field definition: its type decides about its options. */
function fieldSchema(): JsonSchema {
  const types = [...FIELD_TYPES.values()];
  return {
    type: "object",
    properties: { type: { enum: types.map(({ name }) => name) } },
    required: ["key", "type"],
    allOf: types.map((type) => ({
      if: { properties: { type: { const: type.name } }, required: ["type"] },
      then: shapeOfType(type),
    })),
  };
}

function definitionsOf(vocabulary: Vocabulary): JsonObject {
  const { models, blocks, assets, entries, projectFields } = vocabulary;
  const shared = new SharedSchemas("#/$defs/shared");
  const context = { ...vocabulary, shared };
  const ofFields = (kind: "models" | "blocks", records: Vocabulary["models"]) =>
    Object.fromEntries(
      records.map(({ id, name, fields }) => [
        id,
        { title: name, ...storedDataSchema(fields, context, `#/$defs/${kind}/${id}`) },
      ]),
    );
  const entryCount = [...entries.values()].reduce((sum, ids) => sum + ids.length, 0);
  const idsOf = (id: string) => (entryCount > MAX_IDS ? [] : (entries.get(id) ?? []));
  const entryIds = models.map(({ id, name }) => [id, proposals(idsOf(id), () => name)]);
  const assetIds = assets.size > MAX_IDS ? [] : [...assets.keys()];
  const definitions = {
    assetId: {
      anyOf: [proposals(assetIds, (id) => assets.get(id) ?? ""), { type: "string" }],
    },
    entryIds: Object.fromEntries(entryIds),
    entryId: {
      anyOf: [...models.map(({ id }) => ({ $ref: `#/$defs/entryIds/${id}` })), { type: "string" }],
    },
    models: ofFields("models", models),
    blocks: ofFields("blocks", blocks),
    projectFields: storedDataSchema(projectFields, context, "#/$defs/projectFields"),
  };
  return { ...definitions, shared: shared.schemas };
}

/** Ids with their descriptions; no value matches when there are none. */
function proposals(all: readonly string[], describe: (id: string) => string): JsonSchema {
  const ids = [...new Set(all)];
  return ids.length === 0 ? { not: {} } : { enum: ids, enumDescriptions: ids.map(describe) };
}

function withMembers(shape: JsonSchema, members: JsonObject): JsonSchema {
  return { ...shape, properties: { ...(shape.properties as JsonObject), ...members } };
}

export function schemaFile(kind: Kind | "workspace"): string {
  return `.svc/${kind}.schema.json`;
}

/**
 * Adds the schemas of a workspace folder to the text of a `.vscode/settings.json`, or replaces them
 * there. Everything else stays, comments too.
 *
 * @param folder the path of the workspace folder from the folder that is opened, with `/`.
 */
export function withSchemas(settings: string, folder: string): string {
  const text = settings.trim() === "" ? "{}\n" : settings;
  const value = jsonValue(text);
  const others = isJsonObject(value) ? value : {};
  const known = others["json.schemas"];
  const schemas = Array.isArray(known) ? [...known] : [];
  for (const kind of ["workspace", ...KINDS] as const) {
    const url = `./${posix.join(folder, schemaFile(kind))}`;
    const names = kind === "workspace" ? [kind] : [kind, `${kind}/**/*`];
    const fileMatch = ["json", "jsonc"].flatMap((extension) =>
      names.map((name) => posix.join(folder, `${name}.${extension}`)),
    );
    const at = schemas.findIndex((one: JsonValue) => isJsonObject(one) && one.url === url);
    schemas.splice(at < 0 ? schemas.length : at, 1, { fileMatch, url });
  }
  return withValue(text, { ...others, "json.schemas": schemas });
}
