import type { Snapshot } from "../diff/snapshot.ts";
import { addressOfFilePath, filePath } from "../documents/address.ts";
import { UNVERSIONED } from "../documents/document.ts";
import { renderDocument, renderDocuments } from "../documents/documents.ts";
import { Rendering } from "../documents/rendering.ts";
import { sha256 } from "../documents/version-id.ts";
import type { Draft } from "../workspace/draft.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { PublishedWorkspace, VersionStore } from "./version-store.ts";

/** The documents of a version, as they were frozen. Use it within one transaction. */
export function versionSnapshot<W extends PublishedWorkspace>(
  { versions }: VersionStore<W>,
  { number }: W,
  versionId: string,
): Snapshot {
  const { documents } = versions.contents(number, versionId);
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const read = versions.documentReader();
  return {
    documents: new Map(documents.map(({ path, frozen }) => [path, frozen])),
    document(path) {
      const document = byPath.get(path);
      if (document === undefined) throw new TypeError(`the version has no document "${path}"`);
      return parse(read(document));
    },
  };
}

export interface DraftSnapshot extends Snapshot {
  /** Whether publishing would be refused for what the documents show (R4). */
  readonly hasErrors: boolean;
}

/** The documents that publishing the draft would freeze. Use it within one transaction. */
export function draftSnapshot(draft: Draft): DraftSnapshot {
  const rendering = new Rendering(draft);
  const documents = new Map<string, string>();
  let hasErrors = false;
  for (const { address, document } of renderDocuments(rendering, UNVERSIONED)) {
    documents.set(filePath(address), sha256(document.bytes));
    hasErrors ||= document.problems.some(({ level }) => level === "error");
  }
  return {
    documents,
    hasErrors,
    document(path) {
      const address = addressOfFilePath(path);
      const document = address && renderDocument(rendering, address, UNVERSIONED);
      if (document === undefined) throw new TypeError(`the draft has no document "${path}"`);
      return parse(document.bytes);
    },
  };
}

function parse(bytes: Uint8Array): JsonObject {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}
