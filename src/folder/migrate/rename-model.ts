import { isKey, isSchemaKeyword, KEY_RULE } from "../../workspace/ids.ts";
import type { JsonObject } from "../../workspace/json.ts";
import { type Definitions, findOwner, type Migration, refusal } from "./migration.ts";

/**
 * `rename-model <from> <to>`: the key, in the `models` of fields and in the layout names of
 * steps too. Entries name their model by its id, which stays.
 */
export function renameModel(definitions: Definitions, from: string, to: string): Migration {
  const { definition } = findOwner(definitions, `model:${from}`);
  if (!isKey(to)) throw refusal(`"${to}" cannot be the key of a model`, KEY_RULE);
  if (isSchemaKeyword(to)) {
    throw refusal(`the key "${to}" is a JSON Schema keyword`, "choose another key");
  }
  if (definitions.models.some(({ key }) => key === to)) {
    throw refusal(`there is already a model with the key "${to}"`, "choose another key");
  }
  const inField = (field: JsonObject) => {
    const hasModels = field.type === "reference" || field.type === "rich-text";
    if (!hasModels || !Array.isArray(field.models)) return field;
    return { ...field, models: field.models.map((key) => (key === from ? to : key)) };
  };
  const inStep = (step: JsonObject) =>
    step.layoutName === from ? { ...step, layoutName: to } : step;
  return (kind, record) => {
    const list = (name: string, change: (one: JsonObject) => JsonObject) => {
      const values = record[name];
      return Array.isArray(values) && { [name]: (values as JsonObject[]).map(change) };
    };
    if (kind === "entries") return record;
    if (kind === "projects") return { ...record, ...list("steps", inStep) };
    const isRenamed = kind === "models" && record.id === definition.id;
    return { ...record, ...(isRenamed && { key: to }), ...list("fields", inField) };
  };
}
