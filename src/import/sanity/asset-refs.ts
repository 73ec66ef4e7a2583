import { toId } from "../../documents/to-id.ts";
import { sha256 } from "../../documents/version-id.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";

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

/** What a value and all in it say about assets. */
export function assetRefsIn(value: JsonValue): string[] {
  if (typeof value !== "object" || value === null) return [];
  const ref = isJsonObject(value) ? assetRefOf(value) : undefined;
  return [...(ref === undefined ? [] : [ref]), ...Object.values(value).flatMap(assetRefsIn)];
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

/** The file or the address in such a text. */
export function placeOf(ref: string): AssetPlace & { kind: string } {
  const [, kind = "image", place = ""] = /^(image|file)@(.*)$/s.exec(ref) ?? [];
  const [, file] = /^file:\/\/(?:\.?\/)?((?:images|files)\/[^/\\]+)$/.exec(place) ?? [];
  if (file !== undefined) return { kind, file };
  if (/^https?:\/\//i.test(place) && URL.canParse(place)) return { kind, url: place };
  return { kind };
}
