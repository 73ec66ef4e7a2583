import { SvcError } from "../workspace/errors.ts";
import { IN_PLACE_MANIFEST } from "./in-place/in-place-manifest.ts";
import type { ObjectStore } from "./object-store.ts";
import { RELEASES } from "./releases/keys.ts";

// A target is deployed to in one mode only: each mode would remove the other's assets.

/** @throws SvcError `target-in-place`. */
export async function assertNotInPlace(objects: ObjectStore): Promise<void> {
  if ((await objects.head(IN_PLACE_MANIFEST)) === undefined) return;
  throw new SvcError("target-in-place", `${objects.name} is deployed to in place`, {
    hint: "deploy releases to another bucket or prefix; or leave out --kvs",
  });
}

/** @throws SvcError `target-has-releases`. */
export async function assertNoReleases(objects: ObjectStore): Promise<void> {
  for await (const _folder of objects.folders(RELEASES)) {
    throw new SvcError("target-has-releases", `${objects.name} has releases`, {
      hint: "name their KeyValueStore with --kvs, or deploy in place to another bucket or prefix",
    });
  }
}
