import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";

/** Maps ids of the export to those of the workspace. */
export interface Ids {
  entry(id: string): string;
  asset(id: string): string;
}

interface Link {
  readonly id: string;
  readonly linkType: string;
}

/** The stored form of a pointer; undefined for a link to something else. */
export function pointerTo({ linkType, id }: Link, ids: Ids): JsonObject | undefined {
  if (linkType === "Entry") return { contentEntryId: ids.entry(id) };
  return linkType === "Asset" ? { assetId: ids.asset(id) } : undefined;
}

export function linkOf(value: JsonValue): Link | undefined {
  const sys = isJsonObject(value) ? value.sys : undefined;
  if (!isJsonObject(sys) || sys.type !== "Link") return undefined;
  const { id, linkType } = sys;
  return typeof id === "string" && typeof linkType === "string" ? { id, linkType } : undefined;
}
