import { isStoredAsset, type StoredAsset } from "../fields/asset.ts";
import { valueIn } from "../fields/localized.ts";
import { type AssetFile, type AssetText, assetUrl } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import { isJsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Entry } from "../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";

/** The file of an asset, as the page shows it. */
export interface FileView {
  /** The URL path of the bytes on this server, or the address on another host. */
  readonly src: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly sizeBytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly title?: string;
  readonly description?: string;
}

/** @param language whose texts are preferred */
export function fileView(state: DraftState, file: AssetFile, language?: Language): FileView {
  const { sha256, fileName, sizeBytes, mimeType, width, height, url = "" } = file;
  const text = (name: "title" | "description") => {
    const found = textIn(file[name], state.languages.titles(language).flat());
    return found && { [name]: found };
  };
  const src = sha256 === undefined ? url : assetUrl("", { sha256, fileName });
  const own = { src, fileName, mimeType, sizeBytes };
  return { ...own, width, height, ...text("title"), ...text("description") };
}

function textIn(text: AssetText | undefined, locales: readonly string[]): string | undefined {
  if (typeof text !== "object") return text;
  const found = locales.find((one) => Object.hasOwn(text, one));
  return found === undefined ? Object.values(text)[0] : text[found];
}

/** H26a: the first picture among the values of an entry. */
export function pictureOf(
  state: DraftState,
  { modelId, data }: Entry,
  language?: Language,
): FileView | undefined {
  for (const { key, type, localized } of state.models.get(modelId)?.fields ?? []) {
    if (type !== "asset") continue;
    const stored = ownMember(data, key);
    const values = localized ? inLanguages(stored, state.languages.titles(language)) : [stored];
    for (const value of values.flat() as (JsonValue | undefined)[]) {
      if (value === undefined || !isStoredAsset(value)) continue;
      const file = fileOf(state.draft, value);
      if (file?.mimeType.startsWith("image/")) return fileView(state, file, language);
    }
  }
  return undefined;
}

function inLanguages(stored: JsonValue | undefined, languages: readonly Language[]) {
  if (stored === undefined || !isJsonObject(stored)) return [];
  return languages.map((language) => valueIn(stored, language)?.value);
}

export function fileOf(
  { assets }: Draft,
  { assetId, versionId }: Pick<StoredAsset, "assetId" | "versionId">,
): AssetFile | undefined {
  const asset = assets.get(assetId);
  return versionId === undefined ? asset : asset?.versions?.find(({ id }) => id === versionId);
}

/** H36: an asset; one that is named but missing has no file. */
export function assetView(state: DraftState, id: string) {
  const asset = state.draft.assets.get(id);
  const versions = asset?.versions ?? [];
  return {
    id,
    title: assetTitle(state, id),
    file: asset && fileView(state, asset),
    versions: versions.map((one) => ({ id: one.id, file: fileView(state, one) })),
    hasTexts: state.draft.workspace.assetTexts === true,
  };
}

/** H36: the title of an asset, else the name of its file, else its id. */
export function assetTitle(state: DraftState, id: string): string {
  const asset = state.draft.assets.get(id);
  return asset === undefined ? id : fileView(state, asset).title?.trim() || asset.fileName;
}
