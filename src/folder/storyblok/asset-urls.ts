import { sha256 } from "../../documents/version-id.ts";
import type { SourceItem } from "../../workspace/source.ts";
import { fittingFileName, urlFileName } from "../formats/file-name.ts";
import { assetByUrl } from "../measure-file.ts";

/** The absolute address of a file; Storyblok's may have no scheme. */
export function assetUrlOf(filename: string): string | undefined {
  const url = filename.startsWith("//") ? `https:${filename}` : filename;
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

export function assetIdOf(url: string): string {
  return `asset-${sha256(Buffer.from(url)).slice(0, 16)}`;
}

/** An asset by its address, which is never fetched; Storyblok's has the size of an image. */
export function assetItem(url: string): SourceItem {
  const [, width, height] = /^https:\/\/[^/]+\/f\/\d+\/(\d+)x(\d+)\//.exec(url) ?? [];
  const isKnown = Number(width) > 0 && Number(height) > 0;
  const size = isKnown ? { width: Number(width), height: Number(height) } : {};
  const fileName = fittingFileName(urlFileName(url));
  return { kind: "assets", record: assetByUrl({ id: assetIdOf(url), url, fileName, ...size }) };
}
