import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { CliBed } from "../support/cli.ts";
import { type Parts, source } from "../support/test-bed.ts";

/** A bed in which these workspaces were published one after another; the last is only the draft. */
export function bedOf(...states: readonly [...Parts[], Parts]): {
  bed: CliBed;
  versions: string[];
} {
  const bed = new CliBed();
  const store = openStore(bed.path("workspace.db"), { create: true });
  const versions = states.map((parts, index) => {
    store.import(source(parts), new Date());
    if (index === states.length - 1) return "";
    const how = { strict: false, keep: 20, now: new Date(), onProgress: () => {} };
    return publish(store, store.workspace("w"), bed.path("out"), how).versionId;
  });
  store.close();
  return { bed, versions: versions.slice(0, -1) };
}
