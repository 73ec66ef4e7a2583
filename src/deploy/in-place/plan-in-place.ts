import { isDeepStrictEqual } from "node:util";
import { addressOfFilePath, urlPath } from "../../documents/address.ts";
import { UNAVAILABLE_DOCUMENT } from "../../http/problem-document.ts";
import { SvcError } from "../../workspace/errors.ts";
import { objectHeaders } from "../object-headers.ts";
import { type FileFact, type PublishedFolder, textBody } from "../published-folder.ts";
import { type InPlaceManifest, type InPlaceObject, unsureOf } from "./in-place-manifest.ts";

/** Objects are uploaded in this order (F3), so that no document names one that is not there. */
export const PHASES = ["file", "content", "schema", "project"] as const;

/** An object that is put there. */
export interface Upload {
  readonly key: string;
  /** Below `out/`. */
  readonly path: string;
  readonly phase: (typeof PHASES)[number];
  readonly reason: "new" | "changed" | "headers changed" | typeof UNSURE;
  readonly object: InPlaceObject;
}

export const UNSURE = "an unfinished deploy may have written it";

/** What a deploy in place will do. */
export interface InPlacePlan {
  readonly uploads: readonly Upload[];
  readonly deletes: readonly { readonly key: string; readonly reason: string }[];
  readonly unchanged: number;
  /** The manifest when all of it is done. */
  readonly manifest: InPlaceManifest;
}

/**
 * Compares what is published with what a bucket's manifest says is there (pure).
 *
 * @param workspaceIds those of the folder that are deployed; the objects of others stay.
 * @throws SvcError `project-of-another-workspace`.
 */
export function planInPlace(
  published: PublishedFolder,
  workspaceIds: readonly string[],
  there: InPlaceManifest,
): InPlacePlan {
  const unsure = new Map(Object.entries(unsureOf(there)));
  const wanted = wantedFiles(published, workspaceIds);
  const objects: Record<string, InPlaceObject> = {};
  const uploads: Upload[] = [];
  const deletes: { key: string; reason: string }[] = [];
  for (const [path, { sha256, size, owners }] of wanted) {
    const key = keyOfFile(path);
    const before = Object.hasOwn(there.objects, key) ? there.objects[key] : undefined;
    const others = before?.owners.filter((id) => !workspaceIds.includes(id)) ?? [];
    const phase = addressOfFilePath(path)?.kind ?? "file";
    if (phase !== "file" && others[0] !== undefined) throw ofAnother(key, others[0]);
    const headers = objectHeaders(path);
    const object = { sha256, size, headers, owners: [...others, ...owners].sort() };
    objects[key] = object;
    // Settled by this deploy, whoever left it.
    const reason = unsure.delete(key) ? UNSURE : reasonFor(object, before);
    if (reason !== undefined) uploads.push({ key, path, phase, reason, object });
  }
  const unchanged = wanted.size - uploads.length;
  for (const [key, object] of Object.entries(there.objects)) {
    if (Object.hasOwn(objects, key)) continue;
    const owners = object.owners.filter((id) => !workspaceIds.includes(id));
    const isOurs = object.owners.length > 0 && owners.length === 0;
    if (isOurs) {
      unsure.delete(key);
      deletes.push({ key, reason: "published no more" });
    } else objects[key] = { ...object, owners };
  }
  for (const [key, owners] of unsure) {
    const others = owners.filter((id) => !workspaceIds.includes(id));
    const isKnown = Object.hasOwn(objects, key);
    // What others may have left half is theirs to settle.
    if (others.length > 0 || isKnown) unsure.set(key, others.length > 0 ? others : owners);
    else {
      unsure.delete(key);
      deletes.push({ key, reason: UNSURE });
    }
  }
  const { claim: _done, ...kept } = there;
  const versionIds = workspaceIds.map((id) => [id, published.workspaces[id]?.versionId ?? ""]);
  const workspaces = { ...there.workspaces, ...Object.fromEntries(versionIds) };
  return {
    uploads: uploads.sort(inOrder),
    deletes: deletes.sort((a, b) => (a.key < b.key ? -1 : 1)),
    unchanged,
    manifest: { ...kept, workspaces, objects, unsure: Object.fromEntries(unsure) },
  };
}

/** The key of the object that answers for a file of `out/`: the API's own address. */
function keyOfFile(path: string): string {
  const address = addressOfFilePath(path);
  return address === undefined ? path : urlPath(address).slice(1);
}

type WantedFile = FileFact & { owners: string[] };

/** What should be there, by path below `out/`. An asset may be shown by several workspaces. */
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

/** What a CDN answers with when the bucket refuses it: no file of `out/`, but beside its `404.json`. */
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

function ofAnother(key: string, owner: string): SvcError {
  return new SvcError(
    "project-of-another-workspace",
    `${key} was deployed from workspace "${owner}", which is not in this folder`,
    { hint: "give one of the two projects another id, or deploy the workspaces to two places" },
  );
}
