import { canonicalJson } from "../../documents/canonical-json.ts";
import type { FileFact } from "../../documents/version-id.ts";
import type { Headers } from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import type { RunningProcess } from "./running-process.ts";

/** The key of the manifest of all objects that svc has put into a bucket. */
export const IN_PLACE_MANIFEST = ".svc-deploy.json";

export interface InPlaceObject extends FileFact {
  readonly headers: Headers;
  /** The workspaces that use it, sorted; empty for files shared by all. */
  readonly owners: readonly string[];
  /** As the store returned it; absent where an earlier svc has put the object. */
  readonly etag?: string;
}

/** The lease of a deploy that has started to write and has not finished. */
export interface LeaseRecord {
  readonly deploy: string;
  readonly by: RunningProcess;
  /** Incremented by each heartbeat. */
  readonly beat: number;
  /** The deploy stopped before it finished: others need not wait. */
  readonly isStopped: boolean;
  /** The workspaces that it deploys. */
  readonly workspaces: readonly string[];
  /** The keys that it may write or remove. */
  readonly touches: readonly string[];
}

/** An invalidation that CloudFront has not accepted yet. */
export interface PendingInvalidation {
  readonly distribution: string;
  readonly reference: string;
  readonly paths: readonly string[];
}

/** Workspaces, by key. */
export type Unsure = Readonly<Record<string, readonly string[]>>;

export interface InPlaceManifest {
  readonly formatVersion: 1;
  /** Version ids, by workspace. */
  readonly workspaces: Readonly<Record<string, string>>;
  readonly objects: Readonly<Record<string, InPlaceObject>>;
  readonly invalidations: readonly PendingInvalidation[];
  /** Keys that unfinished deploys may have written, with the workspaces of these deploys. */
  readonly unsure: Unsure;
  /** The same, of deploys that found out only afterwards that another had taken over. */
  readonly late?: Unsure;
  /** The name of the store, once it was found to refuse writes whose condition does not hold. */
  readonly conditional?: string;
  readonly claim?: LeaseRecord;
}

export const EMPTY: InPlaceManifest = {
  formatVersion: 1,
  workspaces: {},
  objects: {},
  invalidations: [],
  unsure: {},
};

/** The `unsure` keys, including the late ones and those of an unfinished deploy's lease. */
export function unsureOf({ unsure, late = {}, claim }: InPlaceManifest): Unsure {
  const touched = claim?.touches.map((key) => [key, claim.workspaces] as const) ?? [];
  return withUnsure(unsure, [...Object.entries(late), ...touched]);
}

/** Adds keys with their workspaces. */
export function withUnsure(
  unsure: Unsure,
  added: readonly (readonly [key: string, workspaces: readonly string[]])[],
): Unsure {
  const merged = new Map(Object.entries(unsure));
  for (const [key, workspaces] of added) {
    merged.set(key, [...new Set([...(merged.get(key) ?? []), ...workspaces])].sort());
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
    (manifest.claim === undefined || isLeaseRecord(manifest.claim))
  ) {
    return manifest as unknown as InPlaceManifest;
  }
  throw new SvcError("deploy-manifest-invalid", `${where} is not a manifest of svc deploy`, {
    hint: "a newer svc may have written it; else remove it and deploy with --overwrite",
  });
}

function isLeaseRecord(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    isJsonObject(value.by) &&
    Array.isArray(value.workspaces) &&
    Array.isArray(value.touches)
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
