import type { FieldDefinition } from "../workspace/field.ts";
import type { ProblemArguments } from "../workspace/problem.ts";
import { isStoredAsset, STORED_ASSET, type StoredAsset } from "./asset.ts";
import type { FieldType } from "./field-type.ts";
import type { Renderer } from "./renderer.ts";

/** V5: the text of the file, inlined so that readers need no second request. */
export const htmlAsset: FieldType<FieldDefinition, StoredAsset> = {
  name: "html-asset",
  options: {},
  shape: "asset",
  hasShape: isStoredAsset,
  render(_field, stored, renderer) {
    const { assetId, versionId } = stored;
    const result = readHtml(stored, renderer);
    if ("content" in result) return { content: result.content, id: assetId };
    const version = versionId !== undefined && { version: versionId };
    renderer.report("html-unreadable", { asset: assetId, ...version, reason: result.unreadable });
    return { content: null, id: assetId };
  },
  schema: () => ({
    type: "object",
    properties: { id: { type: "string" }, content: { type: ["string", "null"] } },
    required: ["content", "id"],
    additionalProperties: false,
  }),
  storedSchema: () => STORED_ASSET,
};

function readHtml(
  stored: StoredAsset,
  renderer: Renderer,
): { content: string } | { unreadable: ProblemArguments["html-unreadable"]["reason"] } {
  const file = renderer.asset(stored);
  if (file === undefined) return { unreadable: "missing" };
  const bytes = file.sha256 && renderer.lookup.draft.fileBytes(file.sha256);
  if (!bytes) return { unreadable: "not-stored" };
  try {
    // A byte order mark is part of the text.
    return { content: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { unreadable: "not-utf-8" };
  }
}
