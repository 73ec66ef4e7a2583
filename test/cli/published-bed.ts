import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { CliBed } from "../support/cli-bed.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { titled } from "../support/publish/published-versions.ts";
import { newStore } from "../support/store/new-store.ts";
import { type Parts, source } from "../support/test-bed.ts";

type BedWithVersions = { bed: CliBed; versions: string[] };

/** A bed in whose store these drafts were published to `out/`, one after another. */
export function publishedBed(...drafts: readonly (string | Parts)[]): BedWithVersions {
  const bed = new CliBed();
  const store = newStore(bed.path("workspace.db"));
  const versions = drafts.map((draft) => {
    const parts = typeof draft === "string" ? titled(draft) : draft;
    store.import(source(parts), new Date());
    const how = { strict: false, keep: 100, now: new Date(), onProgress: () => {} };
    return publish(inStore(store, parts.id ?? "w"), bed.path("out"), how).versionId;
  });
  store.close();
  return { bed, versions };
}

/** As `publishedBed`, but the last workspace is only imported, as the draft. */
export function draftBed(...states: readonly [...Parts[], Parts]): BedWithVersions {
  const published = publishedBed(...states.slice(0, -1));
  const store = openStore(published.bed.path("workspace.db"));
  store.import(source(states.at(-1) as Parts), new Date());
  store.close();
  return published;
}
