import type { AssetFile } from "../workspace/asset.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isStoredAsset, type StoredAsset } from "./asset.ts";
import type { FieldType } from "./field-type.ts";
import type { Serving } from "./serving.ts";

/** V5: the file's text inlined, so that a reader needs no second request. */
export const htmlAsset: FieldType<FieldDefinition, StoredAsset> = {
  name: "html-asset",
  options: {},
  shape: 'an object { "assetId", "versionId"? } of strings',
  hasShape: isStoredAsset,
  serve(_field, { assetId, versionId }, serving) {
    const file = serving.asset(assetId, versionId);
    return { id: assetId, content: file === undefined ? null : content(file, assetId, serving) };
  },
  schema: () => ({
    type: "object",
    properties: { id: { type: "string" }, content: { type: ["string", "null"] } },
    required: ["content", "id"],
    additionalProperties: false,
  }),
};

function content(file: AssetFile, asset: string, serving: Serving): string | null {
  const bytes = file.sha256 && serving.lookup.draft.fileBytes(file.sha256);
  if (!bytes) {
    const reason = "the store does not hold its bytes (give the asset a file, not a url)";
    serving.report({ code: "html-unreadable", args: { asset, reason } });
    return null;
  }
  try {
    // Byte for byte: a byte order mark is part of the text.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    serving.report({ code: "html-unreadable", args: { asset, reason: "it is not valid UTF-8" } });
    return null;
  }
}
