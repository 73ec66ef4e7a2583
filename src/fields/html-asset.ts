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
  serve(_field, stored, serving) {
    const result = readHtml(stored, serving);
    if ("content" in result) return { content: result.content, id: stored.assetId };
    const args = { asset: stored.assetId, reason: result.unreadable };
    serving.report({ code: "html-unreadable", args });
    return { content: null, id: stored.assetId };
  },
  schema: () => ({
    type: "object",
    properties: { id: { type: "string" }, content: { type: ["string", "null"] } },
    required: ["content", "id"],
    additionalProperties: false,
  }),
};

function readHtml(
  stored: StoredAsset,
  serving: Serving,
): { content: string } | { unreadable: string } {
  const file = serving.asset(stored);
  if (file === undefined) {
    const which = stored.versionId === undefined ? "asset" : `version "${stored.versionId}"`;
    return { unreadable: `there is no such ${which} (deleted?)` };
  }
  const bytes = file.sha256 && serving.lookup.draft.fileBytes(file.sha256);
  if (!bytes) return { unreadable: "it is given by url, so the store does not hold its bytes" };
  try {
    // Byte for byte: a byte order mark is part of the text.
    return { content: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { unreadable: "it is not valid UTF-8" };
  }
}
