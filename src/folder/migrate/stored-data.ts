import { mapLocales } from "../../fields/localized.ts";
import { mapTree } from "../../fields/rich-text-tree.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Definitions, MigratedKind, Owner } from "./migration.ts";

/** Changes stored data; `id` names the record that it is in. */
export type Change = (data: JsonObject, id: string) => JsonObject;

/**
 * The record with changed data of the owner: of entries of a model, or of stored blocks of a
 * definition wherever they are, inside blocks, rich text and each locale's value too. Opaque values and data without a field stay.
 */
export function withData(
  { workspace, models, blocks }: Definitions,
  owner: Owner,
  kind: MigratedKind,
  record: JsonObject,
  change: Change,
): JsonObject {
  const id = String(record.id);
  const inBlocks = (fields: readonly FieldDefinition[], data: JsonObject): JsonObject => {
    const members = Object.entries(data).map(([key, value]) => {
      const field = fields.find((one) => one.key === key);
      if (field?.type === "rich-text") return [key, mapLocales(field, value, inTree)];
      if (field?.type !== "content-block") return [key, value];
      return [key, mapLocales(field, value, inOneOrMany)];
    });
    return Object.fromEntries(members);
  };
  const inTree = (tree: JsonValue) =>
    mapTree(tree, {
      pointer: (pointer, stored) => (pointer === "block" ? inBlock(stored) : stored),
    });
  const inOneOrMany = (value: JsonValue) =>
    Array.isArray(value) ? value.map(inBlock) : inBlock(value);
  const inBlock = (value: JsonValue): JsonValue => {
    if (!isJsonObject(value) || !isJsonObject(value.data)) return value;
    const block = blocks.find((one) => one.id === value.contentBlockId);
    if (block === undefined) return value;
    const data = inBlocks(block.fields, value.data);
    return { ...value, data: block === owner.definition ? change(data, id) : data };
  };
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
