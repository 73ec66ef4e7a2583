import { addressOfUrlPath } from "../../documents/address.ts";
import { canonicalJson } from "../../documents/canonical-json.ts";
import { type FileFact, isFileFact, isVersionId } from "../../documents/version-id.ts";
import type { Headers } from "../../http/published-headers.ts";
import { isAssetPath } from "../../workspace/asset.ts";
import { SvcError } from "../../workspace/errors.ts";
import { type Hold, holdFrom } from "../../workspace/hold.ts";
import { isId } from "../../workspace/ids.ts";
import { isJsonObject, type JsonValue, parsedJson } from "../../workspace/json.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { ObjectHead, ObjectStore } from "../object-store.ts";
import { IN_PLACE_MANIFEST } from "../refusals.ts";

export interface InPlaceObject extends FileFact {
  readonly headers: Headers;
  /** The workspaces that use it, sorted; empty for files shared by all. */
  readonly owners: readonly string[];
  /** As the store returned it. */
  readonly etag?: string;
}

/** Keys that may be other than `objects` says, with the workspaces that use them. */
export type Touched = Readonly<Record<string, readonly string[]>>;

/** The mark of a deploy that has started to write and has not finished. */
export interface RunningDeploy {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly since: string;
  /** What it may write or remove. */
  readonly touches: Touched;
}

/** What svc has put into a bucket. */
export interface InPlaceManifest {
  readonly formatVersion: 1;
  /** Version ids, by workspace. */
  readonly workspaces: Readonly<Record<string, string>>;
  readonly objects: Readonly<Record<string, InPlaceObject>>;
  /** Of deploys that did not finish (L6a). */
  readonly touched: Touched;
  /** The name of the store, once it was found to refuse writes whose condition does not hold. */
  readonly conditional?: string;
  readonly deploy?: RunningDeploy;
  /** L3a: by workspace. */
  readonly holds: Readonly<Record<string, Hold>>;
}

export const EMPTY: InPlaceManifest = {
  formatVersion: 1,
  workspaces: {},
  objects: {},
  touched: {},
  holds: {},
};

/** A bucket's manifest and its ETag; undefined when it does not exist. */
export interface ManifestState {
  readonly manifest: InPlaceManifest;
  /** L6b: milliseconds since it was written, by the store's clock. */
  readonly age: number;
  readonly etag: string | undefined;
}

/** @throws SvcError `deploy-manifest-invalid`. */
export async function readManifest(objects: ObjectStore): Promise<ManifestState> {
  const stored = await objects.get(IN_PLACE_MANIFEST);
  if (stored === undefined) return { manifest: EMPTY, age: 0, etag: undefined };
  const where = `${objects.name}/${IN_PLACE_MANIFEST}`;
  const { bytes, age, etag } = stored;
  return { manifest: parseManifest(bytes.toString(), where), age, etag };
}

export function manifestText(manifest: InPlaceManifest): string {
  return `${canonicalJson(manifest as unknown as JsonValue)}\n`;
}

/** @param where names the object, for messages. */
function parseManifest(text: string, where: string): InPlaceManifest {
  const manifest = parsedJson(text);
  if (isManifest(manifest)) {
    const known = { ...EMPTY, ...(manifest as unknown as InPlaceManifest) };
    const holds = Object.entries(known.holds ?? {}).map(([id, one]) => [id, holdFrom({ ...one })]);
    return { ...known, holds: Object.fromEntries(holds) };
  }
  throw new SvcError("deploy-manifest-invalid", `${where} is not a manifest of svc deploy`, {
    hint: "another version of svc may have written it; else remove it and deploy with --overwrite",
  });
}

/** L13: whoever may write to the bucket may have written it. */
function isManifest(value: JsonValue | undefined): boolean {
  return (
    isJsonObject(value) &&
    value.formatVersion === 1 &&
    isJsonObject(value.workspaces) &&
    Object.entries(value.workspaces).every(([id, version]) => isId(id) && isVersionId(version)) &&
    isJsonObject(value.objects) &&
    Object.entries(value.objects).every(([key, one]) => isDeployedKey(key) && isObject(one)) &&
    (value.touched === undefined || isTouched(value.touched)) &&
    (value.deploy === undefined || isRunning(value.deploy)) &&
    isJsonObject(value.holds ?? {}) &&
    Object.keys(value.holds ?? {}).every(isId)
  );
}

/** Whether a deploy in place puts an object there (L5). */
function isDeployedKey(key: string): boolean {
  if (ERROR_DOCUMENTS.includes(key) || isAssetPath(key)) return true;
  // No id has a percent sign.
  return !key.includes("%") && addressOfUrlPath(`/${key}`) !== undefined;
}

const ERROR_DOCUMENTS = ["404.json", "503.json"];

function isObject(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    isFileFact(value) &&
    isOwners(value.owners) &&
    isJsonObject(value.headers) &&
    (value.etag === undefined || isText(value.etag, /^[!#-~]*$/))
  );
}

function isTouched(value: JsonValue | undefined): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(([key, owners]) => isDeployedKey(key) && isOwners(owners))
  );
}

function isOwners(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((id) => typeof id === "string" && isId(id));
}

function isText(value: JsonValue | undefined, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function isRunning(value: JsonValue): boolean {
  if (!isJsonObject(value) || !isTouched(value.touches)) return false;
  const { id, host, pid, since } = value;
  return [id, host, since].every((one) => typeof one === "string") && typeof pid === "number";
}

export function mergedTouched(...all: readonly Touched[]): Touched {
  const merged = new Map<string, readonly string[]>();
  for (const [key, owners] of all.flatMap(Object.entries) as [string, readonly string[]][]) {
    merged.set(key, [...new Set([...(merged.get(key) ?? []), ...owners])].sort());
  }
  return Object.fromEntries(merged);
}

/** Everything that may be other than a manifest says. */
export function unsettled({ touched, deploy, objects }: InPlaceManifest): Touched {
  const unknown = Object.entries(objects).filter(([, { etag }]) => etag === undefined);
  const owners = unknown.map(([key, one]) => [key, one.owners] as const);
  return mergedTouched(touched, deploy?.touches ?? {}, Object.fromEntries(owners));
}

/** L6a: a manifest without the mark, that names what the deploy may have written. */
export function unmarked({ deploy, ...manifest }: InPlaceManifest): InPlaceManifest {
  return { ...manifest, touched: mergedTouched(manifest.touched, deploy?.touches ?? {}) };
}

/**
 * A manifest with what is in the bucket where deploys that did not finish may have written. An object
 * without a SHA-256 is of another program, and not svc's any more.
 */
export async function settled(
  manifest: InPlaceManifest,
  objects: ObjectStore,
  work: Work,
): Promise<InPlaceManifest> {
  const found = new Map(Object.entries(manifest.objects));
  const touched = Object.entries(unsettled(manifest));
  await forEach(touched, work, "objects compared", async ([key, owners]) => {
    const head = await objects.head(key);
    if (head?.sha256 === undefined) found.delete(key);
    else found.set(key, asFound(head, head.sha256, found.get(key)?.owners ?? owners));
  });
  const { deploy: _ended, ...rest } = manifest;
  return { ...rest, objects: Object.fromEntries(found), touched: {} };
}

function asFound(head: ObjectHead, sha256: string, owners: readonly string[]): InPlaceObject {
  return { sha256, size: head.size, etag: head.etag, headers: headersOf(head), owners };
}

export function headersOf({ contentType = "", cacheControl = "" }: ObjectHead): Headers {
  return { "Content-Type": contentType, "Cache-Control": cacheControl };
}
