import { type AssetFile, type AssetText, assetUrl } from "../workspace/asset.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { ProblemArguments } from "../workspace/problem.ts";
import type { FieldType } from "./field-type.ts";
import type { Renderer } from "./renderer.ts";

export interface StoredAsset extends JsonObject {
  readonly assetId: string;
  readonly versionId?: string;
}

export function isStoredAsset(value: JsonValue): value is StoredAsset {
  if (!isJsonObject(value) || typeof ownMember(value, "assetId") !== "string") return false;
  const versionId = ownMember(value, "versionId");
  return versionId === undefined || typeof versionId === "string";
}

/** V4, V4c, V4d. */
export const asset: FieldType<FieldDefinition, StoredAsset> = {
  name: "asset",
  options: {},
  shape: "asset",
  hasShape: isStoredAsset,
  render(_field, stored, renderer) {
    const { assetId, versionId } = stored;
    const file = renderer.asset(stored);
    if (file === undefined) {
      renderer.report("asset-missing", named(stored));
      return { id: assetId, ...(versionId !== undefined && { versionId }) };
    }
    const { assetTexts } = renderer.lookup.draft.workspace;
    const textIn = (text: AssetText | undefined) =>
      typeof text === "object"
        ? renderer.language.map((one) => ownMember(text, one)).find((one) => one !== undefined)
        : text;
    const [title, description] = assetTexts ? [textIn(file.title), textIn(file.description)] : [];
    const isImage = file.mimeType.startsWith("image/");
    return {
      ...(description !== undefined && { description }),
      fileName: file.fileName,
      height: isImage ? file.height : null,
      id: assetId,
      mimeType: file.mimeType,
      sizeBytes: file.sizeBytes,
      ...(title !== undefined && { title }),
      url: renderedUrl(file, renderer),
      width: isImage ? file.width : null,
    };
  },
  schema: (_field, { workspace, shared }) =>
    shared.ref("asset", () => ({
      anyOf: [workspace?.assetTexts ? WITH_TEXTS : RESOLVED, MISSING],
    })),
  storedSchema: () => STORED_ASSET,
};

/** As problems name it. */
function named({ assetId, versionId }: StoredAsset) {
  return { asset: assetId, ...(versionId !== undefined && { version: versionId }) };
}

const STORED_ASSET = {
  type: "object",
  properties: { assetId: { $ref: "#/$defs/assetId" }, versionId: { type: "string" } },
  required: ["assetId"],
  additionalProperties: false,
};

/** V4b. */
function renderedUrl({ sha256, fileName, sizeBytes, url }: AssetFile, renderer: Renderer): string {
  if (sha256 === undefined) return url ?? "";
  const held = { sha256, fileName, sizeBytes };
  renderer.publishFile(held);
  return assetUrl(renderer.lookup.draft.workspace.assetBaseUrl ?? "", held);
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

/** V4c. */
const WITH_TEXTS = {
  ...RESOLVED,
  properties: {
    ...RESOLVED.properties,
    title: { type: "string" },
    description: { type: "string" },
  },
};

const MISSING = {
  type: "object",
  properties: { id: { type: "string" }, versionId: { type: "string" } },
  required: ["id"],
  additionalProperties: false,
};

/** V5: the text of the file, inlined so that readers need no second request. */
export const htmlAsset: FieldType<FieldDefinition, StoredAsset> = {
  name: "html-asset",
  options: {},
  shape: "asset",
  hasShape: isStoredAsset,
  render(_field, stored, renderer) {
    const { assetId: id } = stored;
    const result = readHtml(stored, renderer);
    if ("content" in result) return { content: result.content, id };
    renderer.report("html-unreadable", { ...named(stored), reason: result.unreadable });
    return { content: null, id };
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
