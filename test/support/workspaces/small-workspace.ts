import { createHash } from "node:crypto";
import type { Asset } from "../../../src/workspace/asset.ts";
import type { Entry, Model, Project } from "../../../src/workspace/records.ts";
import type { Parts } from "../test-bed.ts";

/** A model `page` with a title, a picture and a next page. */
export const PAGE_MODEL: Model = {
  id: "m-page",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", type: "text", required: true },
    { key: "picture", type: "asset" },
    { key: "next", type: "reference" },
  ],
};

export function page(id: string, title: string, more: Entry["data"] = {}): Entry {
  return { id, modelId: "m-page", data: { title, ...more } };
}

/** A project with one step and one experience for each of the entries, named after them. */
export function projectOf(id: string, ...entryIds: readonly string[]): Project {
  return {
    id,
    name: `Project ${id}`,
    steps: entryIds.map((entryId) => ({
      id: `step-${entryId}`,
      key: `step-${entryId}`,
      name: `Step ${entryId}`,
      layoutName: "page",
      layoutContentId: entryId,
    })),
    experiences: entryIds.map((entryId) => ({
      id: entryId,
      key: entryId,
      name: `Experience ${entryId}`,
      stepIds: [`step-${entryId}`],
    })),
  };
}

/** A workspace with one page, which the experience `home` of the project `site` shows. */
export function smallWorkspace(changes: Parts = {}): Parts {
  return {
    models: [PAGE_MODEL],
    projects: [projectOf("site", "home")],
    entries: [page("home", "Home")],
    ...changes,
  };
}

/** Text or bytes as an asset whose bytes the store holds, and the path at which it is published. */
export function heldAsset(
  id: string,
  fileName: string,
  content: string | Uint8Array,
  mimeType = "image/png",
) {
  const bytes = Buffer.from(content as string);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const pixels = mimeType.startsWith("image/") ? 1 : null;
  const size = { sizeBytes: bytes.byteLength, width: pixels, height: pixels };
  const asset: Asset = { id, fileName, mimeType, ...size, sha256 };
  const file: [string, Uint8Array] = [sha256, bytes];
  return { asset, file, path: `assets/${sha256.slice(0, 16)}/${fileName}` };
}
