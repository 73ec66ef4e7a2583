import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { AssetFile } from "../../workspace/asset.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { SourceItem } from "../../workspace/source.ts";
import { assetByBytes, fileFault, pathOf } from "../measure-file.ts";
import { openReading, type Reading } from "../reading.ts";

/** The files that `contentful space export --download-assets` stored: `<folder>/<host>/<path>`. */
export class AssetFiles {
  readonly #folder: string;
  readonly #reading: Reading;

  /** @throws SvcError `assets-not-found`. */
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
