import type { Store } from "../../src/store/store.ts";
import type { Asset, AssetFile } from "../../src/workspace/asset.ts";
import { entriesInOrder } from "../../src/workspace/draft.ts";
import { byCodeUnit } from "../../src/workspace/json.ts";

/** A draft as one value: settings, records and the bytes of its assets. */
export function draftValue(store: Store, workspace?: string) {
  return store.read(() => {
    const draft = store.draft(store.workspace(workspace));
    const { models, blocks, features, projects } = draft;
    const assets = [...draft.assets.values()].sort((a, b) => byCodeUnit(a.id, b.id));
    return {
      ...{ workspace: draft.workspace, models, blocks, features, projects, assets },
      entries: [...entriesInOrder(draft)],
      bytes: assets.flatMap(heldHashes).map((sha256) => draft.fileBytes(sha256)),
    };
  });
}

function heldHashes({ versions = [], ...asset }: Asset): string[] {
  return [asset, ...versions].flatMap(({ sha256 }: AssetFile) => sha256 ?? []);
}
