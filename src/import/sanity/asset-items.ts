import { lstatSync, readFileSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import { assetByBytes, fileFault, MAXIMUM_SIZE } from "../../folder/asset-records.ts";
import { openReading, type Reading } from "../../folder/reading.ts";
import { isJsonObject, parsedJson } from "../../workspace/json.ts";
import type { SourceItem } from "../../workspace/source.ts";
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
import { assetIdOf, placeOf } from "./asset-refs.ts";
import type { Dataset } from "./dataset.ts";

interface SanityNote extends AssetNote {
  readonly originalFilename?: string;
  readonly metadata?: {
    readonly dimensions?: { readonly width?: number; readonly height?: number };
  };
}

const LOST = ["altText", "label", "creditLine", "source", "opt"];

const NO_FILE = "without a file and a url";
const NOT_SHOWN = "that only documents show that are left out";

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
  /** X26b. */
  readonly #notShown: ReadonlySet<string>;

  /** @param refs what the documents say about their assets. */
  constructor({ folder, assets, refsLeftOut }: Dataset, refs: Iterable<string>, notes: Notes) {
    this.#folder = folder;
    this.#reading = openReading(folder);
    this.#notes = notes;
    const shown = new Set(Array.from(refs, assetIdOf));
    this.#notShown = new Set(refsLeftOut.map(assetIdOf).filter((id) => !shown.has(id)));
    const known = assetNotes(join(folder, "assets.json"), notes);
    const files = ["images", "files"].flatMap((kind) =>
      namesIn(join(folder, kind)).map((name) => `${kind.slice(0, -1)}@file://./${kind}/${name}`),
    );
    for (const document of assets) {
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
    if (this.#notShown.has(id)) this.#leaveOut(source, NOT_SHOWN);
    else if (size !== undefined && size > MAXIMUM_SIZE)
      this.#leaveOut(source, "of more than 512 MiB");
    else if (!isOfExport) this.#leaveOut(source, "whose file is not in the export");
    else {
      for (const name of LOST) {
        if (Object.hasOwn(note, name)) this.#notes.leaveOut(`${name} of assets`);
      }
      this.#assets.set(id, { ...asset, note: withoutEmpty(note) });
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

function withoutEmpty(note: SanityNote): SanityNote {
  return Object.fromEntries(Object.entries(note).filter(([, value]) => value !== ""));
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

/** What `assets.json` says, by `image-<hash>`. */
function assetNotes(path: string, notes: Notes): ReadonlyMap<string, SanityNote> {
  if (plainFile(path) === undefined) return new Map();
  const value = parsedJson(readFileSync(path, "utf8"));
  if (value === undefined) {
    notes.warn(`"${path}" is not JSON: names and texts of assets are left out`);
    return new Map();
  }
  const known = Object.entries(value ?? {}).filter(([, note]) => isJsonObject(note));
  return new Map(known as [string, SanityNote][]);
}
