import type { JsonValue } from "../../workspace/json.ts";
import type { SourceItem } from "../../workspace/source.ts";
import type { AssetFiles } from "./asset-files.ts";
import { assetItem } from "./asset-item.ts";
import type { Resource } from "./export-file.ts";
import type { ExportFiles } from "./export-files.ts";
import type { IdMap } from "./id-index.ts";
import type { Locales } from "./locales.ts";
import { storedValue } from "./stored-value.ts";
import type { Survey } from "./survey.ts";
import { type Types, typeIdOf } from "./types.ts";
import { storedLocales, type Values } from "./values.ts";

interface RecordsContext {
  readonly files: ExportFiles;
  readonly survey: Survey;
  readonly types: Types;
  readonly values: Values;
  readonly locales: Locales;
  readonly assetFiles: AssetFiles | undefined;
  readonly ids: { readonly entries: IdMap; readonly assets: IdMap };
}

/** The entries and the assets of an export that a survey has found to be imported. */
export function* convertedRecords(context: RecordsContext): Generator<SourceItem> {
  const { files, survey, ids, assetFiles } = context;
  let place = 0;
  for (const entry of files.records("entries")) {
    place += 1;
    const number = survey.entries.find(entry.sys.id) as number;
    if (survey.entries.places[number] === place && survey.entries.isImported(number)) {
      yield { kind: "entries", record: entryRecord(entry, context) };
    }
  }
  place = 0;
  for (const asset of files.records("assets")) {
    place += 1;
    const number = survey.assets.find(asset.sys.id) as number;
    if (survey.assets.places[number] !== place || !survey.assets.isImported(number)) continue;
    const item = assetItem(asset, ids.assets.of(asset.sys.id), context);
    if (item === undefined) continue;
    if (assetFiles === undefined) yield item;
    else yield* assetFiles.items(item.record);
  }
}

function entryRecord(entry: Resource, { types, values, ids, survey }: RecordsContext) {
  const typeId = typeIdOf(entry);
  const toIds = {
    entry: (id: string) => ids.entries.of(id),
    asset: (id: string) => ids.assets.of(id),
  };
  const data: [string, JsonValue][] = [];
  for (const [key, field] of types.get(typeId)?.fields ?? []) {
    const value = storedLocales(values.all(entry, field), (one) => storedValue(field, one, toIds));
    if (value !== undefined) data.push([key, value]);
  }
  const id = entry.sys.id;
  const isDraft = survey.entries.drafts.has(survey.entries.numberOf(id));
  return {
    ...{ id: ids.entries.of(id), modelId: types.modelId(typeId), ...(isDraft && { draft: true }) },
    data: Object.fromEntries(data),
  };
}
