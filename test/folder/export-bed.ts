import { readFolder } from "../../src/folder/read-folder.ts";
import { writeFolder } from "../../src/folder/write-folder.ts";
import type { Store } from "../../src/store/store.ts";
import type { Asset, AssetFile } from "../../src/workspace/asset.ts";
import { entriesInOrder } from "../../src/workspace/draft.ts";
import { byCodeUnit } from "../../src/workspace/json.ts";
import { TestBed } from "../support/test-bed.ts";

/** A draft as one value: settings, records and the bytes of its assets. */
export function draftValue(store: Store, workspace?: string) {
  return store.read(() => {
    const draft = store.draft(store.workspace(workspace));
    const { models, blocks, features, projects } = draft;
    const assets = [...draft.assets.values()].sort((a, b) => byCodeUnit(a.id, b.id));
    return {
      workspace: draft.workspace,
      models,
      blocks,
      features,
      projects,
      assets,
      entries: [...entriesInOrder(draft)],
      bytes: assets.flatMap(heldHashes).map((sha256) => draft.fileBytes(sha256)),
    };
  });
}

function heldHashes({ versions = [], ...asset }: Asset): string[] {
  return [asset, ...versions].flatMap(({ sha256 }: AssetFile) => sha256 ?? []);
}

/** Exports the draft of the only workspace into a folder. */
export function exportInto(folder: string, { store }: TestBed, options?: { ndjson: boolean }) {
  return store.read(() => writeFolder(store.draft(store.workspace(undefined)), folder, options));
}

/** A folder in a store of its own. */
export function imported(folder: string): TestBed {
  const bed = new TestBed();
  bed.store.import(readFolder(folder), new Date());
  return bed;
}
