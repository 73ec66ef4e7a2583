import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Ids } from "../formats/found.ts";
import type { ContentTypeField } from "./export-files.ts";

interface Link {
  readonly id: string;
  readonly linkType: string;
}

/** Converts a value. One that does not fit the field's type stays unchanged, and is a problem (P2). */
export function storedValue(field: ContentTypeField, value: JsonValue, ids: Ids): JsonValue {
  if (field.type === "RichText") return storedRichText(value, ids);
  if (field.type !== "Array") return storedOne(field.linkType, value, ids);
  if (!Array.isArray(value)) return value;
  return value.map((element) => storedOne(field.items?.linkType, element, ids));
}

function storedOne(linkType: string | undefined, value: JsonValue, ids: Ids): JsonValue {
  const link = linkOf(value);
  if (link === undefined || link.linkType !== linkType) return value;
  return pointerTo(link, ids) ?? value;
}

/** A text with pointers in place of links to entries and assets, wherever they are (V11). */
function storedRichText(value: JsonValue, ids: Ids): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => storedRichText(one, ids));
  if (!isJsonObject(value)) return value;
  const link = linkOf(value);
  const pointer = link && pointerTo(link, ids);
  if (pointer !== undefined) return pointer;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, storedRichText(one, ids)]),
  );
}

/** The stored form of a pointer; undefined for a link to something else. */
function pointerTo({ linkType, id }: Link, ids: Ids): JsonObject | undefined {
  if (linkType === "Entry") return { contentEntryId: ids.entry(id) };
  return linkType === "Asset" ? { assetId: ids.asset(id) } : undefined;
}

function linkOf(value: JsonValue): Link | undefined {
  const sys = isJsonObject(value) ? value.sys : undefined;
  if (!isJsonObject(sys) || sys.type !== "Link") return undefined;
  const { id, linkType } = sys;
  return typeof id === "string" && typeof linkType === "string" ? { id, linkType } : undefined;
}

/** The number of links to other spaces, which are served as they are. */
export function countResourceLinks(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  const { sys } = value as JsonObject;
  const own = isJsonObject(sys) && sys.type === "ResourceLink" ? 1 : 0;
  return Object.values(value as JsonObject).reduce<number>(
    (sum, one) => sum + countResourceLinks(one),
    own,
  );
}
