import { valueIn } from "../../fields/localized.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { SourceItem } from "../../workspace/source.ts";
import { assetByUrl, fileNameFault } from "../measure-file.ts";
import type { Resource } from "./export-file.ts";
import type { Locales } from "./locales.ts";
import type { Values } from "./values.ts";

/** An asset with its url, which is never fetched; undefined when it has no processed file. */
export function assetItem(
  asset: Resource,
  id: string,
  { locales, values }: { readonly locales: Locales; readonly values: Values },
): Extract<SourceItem, { kind: "assets" }> | undefined {
  const file = fileOf(asset, locales);
  const url = absolute(file?.url);
  if (file === undefined || url === undefined) return undefined;
  const details: JsonObject = isJsonObject(file.details) ? file.details : {};
  const image: JsonObject = isJsonObject(details.image) ? details.image : {};
  const { contentType } = file;
  const isType = typeof contentType === "string" && /^[^/\s]+\/\S+$/.test(contentType);
  const record = assetByUrl({
    ...{ id, url, fileName: fileName(file.fileName, url) },
    ...text("title", values.of(asset, TITLE)),
    ...text("description", values.of(asset, DESCRIPTION)),
    ...(isType && { mimeType: contentType }),
    ...count("sizeBytes", details.size),
    ...count("width", image.width),
    ...count("height", image.height),
  });
  return { kind: "assets", record };
}

const TITLE = { id: "title", localized: true };
const DESCRIPTION = { id: "description", localized: true };

function text(member: string, value: JsonValue | undefined) {
  return typeof value === "string" && value !== "" ? { [member]: value } : {};
}

/** The processed file in the locale, its fallbacks, or else any other locale. */
function fileOf({ fields }: Resource, { chain, main }: Locales): JsonObject | undefined {
  const files = fields?.file ?? {};
  return [...chain, main, ...Object.keys(files)]
    .map((code) => valueIn(files, [code])?.value)
    .filter((file) => isJsonObject(file))
    .find(({ url }) => absolute(url) !== undefined);
}

/** The absolute URL; Contentful's have no scheme. */
function absolute(url: JsonValue | undefined): string | undefined {
  if (typeof url !== "string") return undefined;
  const withScheme = url.startsWith("//") ? `https:${url}` : url;
  return /^https?:\/\//i.test(withScheme) && URL.canParse(withScheme) ? withScheme : undefined;
}

/** The given file name or the URL's last segment, as a single path segment. */
function fileName(given: JsonValue | undefined, url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  for (const name of [given, decoded(last), last]) {
    if (typeof name !== "string") continue;
    const segment = name.toWellFormed().replace(/[/\\\p{Cc}]/gu, "_");
    if (fileNameFault(segment) === undefined) return segment;
  }
  return "file";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function count(member: string, value: JsonValue | undefined) {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? { [member]: value } : {};
}
