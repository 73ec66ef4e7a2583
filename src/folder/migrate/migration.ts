import { SvcError } from "../../workspace/errors.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { isJsonObject, type JsonObject } from "../../workspace/json.ts";
import type { Block, Kind, Model, Workspace } from "../../workspace/records.ts";
import { mapPointers } from "../stored-blocks.ts";

/** The definitions of a workspace folder before a migration. */
export interface Definitions {
  readonly folder: string;
  readonly workspace: Workspace;
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  /** The ids of all entries. */
  readonly entries: ReadonlySet<string>;
  /** Those of all projects and their fallbacks, by code unit. */
  readonly locales: readonly string[];
}

/** The kinds of records that a migration can change. */
export type MigratedKind = Exclude<Kind, "features" | "assets"> | "workspace";

/** M1: what becomes of each record of a folder; the same value: nothing. */
export interface Migration {
  (kind: MigratedKind, record: JsonObject): JsonObject | Promise<JsonObject>;
  /** M8: what it drops. */
  readonly relaxed?: readonly RelaxedConstraint[];
  /** Q22: what stays as it is, and why. */
  readonly notes?: readonly string[];
}

/** A constraint that is dropped, since content breaks it (M8). */
export interface RelaxedConstraint {
  /** Whose field it is; `workspace`: a field of projects. */
  readonly kind: "models" | "blocks" | "workspace";
  /** The key of the model or the block, or the id of the workspace. */
  readonly key: string;
  readonly field: string;
  /** The member of the field's definition; `format`: what its type asks of a text. */
  readonly constraint: string;
  /** The field's new type, if it gets another one. */
  readonly now?: string;
  /** Further members of the definition that the new type does not have. */
  readonly with?: readonly string[];
  /** How many entries (projects) break it. A value that breaks several counts for one of them. */
  readonly entries: number;
  /** The id of one of these. */
  readonly example: string;
}

export interface Owner {
  readonly kind: "models" | "blocks";
  readonly definition: Model;
}

/** M1a: a migration cannot be done without a loss, or for what it names. */
export function refusal(message: string, hint: string): SvcError {
  return new SvcError("migration-refused", message, { hint });
}

/**
 * M5: the model with this key, or the block; `model:` and `block:` before it say which.
 *
 * @throws SvcError `migration-refused` when there is none, or both.
 */
export function findOwner({ models, blocks }: Definitions, named: string): Owner {
  const [, prefix, key = ""] = /^(?:(model|block):)?(.*)$/s.exec(named) ?? [];
  const found = [
    ...(prefix === "block" ? [] : ownersOf("models", models, key)),
    ...(prefix === "model" ? [] : ownersOf("blocks", blocks, key)),
  ];
  const [owner, other] = found;
  if (owner !== undefined && other === undefined) return owner;
  if (owner === undefined) {
    const known = [...models, ...blocks].map((one) => one.key).join(", ");
    throw refusal(`there is no model or block with the key "${key}"`, `one of ${known}`);
  }
  throw refusal(`a model and a block have the key "${key}"`, `write model:${key} or block:${key}`);
}

function ownersOf(kind: Owner["kind"], list: readonly Model[], key: string): Owner[] {
  return list.filter((one) => one.key === key).map((definition) => ({ kind, definition }));
}

/** @throws SvcError `migration-refused` when the owner has no such field. */
export function findField({ definition }: Owner, key: string): FieldDefinition {
  const field = definition.fields.find((one) => one.key === key);
  if (field !== undefined) return field;
  const known = definition.fields.map((one) => one.key).join(", ");
  throw refusal(
    `"${definition.key}" has no field "${key}"`,
    known === "" ? "it has no fields" : `its fields are ${known}`,
  );
}

/** The record with another list of fields, if it is the owner's definition. */
export function withFields(
  owner: Owner,
  kind: MigratedKind,
  record: JsonObject,
  change: (fields: readonly JsonObject[]) => readonly JsonObject[],
): JsonObject {
  if (kind !== owner.kind || record.id !== owner.definition.id) return record;
  return { ...record, fields: change(record.fields as readonly JsonObject[]) };
}

/** The record with another definition of a field, if it is the owner's definition. */
export function withField(
  owner: Owner,
  kind: MigratedKind,
  record: JsonObject,
  key: string,
  change: (field: JsonObject) => JsonObject,
): JsonObject {
  return withFields(owner, kind, record, (fields) =>
    fields.map((field) => (field.key === key ? change(field) : field)),
  );
}

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
  const inBlocks = (fields: Parameters<typeof mapPointers>[0], data: JsonObject) =>
    mapPointers(fields, data, byId, {
      block: (stored, block) =>
        block === owner.definition && isJsonObject(stored.data)
          ? { ...stored, data: change(stored.data, id) }
          : stored,
    });
  if (kind === "projects" && isJsonObject(record.fields)) {
    return { ...record, fields: inBlocks(workspace.fields ?? [], record.fields) };
  }
  if (kind !== "entries") return record;
  const model = models.find((one) => one.id === record.modelId);
  if (model === undefined) return record;
  const data = inBlocks(model.fields, record.data as JsonObject);
  return { ...record, data: model === owner.definition ? change(data, id) : data };
}

export function renameMember(data: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key === from ? to : key, value]),
  );
}

export function removeMember(data: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== name));
}
