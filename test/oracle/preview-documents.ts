import { urlPath } from "../../src/documents/address.ts";
import { documents } from "../../src/documents/documents.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { openStore } from "../../src/store/store.ts";

/** What preview answers at an address: the body, and the header X-Svc-Problems. */
export interface PreviewedDocument {
  readonly bytes: Uint8Array;
  readonly problems: number;
}

/**
 * Every document of a workspace folder as `svc preview` serves it, by the path of its URL. This is
 * the one place of the oracle that knows modules of the core: a new core rewrites it, and nothing
 * else here.
 *
 * @param beside the folder of another workspace of the store.
 * @param at the reading of the clock, in milliseconds since 1970.
 */
export function previewDocuments(
  folder: string,
  beside: string | undefined,
  at: number,
): Map<string, PreviewedDocument> {
  const store = openStore(":memory:", { create: true });
  try {
    if (beside !== undefined) store.import(readFolder(beside), new Date(at));
    const { workspaceId } = store.import(readFolder(folder), new Date(at));
    return store.read(() => {
      const renderings = new DraftRenderings(store, () => at);
      const rendering = renderings.of(store.workspace(workspaceId));
      return new Map(
        Array.from(documents(rendering, "preview"), (document) => [
          urlPath(document.address),
          { bytes: document.bytes(null), problems: document.problems.length },
        ]),
      );
    });
  } finally {
    store.close();
  }
}
