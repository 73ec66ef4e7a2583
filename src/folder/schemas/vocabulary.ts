import { fieldListFaults } from "../../records/record-rules.ts";
import { shapeFaults } from "../../records/record-shapes.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { isId } from "../../workspace/ids.ts";
import { isJsonObject, type JsonObject } from "../../workspace/json.ts";
import { type Language, languagesOf } from "../../workspace/language.ts";
import type { Block, Model, ProjectLocales } from "../../workspace/records.ts";
import { openReading, type Reading } from "../reading.ts";
import { type ReadValue, recordTexts, workspaceText } from "../record-texts.ts";

export interface Vocabulary {
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly projectFields: readonly FieldDefinition[];
  /** Of the projects that have a locale. */
  readonly languages: readonly Language[];
  readonly assets: ReadonlyMap<string, string>;
  readonly entries: ReadonlyMap<string, readonly string[]>;
  /** How many definitions are left out, because they have faults. */
  readonly faulty: number;
}

/** Reads what a folder has, with whatever faults: authors need it while they edit. */
export function readVocabulary(folder: string): Vocabulary {
  const reading = openReading(folder);
  let faulty = 0;
  const isSound = (kind: "models" | "blocks" | "workspace", { value }: ReadValue) => {
    const found = [
      ...shapeFaults(kind, value),
      ...(isJsonObject(value) ? fieldListFaults(value.fields, kind) : []),
    ];
    if (found.length > 0) faulty += 1;
    return found.length === 0;
  };
  const sound = (kind: "models" | "blocks") =>
    [...recordTexts(reading, kind)]
      .filter((read) => isSound(kind, read))
      .map(({ value }) => value as unknown as Model);
  const named = function* (kind: "assets" | "entries"): Generator<JsonObject & { id: string }> {
    for (const { value } of recordTexts(reading, kind)) {
      if (isJsonObject(value) && typeof value.id === "string" && isId(value.id)) {
        yield value as JsonObject & { id: string };
      }
    }
  };
  const settings = workspaceText(reading);
  const entries = new Map<string, string[]>();
  for (const { id, modelId } of named("entries")) {
    const ids = entries.get(String(modelId));
    if (ids === undefined) entries.set(String(modelId), [id]);
    else ids.push(id);
  }
  return {
    models: sound("models"),
    blocks: sound("blocks"),
    projectFields:
      settings !== undefined && isSound("workspace", settings)
        ? ((settings.value as { fields?: FieldDefinition[] }).fields ?? [])
        : [],
    languages: languagesOf([...projectLocales(reading)]),
    assets: new Map(Array.from(named("assets"), ({ id, fileName }) => [id, String(fileName)])),
    entries,
    get faulty() {
      return faulty;
    },
  };
}

/** Of projects with whatever faults. */
function* projectLocales(reading: Reading): Generator<ProjectLocales> {
  for (const { value } of recordTexts(reading, "projects")) {
    if (!isJsonObject(value) || typeof value.locale !== "string") continue;
    const { locale, fallbackLocales } = value;
    const others: readonly unknown[] = Array.isArray(fallbackLocales) ? fallbackLocales : [];
    yield { locale, fallbackLocales: others.filter((one) => typeof one === "string") };
  }
}
