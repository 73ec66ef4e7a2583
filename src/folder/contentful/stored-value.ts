import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import type { ContentTypeField } from "./export-file.ts";

/** Maps ids of the export to those of the workspace. */
export interface Ids {
  entry(id: string): string;
  asset(id: string): string;
}

/** Converts a value. One that does not fit the field's type stays unchanged, and is a problem (P2). */
export function storedValue(field: ContentTypeField, value: JsonValue, ids: Ids): JsonValue {
  if (field.type !== "Array") return storedOne(field.linkType, value, ids);
  if (!Array.isArray(value)) return value;
  return value.map((element) => storedOne(field.items?.linkType, element, ids));
}

function storedOne(linkType: string | undefined, value: JsonValue, ids: Ids): JsonValue {
  const link = linkOf(value);
  if (link === undefined || link.linkType !== linkType) return value;
  if (linkType === "Entry") return { contentEntryId: ids.entry(link.id) };
  return linkType === "Asset" ? { assetId: ids.asset(link.id) } : value;
}

function linkOf(value: JsonValue): { id: string; linkType: string } | undefined {
  const sys = isJsonObject(value) ? value.sys : undefined;
  if (!isJsonObject(sys) || sys.type !== "Link") return undefined;
  const { id, linkType } = sys;
  return typeof id === "string" && typeof linkType === "string" ? { id, linkType } : undefined;
}
