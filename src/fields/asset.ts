import { type AssetFile, assetUrl } from "../workspace/asset.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { FieldType } from "./field-type.ts";

export interface StoredAsset extends JsonObject {
  readonly assetId: string;
  readonly versionId?: string;
}

export function isStoredAsset(value: JsonValue): value is StoredAsset {
  if (!isJsonObject(value) || typeof ownMember(value, "assetId") !== "string") return false;
  const versionId = ownMember(value, "versionId");
  return versionId === undefined || typeof versionId === "string";
}

/** V4. */
export const asset: FieldType<FieldDefinition, StoredAsset> = {
  name: "asset",
  options: {},
  shape: 'an object { "assetId", "versionId"? } of strings',
  hasShape: isStoredAsset,
  serve(_field, { assetId, versionId }, serving) {
    const file = serving.asset(assetId, versionId);
    if (file === undefined) return { id: assetId, ...(versionId !== undefined && { versionId }) };
    const isImage = file.mimeType.startsWith("image/");
    return {
      id: assetId,
      url: servedUrl(file, serving.lookup.draft.workspace.assetBaseUrl ?? "", serving),
      mimeType: file.mimeType,
      sizeBytes: file.sizeBytes,
      fileName: file.fileName,
      width: isImage ? file.width : null,
      height: isImage ? file.height : null,
    };
  },
  schema: () => ({ anyOf: [RESOLVED, MISSING] }),
};

function servedUrl(
  file: AssetFile,
  assetBaseUrl: string,
  serving: { publishFile(file: { sha256: string; fileName: string }): void },
): string {
  if (file.sha256 === undefined) return file.url ?? "";
  const held = { sha256: file.sha256, fileName: file.fileName };
  serving.publishFile(held);
  return assetUrl(assetBaseUrl, held);
}

const RESOLVED = {
  type: "object",
  properties: {
    id: { type: "string" },
    url: { type: "string" },
    mimeType: { type: "string" },
    sizeBytes: { type: ["integer", "null"] },
    fileName: { type: "string" },
    width: { type: ["integer", "null"] },
    height: { type: ["integer", "null"] },
  },
  required: ["fileName", "height", "id", "mimeType", "sizeBytes", "url", "width"],
  additionalProperties: false,
};

const MISSING = {
  type: "object",
  properties: { id: { type: "string" }, versionId: { type: "string" } },
  required: ["id"],
  additionalProperties: false,
};
