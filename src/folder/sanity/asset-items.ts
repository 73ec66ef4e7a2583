import { lstatSync, readFileSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../documents/version-id.ts";
import { toId } from "../../workspace/ids.ts";
import { isJsonObject, type JsonObject, ownMember } from "../../workspace/json.ts";
import type { SourceItem } from "../../workspace/source.ts";
import { assetByBytes, fileFault, MAXIMUM_SIZE } from "../asset-records.ts";
import type { Fate } from "../format.ts";
import type { Assets } from "../formats/convert.ts";
import { filesBelow } from "../formats/export-file.ts";
import type { Notes } from "../formats/notes.ts";
import {
  type AssetNote,
  absoluteUrl,
  authored,
  fittingFileName,
  urlAsset,
} from "../formats/url-asset.ts";
import { openReading, type Reading } from "../reading.ts";
import { type Dataset, documentOf } from "./dataset.ts";

interface SanityNote extends AssetNote {
  readonly originalFilename?: string;
  readonly metadata?: {
    readonly dimensions?: { readonly width?: number; readonly height?: number };
  };
}

const LOST = ["altText", "label", "creditLine"];

const NO_FILE = "without a file and a url";

interface FoundAsset {
  readonly id: string;
  readonly file?: string;
  readonly url?: string;
  readonly note: SanityNote;
}

/** The assets of an export; a file is read when its item is taken. */
export class AssetItems implements Assets {
  readonly #folder: string;
  readonly #reading: Reading;
  readonly #notes: Notes;
  readonly #assets = new Map<string, FoundAsset>();
  readonly #imported: Fate[] = [];
  readonly #excluded: Fate[] = [];

  /** @param refs what the documents say about their assets. */
  constructor({ folder, assets }: Dataset, refs: Iterable<string>, notes: Notes) {
    this.#folder = folder;
    this.#reading = openReading(folder);
    this.#notes = notes;
    const known = assetNotes(join(folder, "assets.json"));
    const files = ["images", "files"].flatMap((kind) =>
      namesIn(join(folder, kind)).map((name) => `${kind.slice(0, -1)}@file://./${kind}/${name}`),
    );
    for (const slice of assets) {
      const document = documentOf(slice);
      const { _id } = document;
      const url = absoluteUrl(document.url);
      if (url !== undefined) {
        this.#add({ id: assetIdOf(_id), url, note: document as SanityNote });
      } else this.#leaveOut(_id, NO_FILE);
    }
    for (const ref of [...refs, ...files]) {
      const { file, url } = placeOf(ref);
      const id = assetIdOf(ref);
      const [, key = ""] = /^((?:image|file)-[^-]+)/.exec(id) ?? [];
      const note = known.get(key) ?? {};
      if (file !== undefined) this.#add({ id, file, note });
      else if (url !== undefined) this.#add({ id, url, note });
      else if (!this.#assets.has(id)) this.#leaveOut(ref, NO_FILE);
    }
  }

  get haveTexts(): boolean {
    return [...this.#assets.values()].some(({ note }) => {
      const { title, description } = authored(note);
      return title !== undefined || description !== undefined;
    });
  }

  get fates(): readonly Fate[] {
    return [...this.#imported, ...this.#excluded];
  }

  #add(asset: FoundAsset): void {
    const { id, file, url, note } = asset;
    if (this.#assets.has(id)) return;
    const source = file ?? url ?? id;
    const size = file === undefined ? 0 : plainFile(join(this.#folder, file))?.size;
    // W8: whoever wrote the documents names the files.
    const isOfExport = file === undefined || fileFault(this.#reading, file) === undefined;
    if (size !== undefined && size > MAXIMUM_SIZE) this.#leaveOut(source, "of more than 512 MiB");
    else if (!isOfExport) this.#leaveOut(source, "whose file is not in the export");
    else {
      for (const name of LOST) {
        if (Object.hasOwn(note, name)) this.#notes.leaveOut(`${name} of assets`);
      }
      this.#assets.set(id, asset);
      this.#imported.push({ kind: "asset", id: source, became: { id }, lost: [] });
    }
  }

  #leaveOut(id: string, reason: string): void {
    this.#notes.leaveOut(`assets ${reason}`);
    this.#excluded.push({ kind: "asset", id, lost: [reason] });
  }

  *[Symbol.iterator](): Generator<SourceItem> {
    for (const { id, file, url = "", note } of this.#assets.values()) {
      if (file === undefined) {
        const { width, height } = note.metadata?.dimensions ?? {};
        const record = urlAsset(
          { id, url, fileName: note.originalFilename },
          { ...note, width, height },
        );
        yield { kind: "assets", record };
        continue;
      }
      const bytes = readFileSync(join(this.#folder, file));
      const fileName = fittingFileName(note.originalFilename, file.split("/").at(-1));
      const record = assetByBytes({ id, fileName, ...authored(note) }, bytes);
      yield { kind: "file", sha256: record.sha256, bytes };
      yield { kind: "assets", record };
    }
  }
}

/** Undefined for what is no plain file: a link may lead out of the export. */
function plainFile(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats : undefined;
}

function namesIn(folder: string): string[] {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [];
  return filesBelow(folder, 1)
    .map((path) => basename(path))
    .filter((name) => !name.startsWith("."));
}

/** What `assets.json` says, by `image-<hash>`; nothing when it is not there or not JSON. */
function assetNotes(path: string): ReadonlyMap<string, SanityNote> {
  if (plainFile(path) === undefined) return new Map();
  let value: JsonObject;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return new Map();
  }
  const known = Object.entries(value).filter(([, note]) => isJsonObject(note));
  return new Map(known as [string, SanityNote][]);
}

interface AssetPlace {
  readonly file?: string;
  readonly url?: string;
}

/**
 * What an object says about its asset, if it is an image, a file or a reference to an asset: the text of
 * `_sanityAsset` (`image@file://./images/a.png`), or the id of an asset's document.
 */
export function assetRefOf(object: JsonObject): string | undefined {
  const exported = ownMember(object, "_sanityAsset");
  if (typeof exported === "string") return exported;
  const ref = ownMember(object, "_ref");
  if (typeof ref === "string" && ASSET_ID.test(ref)) return ref;
  const asset = ownMember(object, "asset");
  return isJsonObject(asset) && typeOfAsset(asset) ? assetRefOf(asset) : undefined;
}

/** An `asset` member has nothing but the reference. */
function typeOfAsset(asset: JsonObject): boolean {
  return Object.keys(asset).every((name) => name.startsWith("_"));
}

/** X14: the id that Sanity gives an asset: `image-<hash>-<width>x<height>-<extension>`. */
const ASSET_ID = /^(?:image|file)-[0-9A-Za-z]+(?:-\d+x\d+)?-[a-z0-9]+$/;

/** The id of an asset by what an object or a document says about it. */
export function assetIdOf(ref: string): string {
  const { kind, file, url } = placeOf(ref);
  const name = (file ?? url ?? "").split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  const [, stem, extension] = /^([0-9A-Za-z]+(?:-\d+x\d+)?)\.([a-z0-9]+)$/.exec(name) ?? [];
  if (file === undefined && url === undefined) return toId(ref);
  if (stem !== undefined && (file !== undefined || isSanitys(url))) {
    return `${kind}-${stem}-${extension}`;
  }
  return toId(`${kind}-${sha256(Buffer.from(file ?? url ?? "")).slice(0, 16)}`);
}

function isSanitys(url = ""): boolean {
  return /^https:\/\/cdn\.sanity\.io\//.test(url);
}

function placeOf(ref: string): AssetPlace & { kind: string } {
  const [, kind = "image", place = ""] = /^(image|file)@(.*)$/s.exec(ref) ?? [];
  const [, file] = /^file:\/\/(?:\.?\/)?((?:images|files)\/[^/\\]+)$/.exec(place) ?? [];
  if (file !== undefined) return { kind, file };
  if (/^https?:\/\//i.test(place) && URL.canParse(place)) return { kind, url: place };
  return { kind };
}
