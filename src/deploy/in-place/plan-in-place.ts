import { addressOfFilePath, urlPath } from "../../documents/address.ts";
import type { FileFact } from "../../documents/version-id.ts";
import { UNAVAILABLE_DOCUMENT } from "../../http/problem-document.ts";
import { SvcError } from "../../workspace/errors.ts";
import { type PublishedFolder, textBody } from "../published-folder.ts";
import { inOrder, objectHeaders, type Upload } from "../upload.ts";
import type { InPlaceManifest, InPlaceObject, Touched } from "./manifest.ts";

interface ObjectRemoval {
  readonly key: string;
  readonly reason: "no longer published";
  readonly etag: string | undefined;
}

export interface InPlacePlan {
  readonly uploads: readonly Upload[];
  readonly deletes: readonly ObjectRemoval[];
  readonly unchanged: number;
  /** The manifest after the deploy, without the ETags of what it uploads. */
  readonly manifest: InPlaceManifest;
}

/** What a plan writes or removes, with the workspaces that use it. */
export function touchedBy({ uploads, deletes, manifest }: InPlacePlan): Touched {
  const keys = [...uploads, ...deletes].map(({ key }) => key);
  return Object.fromEntries(keys.map((key) => [key, manifest.objects[key]?.owners ?? []]));
}

/**
 * L5: compares published files with what is in a bucket (pure).
 *
 * @param workspaceIds the workspaces to deploy; objects of others are kept.
 * @param deployed a manifest that is settled.
 * @throws SvcError `project-of-another-workspace`.
 */
export function planInPlace(
  published: PublishedFolder,
  workspaceIds: readonly string[],
  deployed: InPlaceManifest,
): InPlacePlan {
  const before = new Map(Object.entries(deployed.objects));
  const after = new Map<string, InPlaceObject>();
  const uploads: Upload[] = [];
  const othersOf = (owners: readonly string[] = []) =>
    owners.filter((id) => !workspaceIds.includes(id));
  for (const { path, sha256, size, owners } of wantedFiles(published, workspaceIds)) {
    const key = keyOfFile(path);
    const earlier = before.get(key);
    const others = othersOf(earlier?.owners);
    if (addressOfFilePath(path) !== undefined && others[0] !== undefined) {
      throw projectConflict(key, others[0]);
    }
    const headers = objectHeaders(path);
    const object = { sha256, size, headers, owners: [...others, ...owners].sort() };
    const reason = reasonFor(object, earlier);
    const etag = earlier?.etag;
    if (reason === undefined) after.set(key, { ...object, ...(etag !== undefined && { etag }) });
    else {
      const source = path === UNAVAILABLE ? { text: UNAVAILABLE_DOCUMENT } : { path };
      uploads.push({ key, reason, object, source, etag });
      after.set(key, object);
    }
  }
  const unchanged = after.size - uploads.length;
  const deletes: ObjectRemoval[] = [];
  for (const [key, object] of before) {
    if (after.has(key)) continue;
    const owners = othersOf(object.owners);
    const isOurs = object.owners.length > 0 && owners.length === 0;
    if (isOurs) deletes.push({ key, reason: "no longer published", etag: object.etag });
    else after.set(key, { ...object, owners });
  }
  const versionIds = workspaceIds.map((id) => [id, published.workspaces[id]?.versionId ?? ""]);
  const workspaces = { ...deployed.workspaces, ...Object.fromEntries(versionIds) };
  return {
    uploads: inOrder(uploads),
    deletes: deletes.sort((a, b) => (a.key < b.key ? -1 : 1)),
    unchanged,
    manifest: { ...deployed, workspaces, objects: Object.fromEntries(after) },
  };
}

/** The key of a file of `out/`: the address of the API that it answers. */
function keyOfFile(path: string): string {
  const address = addressOfFilePath(path);
  return address === undefined ? path : urlPath(address).slice(1);
}

type WantedFile = FileFact & { readonly path: string; readonly owners: readonly string[] };

/** The files to deploy. Several workspaces may use an asset. */
function wantedFiles(
  { files, workspaces }: PublishedFolder,
  workspaceIds: readonly string[],
): Iterable<WantedFile> {
  const wanted = new Map<string, WantedFile>();
  const add = (path: string, { sha256, size }: FileFact, owners: readonly string[]) => {
    const earlier = wanted.get(path)?.owners ?? [];
    wanted.set(path, { path, sha256, size, owners: [...earlier, ...owners] });
  };
  add(UNAVAILABLE, textBody(UNAVAILABLE_DOCUMENT), []);
  for (const [path, fact] of Object.entries(files)) add(path, fact, []);
  for (const id of workspaceIds) {
    for (const [path, fact] of Object.entries(workspaces[id]?.files ?? {})) add(path, fact, [id]);
  }
  return wanted.values();
}

/** The CDN's error document beside `404.json`; not a file of `out/`. */
const UNAVAILABLE = "503.json";

function reasonFor(
  object: InPlaceObject,
  before: InPlaceObject | undefined,
): Upload["reason"] | undefined {
  if (before === undefined) return "new";
  if (before.sha256 !== object.sha256) return "changed";
  return hasSameHeaders(before, object) ? undefined : "headers changed";
}

/** Whether the headers that a listing of an object has are the same. */
export function hasSameHeaders(
  one: Pick<InPlaceObject, "headers">,
  other: Pick<InPlaceObject, "headers">,
): boolean {
  return ["Content-Type", "Cache-Control"].every(
    (name) => one.headers[name] === other.headers[name],
  );
}

function projectConflict(key: string, owner: string): SvcError {
  return new SvcError(
    "project-of-another-workspace",
    `${key} was deployed from workspace "${owner}", which is not in this folder`,
    { hint: "give one of the two projects another id, or deploy the workspaces to two places" },
  );
}
