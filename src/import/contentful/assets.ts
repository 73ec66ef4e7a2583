import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { toId } from "../../documents/to-id.ts";
import { valueIn } from "../../fields/localized.ts";
import { assetByBytes, fileFault, pathOf } from "../../folder/asset-records.ts";
import { openReading, type Reading } from "../../folder/reading.ts";
import type { AssetFile } from "../../workspace/asset.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { SourceItem } from "../../workspace/source.ts";
import type { Fate, UnpublishedEdit } from "../format.ts";
import { type Assets, WAS_CHANGED } from "../formats/convert.ts";
import type { Notes } from "../formats/notes.ts";
import { absoluteUrl, urlAsset } from "../formats/url-asset.ts";
import type { Resource } from "./export-files.ts";
import { type Locales, leaveOutMetadata, type RecordState } from "./values.ts";

interface AssetsContext {
  readonly locales: Locales;
  readonly notes: Notes;
  /** With `--drafts`: what is not published is imported, too. */
  readonly drafts: boolean;
  /** X3d: whether drafts show an asset and no published entry does, which would be published with it. */
  readonly isOfDrafts: (id: string) => boolean;
  /** The files that `contentful space export --download-assets` stored. */
  readonly files: AssetFiles | undefined;
}

const TITLE = { id: "title", localized: true };
const DESCRIPTION = { id: "description", localized: true };
const FILE = { id: "file", localized: false };

export function importedAssets(
  states: ReadonlyMap<string, RecordState>,
  { locales, notes, drafts, isOfDrafts, files }: AssetsContext,
): Assets {
  const imported: AssetFile[] = [];
  const fates: Fate[] = [];
  const unpublishedEdits: UnpublishedEdit[] = [];
  let haveTexts = false;
  const leaveOut = (id: string, reason: string, said = `are ${reason}`) => {
    notes.leaveOut(`assets that ${said}`);
    fates.push({ kind: "asset", id, lost: [reason] });
  };
  for (const [id, { record: asset, isArchived, draft, changed }] of states) {
    if (isArchived) leaveOut(id, "archived");
    else if (draft !== undefined && !drafts && !isOfDrafts(id)) leaveOut(id, draft);
    else {
      leaveOutMetadata(asset, "assets", notes);
      const found = fileOf(asset, locales);
      const isEdited = changed && !drafts;
      if (isEdited) unpublishedEdits.push({ kind: "asset", id });
      if (found === undefined) {
        leaveOut(id, "have no file", "have no file");
        continue;
      }
      const lost = new Map<string, number>();
      const lose = (locale: string, { id: name }: { readonly id: string }, reason: string) => {
        notes.leaveOut(reason, 1, `asset.${name}`);
        lost.set(locale, (lost.get(locale) ?? 0) + 1);
      };
      for (const locale of found.others) lose(locale, FILE, locales.reasonFor(locale, FILE));
      const values = locales.valuesOf(asset);
      const draftLocales = locales.draftLocales(asset);
      const [title, description] = [TITLE, DESCRIPTION].map((field) => {
        // An empty text is one of its language (B1), unless no language has another.
        if (!Object.values(asset.fields?.[field.id] ?? {}).some(isText)) return undefined;
        const { values: given, main, others } = values(field);
        for (const locale of others) lose(locale, field, locales.reasonFor(locale, field));
        if (!locales.isLocalized(field)) return main;
        const texts = given.filter(([code = ""]) => {
          const isDraft = draftLocales.includes(code);
          if (isDraft) lose(code, field, `values in ${code} of assets that are drafts in it`);
          return !isDraft;
        });
        return Object.fromEntries(texts);
      });
      const record = assetOf(toId(id), found.file, { title, description });
      if (record.id !== id) notes.renamed("the id of an asset")(id, record.id);
      imported.push(record);
      if (record.title !== undefined || record.description !== undefined) haveTexts = true;
      const fault = files?.fault(record);
      if (fault !== undefined) notes.warn(`asset "${id}" stays at its url: ${fault}`);
      fates.push({
        kind: "asset",
        id,
        became: { id: record.id },
        lost: [
          ...(isEdited ? [WAS_CHANGED] : []),
          ...Array.from(lost, ([locale, times]) => `texts and files in ${locale}: ${times}`),
        ],
      });
    }
  }
  return {
    haveTexts,
    fates,
    unpublishedEdits,
    *[Symbol.iterator]() {
      for (const record of imported) {
        yield* files?.items(record) ?? [{ kind: "assets", record } as const];
      }
    },
  };
}

function isText(value: JsonValue): boolean {
  return typeof value === "string" && value !== "";
}

/** The processed file in the locale, its fallbacks, or else any other locale; `others` have one too. */
function fileOf(
  { fields }: Resource,
  { chain, main }: Locales,
): { readonly file: JsonObject; readonly others: readonly string[] } | undefined {
  const files = fields?.file ?? {};
  const present = Object.keys(files).filter((code) => files[code] !== null);
  for (const code of [...chain, main, ...present]) {
    const file = valueIn(files, [code])?.value;
    if (isJsonObject(file) && absoluteUrl(file.url) !== undefined) {
      return { file, others: present.filter((one) => one !== code) };
    }
  }
  return undefined;
}

function assetOf(
  id: string,
  { url, fileName, contentType, details }: JsonObject,
  texts: { readonly title: unknown; readonly description: unknown },
): AssetFile {
  const { size, image }: JsonObject = isJsonObject(details) ? details : {};
  const { width, height }: JsonObject = isJsonObject(image) ? image : {};
  const note = { ...texts, mimeType: contentType, size, width, height };
  return urlAsset({ id, url: absoluteUrl(url) ?? "", fileName }, note);
}

/** The files that `contentful space export --download-assets` stored: `<folder>/<host>/<path>`. */
export class AssetFiles {
  readonly #folder: string;
  readonly #reading: Reading;

  constructor(folder: string) {
    this.#folder = resolve(folder);
    if (!statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new SvcError("assets-not-found", `there is no folder "${folder}"`, {
        hint: "contentful space export --download-assets stores the files below --export-dir",
      });
    }
    this.#reading = openReading(this.#folder);
  }

  /** Why the file of an asset cannot be read; undefined: it can. */
  fault({ url = "" }: AssetFile): string | undefined {
    const path = storedAt(url);
    return path === undefined ? "its url is malformed" : fileFault(this.#reading, path);
  }

  /** The asset with its bytes, or by its url if they are not there. */
  items(asset: AssetFile): SourceItem[] {
    if (this.fault(asset) !== undefined) return [{ kind: "assets", record: asset }];
    const { url = "", sizeBytes: _size, width: _width, height: _height, ...authored } = asset;
    const path = pathOf(this.#folder, storedAt(url) as string);
    const bytes = readFileSync(path);
    const record = assetByBytes(authored, bytes);
    return [
      { kind: "file", sha256: record.sha256, bytes, path },
      { kind: "assets", record },
    ];
  }
}

/** As contentful-export names it. */
function storedAt(url: string): string | undefined {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${decodeURIComponent(pathname)}`;
  } catch {
    return undefined;
  }
}
