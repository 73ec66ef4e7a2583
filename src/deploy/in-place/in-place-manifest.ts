import { canonicalJson } from "../../documents/canonical-json.ts";
import type { Headers } from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import type { FileFact } from "../published-folder.ts";
import type { RunningProcess } from "./running-process.ts";

/** The key of the object that says what svc has put into a bucket. */
export const IN_PLACE_MANIFEST = ".svc-deploy.json";

/** An object that svc put there. */
export interface InPlaceObject extends FileFact {
  readonly headers: Headers;
  /** The workspaces that show it, sorted; none for what belongs to all. */
  readonly owners: readonly string[];
}

/** A deploy that has begun to write, and has not said that it is done. */
export interface Claim {
  readonly deploy: string;
  readonly by: RunningProcess;
  /** Counts on while it runs, so that others see that it does. */
  readonly beat: number;
  /** It was stopped in an orderly way: nobody need wait for it. */
  readonly isStopped: boolean;
  /** The workspaces that it deploys. */
  readonly workspaces: readonly string[];
  /** The keys that it may have written or removed. */
  readonly touches: readonly string[];
}

/** An invalidation that CloudFront has not accepted yet. */
export interface PendingInvalidation {
  readonly distribution: string;
  readonly reference: string;
  readonly paths: readonly string[];
}

export interface InPlaceManifest {
  readonly formatVersion: 1;
  /** Version ids, by workspace. */
  readonly workspaces: Readonly<Record<string, string>>;
  readonly objects: Readonly<Record<string, InPlaceObject>>;
  readonly invalidations: readonly PendingInvalidation[];
  /** Keys that deploys which never ended may have written, each with the workspaces that they deployed. */
  readonly unsure: Readonly<Record<string, readonly string[]>>;
  readonly claim?: Claim;
}

export const EMPTY: InPlaceManifest = {
  formatVersion: 1,
  workspaces: {},
  objects: {},
  invalidations: [],
  unsure: {},
};

/** What is unsure, the claim of a deploy that never ended included. */
export function unsureOf({ unsure, claim }: InPlaceManifest): InPlaceManifest["unsure"] {
  if (claim === undefined) return unsure;
  const merged = new Map(Object.entries(unsure));
  for (const key of claim.touches) {
    merged.set(key, [...new Set([...(merged.get(key) ?? []), ...claim.workspaces])].sort());
  }
  return Object.fromEntries(merged);
}

export function inPlaceManifestText(manifest: InPlaceManifest): string {
  return `${canonicalJson(manifest as unknown as JsonValue)}\n`;
}

/**
 * @param where names the object, for messages.
 * @throws SvcError `deploy-manifest-invalid`.
 */
export function parseInPlaceManifest(text: string, where: string): InPlaceManifest {
  const manifest = parsed(text);
  if (
    isJsonObject(manifest) &&
    manifest.formatVersion === 1 &&
    isJsonObject(manifest.workspaces) &&
    isJsonObject(manifest.objects) &&
    isJsonObject(manifest.unsure) &&
    Array.isArray(manifest.invalidations) &&
    (manifest.claim === undefined || isClaim(manifest.claim))
  ) {
    return manifest as unknown as InPlaceManifest;
  }
  throw new SvcError("deploy-manifest-invalid", `${where} is not a manifest of svc deploy`, {
    hint: "a newer svc may have written it; else remove it and deploy with --overwrite",
  });
}

function isClaim(claim: JsonValue): boolean {
  return (
    isJsonObject(claim) &&
    isJsonObject(claim.by) &&
    Array.isArray(claim.workspaces) &&
    Array.isArray(claim.touches)
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
