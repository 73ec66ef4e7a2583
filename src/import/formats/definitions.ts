import { existsSync, readFileSync } from "node:fs";
import { parseJsonText } from "../../folder/json-text.ts";
import { RecordRules } from "../../records/record-rules.ts";
import { shapeFaults } from "../../records/record-shapes.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonValue, jsonPointer } from "../../workspace/json.ts";
import type { Block, Model } from "../../workspace/records.ts";
import type { Notes } from "./notes.ts";
import type { ResolvedField, ResolvedType } from "./stored-data.ts";

export interface Definitions {
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
}

/**
 * Reads `{ "models": […], "blocks": […] }`, records as in a workspace folder; undefined without a file.
 *
 * @throws SvcError `schema-invalid`.
 */
export function readDefinitions(path: string, notes: Notes): Definitions | undefined {
  if (!existsSync(path)) return undefined;
  const parsed = parseJsonText(readFileSync(path, "utf8"));
  if ("faults" in parsed) throw invalid(path, parsed.faults[0]?.message ?? "broken JSON");
  const { value } = parsed;
  if (!isJsonObject(value)) throw invalid(path, "it is not a JSON object");
  const rules = new RecordRules();
  const records = (kind: "models" | "blocks") => {
    const list = value[kind] ?? [];
    if (!Array.isArray(list)) throw invalid(path, `"${kind}" is no list`);
    for (const [index, record] of (list as readonly JsonValue[]).entries()) {
      const faults = shapeFaults(kind, record);
      if (isJsonObject(record)) faults.push(...rules.faults(kind, record));
      const [fault] = faults;
      if (fault !== undefined) {
        throw invalid(path, `${jsonPointer([kind, index, ...fault.path])}: ${fault.message}`);
      }
    }
    return list;
  };
  const found = { models: records("models"), blocks: records("blocks") } as unknown as Definitions;
  if (found.models.length + found.blocks.length === 0) {
    notes.warn(
      "the file of --schema has no models: remove it, and the import writes those it finds",
    );
  }
  return found;
}

/**
 * A type as it is defined, if it is; fields that are not defined stay as they were found.
 *
 * @throws UsageError for a field that `--types` names, too.
 */
export function defined(
  type: ResolvedType,
  definitions: readonly Model[],
  notes: Notes,
): ResolvedType {
  const definition = definitions.find(({ key }) => key === type.key);
  if (definition === undefined) {
    if (definitions.length > 0) notes.warn(`${type.key} is not defined in the file of --schema`);
    return type;
  }
  const known = new Map(definition.fields.map((field) => [field.key, field]));
  const fields = [...type.fields].map(([name, field]): [string, ResolvedField] => {
    const given = known.get(field.definition.key);
    if (given === undefined) {
      notes.warn(`${type.key}.${field.definition.key} is not defined in the file of --schema`);
      return [name, field];
    }
    if (field.isGiven && !field.isKept) {
      const hint = "change it there, or leave it out of --types";
      throw new UsageError(`${field.place} is defined in the file of --schema`, hint);
    }
    if (field.definition.localized && !given.localized) {
      notes.warn(
        `${type.key}.${given.key} has values in several locales, and the file of --schema does not say localized`,
      );
    }
    const isWhole = given.type === "json" || given.type === "rich-text";
    const basis = "by the file of --schema";
    return [name, { ...field, definition: given, isWhole, isGiven: true, basis }];
  });
  return { ...type, id: definition.id, fields: new Map(fields) };
}

export function withDefinitions<T extends Model>(
  found: readonly T[],
  definitions: readonly T[],
): T[] {
  const byKey = new Map(found.map((record) => [record.key, record]));
  const known = new Set(definitions.map(({ key }) => key));
  return [
    ...definitions.map((definition) => {
      const keys = new Set(definition.fields.map(({ key }) => key));
      const more = byKey.get(definition.key)?.fields.filter(({ key }) => !keys.has(key)) ?? [];
      return { ...definition, fields: [...definition.fields, ...more] };
    }),
    ...found.filter(({ key }) => !known.has(key)),
  ];
}

function invalid(path: string, why: string): SvcError {
  return new SvcError("schema-invalid", `"${path}" has no models: ${why}`, {
    hint: "without the file, the import writes one",
  });
}
