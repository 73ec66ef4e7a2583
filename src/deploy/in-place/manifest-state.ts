import { UNCACHED_JSON } from "../object-headers.ts";
import type { ObjectStore } from "../object-store.ts";
import { textBody } from "../published-folder.ts";
import {
  EMPTY,
  IN_PLACE_MANIFEST,
  type InPlaceManifest,
  inPlaceManifestText,
  parseInPlaceManifest,
  withUnsure,
} from "./in-place-manifest.ts";

/** A bucket's manifest and its ETag; undefined when it does not exist. */
export interface ManifestState {
  readonly manifest: InPlaceManifest;
  readonly etag: string | undefined;
}

/** @throws SvcError `deploy-manifest-invalid`. */
export async function readManifestState(objects: ObjectStore): Promise<ManifestState> {
  const stored = await objects.get(IN_PLACE_MANIFEST);
  if (stored === undefined) return { manifest: EMPTY, etag: undefined };
  const where = `${objects.name}/${IN_PLACE_MANIFEST}`;
  return { manifest: parseInPlaceManifest(stored.bytes.toString(), where), etag: stored.etag };
}

/** Attempts to change a manifest that others change too. */
export const ATTEMPTS = 5;

/**
 * Adds keys to the manifest that a deploy without a lease may have written, for the next deploy to
 * check. The deploy that has the lease keeps them.
 */
export async function reportLateWrites(
  objects: ObjectStore,
  keys: readonly string[],
  workspaces: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { manifest, etag } = await readManifestState(objects);
    if (etag === undefined) return;
    const added = keys.map((key) => [key, workspaces] as const);
    const reported = { ...manifest, late: withUnsure(manifest.late ?? {}, added) };
    const body = textBody(inPlaceManifestText(reported));
    if (await objects.put(IN_PLACE_MANIFEST, body, UNCACHED_JSON, { ifMatch: etag })) return;
  }
}
