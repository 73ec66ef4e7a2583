import { didYouMean } from "../../workspace/did-you-mean.ts";
import { ID_RULE, isId } from "../../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Model } from "../../workspace/records.ts";
import { mapPointers } from "../stored-blocks.ts";
import { type Definitions, type Migration, refusal } from "./migration.ts";
import { type UseChanges, withUses } from "./uses.ts";

/**
 * M9: `rename-entry <id> <new-id>`: the id, all pointers to it, conditions on it and the steps that show it. M9a: where
 * the entry has the new id already, the pointers alone.
 */
export function renameEntry(definitions: Definitions, from: string, to: string): Migration {
  const { workspace, models, blocks, entries } = definitions;
  if (!isId(to)) throw refusal(`"${to}" cannot be the id of an entry`, ID_RULE);
  if (entries.has(from) && entries.has(to)) {
    throw refusal(`there is already an entry "${to}"`, "choose another id");
  }
  if (!entries.has(from) && !entries.has(to)) {
    const similar = didYouMean(from, entries);
    const hint = similar === undefined ? "check the id" : `did you mean "${similar}"?`;
    throw refusal(`there is no entry "${from}"`, hint);
  }
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const reference = (stored: JsonObject): JsonObject =>
    stored.contentEntryId === from ? { ...stored, contentEntryId: to } : stored;
  const inData = (fields: Parameters<typeof mapPointers>[0], data: JsonValue | undefined) =>
    isJsonObject(data) ? mapPointers(fields, data, byId, { reference }) : data;
  const inStep = (step: JsonValue) =>
    isJsonObject(step) && step.layoutContentId === from ? { ...step, layoutContentId: to } : step;
  // Q26.
  const inExcept = (one: JsonObject): JsonObject =>
    Array.isArray(one.except)
      ? { ...one, except: one.except.map((id: JsonValue) => (id === from ? to : id)) }
      : one;
  const pointsAt = (owners: readonly Model[], key: string) =>
    owners.some(({ fields }) => fields.some((one) => one.key === key && one.type === "reference"));
  const constant: UseChanges["constant"] = (value, owners, key) =>
    value === from && pointsAt(owners, key) ? to : value;
  return (kind, before): JsonObject => {
    const record = withUses(definitions, kind, before, { constant });
    if (kind === "projects") {
      const steps = (record.steps as readonly JsonValue[]).map(inStep);
      const fields = inData(workspace.fields ?? [], record.fields);
      const collections = (record.collections as readonly JsonObject[] | undefined)?.map(inExcept);
      return {
        ...record,
        steps,
        ...(collections && { collections }),
        ...(fields !== undefined && { fields }),
      };
    }
    if (kind !== "entries") return record;
    const model = models.find(({ id }) => id === record.modelId);
    const data = inData(model?.fields ?? [], record.data) as JsonObject;
    return { ...record, id: record.id === from ? to : (record.id as string), data };
  };
}
