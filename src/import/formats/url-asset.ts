import { assetByUrl } from "../../folder/asset-records.ts";
import { type AssetFile, type AssetText, fileNameFault } from "../../workspace/asset.ts";

/** What an export says about an asset: members of any shape. */
export interface AssetNote {
  readonly title?: unknown;
  readonly description?: unknown;
  readonly mimeType?: unknown;
  readonly size?: unknown;
  readonly width?: unknown;
  readonly height?: unknown;
}

/** An asset at an address, which is never fetched; `fileName` precedes the name in the address. */
export function urlAsset(
  { id, url, fileName }: { readonly id: string; readonly url: string; readonly fileName?: unknown },
  { size, width, height, ...note }: AssetNote = {},
): AssetFile {
  return assetByUrl({
    id,
    url,
    fileName: fittingFileName(fileName, urlFileName(url)),
    ...authored(note),
    ...(isCount(size) && { sizeBytes: size }),
    ...(isCount(width) && { width }),
    ...(isCount(height) && { height }),
  });
}

/** The texts (V4c) and the type of an asset, where they are some. */
export function authored({ title, description, mimeType }: AssetNote) {
  const isType = typeof mimeType === "string" && /^[^/\s]+\/\S+$/.test(mimeType);
  return {
    ...(isText(title) && { title }),
    ...(isText(description) && { description }),
    ...(isType && { mimeType }),
  };
}

/** A text, or with locales some (V4d). */
function isText(text: unknown): text is AssetText {
  if (typeof text !== "object" || text === null) return typeof text === "string";
  const texts = Object.values(text);
  return texts.length > 0 && texts.every((one) => typeof one === "string");
}

/** The absolute address; those of Contentful and Storyblok may have no scheme. */
export function absoluteUrl(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const url = text.startsWith("//") ? `https:${text}` : text;
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

/** The first of the given names that can be a single path segment, made one if need be. */
export function fittingFileName(...names: readonly unknown[]): string {
  for (const name of names) {
    if (typeof name !== "string") continue;
    const segment = name.toWellFormed().replace(/[/\\\p{Cc}]|^\.(?=[^.])/gu, "_");
    if (fileNameFault(segment) === undefined) return segment;
  }
  return "file";
}

function urlFileName(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
