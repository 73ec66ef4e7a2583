import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { CliBed } from "../support/cli.ts";
import { titled } from "../support/publish/releases.ts";
import { type Parts, source } from "../support/test-bed.ts";

/** A bed in whose store these drafts were published to `out/`, one after another. */
export function releasedBed(...drafts: readonly (string | Parts)[]): {
  bed: CliBed;
  ids: string[];
} {
  const bed = new CliBed();
  const store = openStore(bed.path("workspace.db"), { create: true });
  const ids = drafts.map((draft) => {
    const parts = typeof draft === "string" ? titled(draft) : draft;
    store.import(source(parts), new Date());
    const how = { strict: false, keep: 100, now: new Date(), onProgress: () => {} };
    return publish(store, store.workspace(parts.id ?? "w"), bed.path("out"), how).versionId;
  });
  store.close();
  return { bed, ids };
}
