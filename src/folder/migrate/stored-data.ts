import { isJsonObject, type JsonObject } from "../../workspace/json.ts";
import { mapBlocks } from "../stored-blocks.ts";
import type { Definitions, MigratedKind, Owner } from "./migration.ts";

/** Changes stored data; `id` names the record that it is in. */
export type Change = (data: JsonObject, id: string) => JsonObject;

/** The record with changed data of the owner: of entries of a model, or of stored blocks of a definition. */
export function withData(
  definitions: Definitions,
  owner: Owner,
  kind: MigratedKind,
  record: JsonObject,
  change: Change,
): JsonObject {
  const id = String(record.id);
  const { workspace, models, blocks } = definitions;
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const inBlocks = (fields: Parameters<typeof mapBlocks>[0], data: JsonObject) =>
    mapBlocks(fields, data, byId, (stored, block) =>
      block === owner.definition && isJsonObject(stored.data)
        ? { ...stored, data: change(stored.data, id) }
        : stored,
    );
  if (kind === "projects" && isJsonObject(record.fields)) {
    return { ...record, fields: inBlocks(workspace.fields ?? [], record.fields) };
  }
  if (kind !== "entries") return record;
  const model = models.find((one) => one.id === record.modelId);
  if (model === undefined) return record;
  const data = inBlocks(model.fields, record.data as JsonObject);
  return { ...record, data: model === owner.definition ? change(data, id) : data };
}

/** The members with another name for one of them, in the same order. */
export function renameMember(data: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key === from ? to : key, value]),
  );
}

export function removeMember(data: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== name));
}
