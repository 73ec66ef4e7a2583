import { isDeepStrictEqual } from "node:util";
import { addressOfFilePath, urlPath } from "../../documents/address.ts";
import type { FileFact } from "../../documents/version-id.ts";
import { UNAVAILABLE_DOCUMENT } from "../../http/problem-document.ts";
import { SvcError } from "../../workspace/errors.ts";
import { objectHeaders } from "../object-headers.ts";
import { type PublishedFolder, textBody } from "../published-folder.ts";
import { type InPlaceManifest, type InPlaceObject, unsureOf } from "./in-place-manifest.ts";

/** The order of uploads (F3): no document refers to one that is not there yet. */
export const PHASES = ["file", "content", "schema", "project"] as const;

export interface Upload {
  readonly key: string;
  /** Below `out/`. */
  readonly path: string;
  readonly phase: (typeof PHASES)[number];
  readonly reason: "new" | "changed" | "headers changed" | typeof UNSURE;
  readonly object: InPlaceObject;
  /** Of the object that it replaces, where the manifest has it. */
  readonly etag: string | undefined;
}

export interface ObjectRemoval {
  readonly key: string;
  readonly reason: "no longer published" | typeof UNSURE;
  /** As of an upload. */
  readonly etag: string | undefined;
}

export const UNSURE = "an unfinished deploy may have written it";

export interface InPlacePlan {
  readonly uploads: readonly Upload[];
  readonly deletes: readonly ObjectRemoval[];
  readonly unchanged: number;
  /** The manifest after the deploy. */
  readonly manifest: InPlaceManifest;
}

/**
 * Compares published files with a bucket's manifest (pure).
 *
 * @param workspaceIds the workspaces to deploy; objects of others are kept.
 * @throws SvcError `project-of-another-workspace`.
 */
export function planInPlace(
  published: PublishedFolder,
  workspaceIds: readonly string[],
  deployed: InPlaceManifest,
): InPlacePlan {
  const unsure = new Map(Object.entries(unsureOf(deployed)));
  const wanted = wantedFiles(published, workspaceIds);
  const objects: Record<string, InPlaceObject> = {};
  const uploads: Upload[] = [];
  const deletes: ObjectRemoval[] = [];
  for (const [path, { sha256, size, owners }] of wanted) {
    const key = keyOfFile(path);
    const before = Object.hasOwn(deployed.objects, key) ? deployed.objects[key] : undefined;
    const others = before?.owners.filter((id) => !workspaceIds.includes(id)) ?? [];
    const phase = addressOfFilePath(path)?.kind ?? "file";
    if (phase !== "file" && others[0] !== undefined) throw projectConflict(key, others[0]);
    const headers = objectHeaders(path);
    const object = { sha256, size, headers, owners: [...others, ...owners].sort() };
    const etag = before?.etag;
    // This deploy overwrites it.
    const reason = unsure.delete(key) ? UNSURE : reasonFor(object, before);
    if (reason !== undefined) {
      uploads.push({
        key,
        path,
        phase,
        reason,
        object,
        etag: reason === UNSURE ? undefined : etag,
      });
    }
    objects[key] = reason === undefined && etag !== undefined ? { ...object, etag } : object;
  }
  const unchanged = wanted.size - uploads.length;
  for (const [key, object] of Object.entries(deployed.objects)) {
    if (Object.hasOwn(objects, key)) continue;
    const owners = object.owners.filter((id) => !workspaceIds.includes(id));
    const isOurs = object.owners.length > 0 && owners.length === 0;
    if (isOurs) {
      const etag = unsure.delete(key) ? undefined : object.etag;
      deletes.push({ key, reason: "no longer published", etag });
    } else objects[key] = { ...object, owners };
  }
  for (const [key, owners] of unsure) {
    const others = owners.filter((id) => !workspaceIds.includes(id));
    const isKnown = Object.hasOwn(objects, key);
    // A deploy of the other workspaces will settle it.
    if (others.length > 0 || isKnown) unsure.set(key, others.length > 0 ? others : owners);
    else {
      unsure.delete(key);
      deletes.push({ key, reason: UNSURE, etag: undefined });
    }
  }
  const { claim: _finished, late: _settled, ...rest } = deployed;
  const versionIds = workspaceIds.map((id) => [id, published.workspaces[id]?.versionId ?? ""]);
  const workspaces = { ...deployed.workspaces, ...Object.fromEntries(versionIds) };
  return {
    uploads: uploads.sort(inOrder),
    deletes: deletes.sort((a, b) => (a.key < b.key ? -1 : 1)),
    unchanged,
    manifest: { ...rest, workspaces, objects, unsure: Object.fromEntries(unsure) },
  };
}

/** The key of a file of `out/`: the address of the API that it answers. */
function keyOfFile(path: string): string {
  const address = addressOfFilePath(path);
  return address === undefined ? path : urlPath(address).slice(1);
}

type WantedFile = FileFact & { owners: string[] };

/** The files to deploy, by path below `out/`. Several workspaces may use an asset. */
function wantedFiles(
  { files, workspaces }: PublishedFolder,
  workspaceIds: readonly string[],
): Map<string, WantedFile> {
  const wanted = new Map<string, WantedFile>([[UNAVAILABLE, { ...UNAVAILABLE_FACT, owners: [] }]]);
  for (const [path, fact] of Object.entries(files)) wanted.set(path, { ...fact, owners: [] });
  for (const id of workspaceIds) {
    for (const [path, fact] of Object.entries(workspaces[id]?.files ?? {})) {
      const { owners } = wanted.get(path) ?? { owners: [] };
      wanted.set(path, { ...fact, owners: [...owners, id] });
    }
  }
  return wanted;
}

/** The CDN's error document beside `404.json`; not a file of `out/`. */
export const UNAVAILABLE = "503.json";
const { bytes: _text, ...UNAVAILABLE_FACT } = textBody(UNAVAILABLE_DOCUMENT);

function reasonFor(
  object: InPlaceObject,
  before: InPlaceObject | undefined,
): Upload["reason"] | undefined {
  if (before === undefined) return "new";
  if (before.sha256 !== object.sha256) return "changed";
  return isDeepStrictEqual(before.headers, object.headers) ? undefined : "headers changed";
}

function inOrder(a: Upload, b: Upload): number {
  return PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase) || (a.key < b.key ? -1 : 1);
}

function projectConflict(key: string, owner: string): SvcError {
  return new SvcError(
    "project-of-another-workspace",
    `${key} was deployed from workspace "${owner}", which is not in this folder`,
    { hint: "give one of the two projects another id, or deploy the workspaces to two places" },
  );
}
