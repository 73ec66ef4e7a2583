import { publishedRendering } from "../../../src/publish/draft-source.ts";
import { FolderSource } from "../../../src/publish/folder-source.ts";
import { StoreSource } from "../../../src/publish/store-source.ts";
import { renderVersion, snapshotOf, storedVersion } from "../../../src/publish/version.ts";
import type { Store } from "../../../src/store/store.ts";
import { draftOf } from "../documents/rendered.ts";
import type { Parts } from "../test-bed.ts";

/** The draft of a workspace of a store; default: of its only one. */
export function inStore(store: Store, workspaceId?: string) {
  return new StoreSource(store, store.workspace(workspaceId));
}

/** The same workspace as a folder has it. */
export function inFolder(parts: Parts) {
  return new FolderSource(draftOf(parts));
}

/** The documents that publishing the draft would freeze. Use it within one transaction. */
export function draftSnapshot(store: Store, workspaceId?: string, at?: number) {
  const draft = store.draft(store.workspace(workspaceId));
  return snapshotOf(renderVersion(publishedRendering(draft, { at }), undefined));
}

/** The documents of a version. Use it within one transaction. */
export function versionSnapshot(store: Store, workspaceId: string | undefined, versionId: string) {
  return snapshotOf(storedVersion(store, store.workspace(workspaceId), versionId));
}
