import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { byCodeUnit, isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { SourceItem } from "../../workspace/source.ts";
import type { ExcludedRecord } from "../formats/fates.ts";
import { fittingFileName, urlFileName } from "../formats/file-name.ts";
import type { Notes } from "../formats/notes.ts";
import { assetByBytes, assetByUrl } from "../measure-file.ts";
import { assetIdOf, placeOf } from "./asset-refs.ts";
import type { SanityDocument } from "./dataset.ts";

/** What an export says about an asset beside its file. */
interface AssetNote {
  readonly originalFilename?: string;
  readonly title?: JsonValue;
  readonly description?: JsonValue;
  readonly mimeType?: string;
  readonly size?: number;
  readonly metadata?: {
    readonly dimensions?: { readonly width?: number; readonly height?: number };
  };
}

/** The members of an asset that have no place here. */
const LOST = ["altText", "label", "creditLine"];

const NO_FILE = "without a file and a url";

/** In bytes, as for the files of a workspace folder. */
const MAXIMUM_SIZE = 512 * 1024 * 1024;

interface FoundAsset {
  readonly id: string;
  readonly file?: string;
  readonly url?: string;
  readonly note: AssetNote;
}

/** The assets of an export; a file is read when its item is taken. */
export class AssetItems {
  /** Where the export has each asset, by its id. */
  readonly sources = new Map<string, string>();
  readonly excluded: ExcludedRecord[] = [];
  readonly #folder: string;
  readonly #notes: Notes;
  readonly #assets = new Map<string, FoundAsset>();

  /**
   * @param refs what the documents say about their assets.
   * @param documents those of assets.
   */
  constructor(
    folder: string,
    refs: Iterable<string>,
    documents: Iterable<SanityDocument>,
    notes: Notes,
  ) {
    this.#folder = folder;
    this.#notes = notes;
    const known = assetNotes(join(folder, "assets.json"));
    const files = ["images", "files"].flatMap((kind) =>
      namesIn(join(folder, kind)).map((name) => `${kind.slice(0, -1)}@file://./${kind}/${name}`),
    );
    for (const document of documents) {
      const { url } = document;
      if (typeof url === "string" && URL.canParse(url)) {
        this.#add({ id: assetIdOf(document._id), url, note: document as AssetNote });
      } else this.#leaveOut(document._id, NO_FILE);
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
    return [...this.#assets.values()].some(({ note }) => Object.keys(textsOf(note)).length > 0);
  }

  #add(asset: FoundAsset): void {
    const { id, file, url, note } = asset;
    if (this.#assets.has(id)) return;
    const source = file ?? url ?? id;
    const size = file === undefined ? 0 : plainFile(join(this.#folder, file))?.size;
    if (size === undefined) this.#leaveOut(source, "whose file is not in the export");
    else if (size > MAXIMUM_SIZE) this.#leaveOut(source, "of more than 512 MiB");
    else {
      for (const name of LOST) {
        if (Object.hasOwn(note, name)) this.#notes.leaveOut(`${name} of assets`);
      }
      this.#assets.set(id, asset);
      this.sources.set(id, source);
    }
  }

  #leaveOut(id: string, reason: string): void {
    this.#notes.leaveOut(`assets ${reason}`);
    this.excluded.push({ id, reason });
  }

  *[Symbol.iterator](): Generator<SourceItem> {
    for (const { id, file, url = "", note } of this.#assets.values()) {
      const { originalFilename, mimeType, size, metadata } = note;
      const isType = typeof mimeType === "string" && /^[^/\s]+\/\S+$/.test(mimeType);
      if (file === undefined) {
        const fileName = fittingFileName(originalFilename, urlFileName(url));
        const { width, height } = metadata?.dimensions ?? {};
        const record = assetByUrl({
          ...{ id, url, fileName, ...(isType && { mimeType }), ...textsOf(note) },
          ...(isCount(size) && { sizeBytes: size }),
          ...(isCount(width) && { width }),
          ...(isCount(height) && { height }),
        });
        yield { kind: "assets", record };
        continue;
      }
      const bytes = readFileSync(join(this.#folder, file));
      const fileName = fittingFileName(originalFilename, file.split("/").at(-1));
      const record = assetByBytes(
        { id, fileName, ...(isType && { mimeType }), ...textsOf(note) },
        bytes,
      );
      yield { kind: "file", sha256: record.sha256, bytes };
      yield { kind: "assets", record };
    }
  }
}

/** V4c. */
function textsOf({ title, description }: AssetNote): { title?: string; description?: string } {
  const isText = (text: unknown): text is string => typeof text === "string" && text !== "";
  return { ...(isText(title) && { title }), ...(isText(description) && { description }) };
}

/** Undefined for what is no plain file: a link may lead out of the export. */
function plainFile(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats : undefined;
}

function namesIn(folder: string): string[] {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort(byCodeUnit);
}

/** What `assets.json` says, by `image-<hash>`; nothing when it is not there or not JSON. */
function assetNotes(path: string): ReadonlyMap<string, AssetNote> {
  if (plainFile(path) === undefined) return new Map();
  let value: JsonObject;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return new Map();
  }
  const known = Object.entries(value).filter(([, note]) => isJsonObject(note));
  return new Map(known as [string, AssetNote][]);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
