import { UNAVAILABLE_DOCUMENT } from "../../http/problem-document.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import { deleteFailed } from "../delete-failed.ts";
import { objectConflict } from "../object-conflict.ts";
import { type ObjectHead, type ObjectStore, PRECONDITION_FAILED } from "../object-store.ts";
import { bodyOf, textBody } from "../published-folder.ts";
import type { InPlaceObject } from "./in-place-manifest.ts";
import type { Lease } from "./lease.ts";
import { deploySuperseded } from "./lease-errors.ts";
import { type InPlacePlan, PHASES, UNAVAILABLE, type Upload } from "./plan-in-place.ts";

/** Objects as they were before the lease was acquired, by key; undefined where there was none. */
export type Observed = ReadonlyMap<string, ObjectHead | undefined>;

export interface Writing {
  readonly objects: ObjectStore;
  readonly lease: Lease;
  readonly observed: Observed;
  /** Replace objects that svc did not put there. */
  readonly overwrite: boolean;
}

/** Writes of an object that others change at the same time. */
const ATTEMPTS = 3;

/** Reads the objects that a plan changes and the manifest does not know. */
export async function observe(
  { uploads, deletes }: InPlacePlan,
  objects: ObjectStore,
  work: Work,
): Promise<Observed> {
  const observed = new Map<string, ObjectHead | undefined>();
  const unknown = [...uploads.filter(({ reason }) => reason !== "new"), ...deletes]
    .filter(({ etag }) => etag === undefined)
    .map(({ key }) => key);
  await forEach(unknown, work, "objects compared", async (key) => {
    observed.set(key, await objects.head(key));
  });
  return observed;
}

/**
 * Uploads in order, each object only over the one that the plan was made from.
 *
 * @returns the ETags, by key.
 * @throws SvcError `deploy-superseded`, `object-in-the-way`, `file-changed`.
 */
export async function uploadObjects(
  folder: string,
  uploads: readonly Upload[],
  writing: Writing,
  work: Work,
): Promise<ReadonlyMap<string, string>> {
  const etags = new Map<string, string>();
  const onProgress = (_done: number, _total: number, what: string) =>
    work.onProgress(etags.size, uploads.length, what);
  for (const phase of PHASES) {
    const batch = uploads.filter((one) => one.phase === phase);
    await forEach(batch, { ...work, onProgress }, "objects uploaded", async (one) => {
      etags.set(one.key, await upload(folder, one, writing));
    });
  }
  return etags;
}

async function upload(folder: string, one: Upload, writing: Writing): Promise<string> {
  const { objects, lease, observed } = writing;
  const { key, path, object } = one;
  const body = path === UNAVAILABLE ? textBody(UNAVAILABLE_DOCUMENT) : bodyOf(folder, path, object);
  const beforeAttempt = () => lease.renewIfStale();
  let seen = observed.get(key);
  let etag = seen?.etag ?? one.etag;
  for (let attempt = 1; ; attempt += 1) {
    if (seen !== undefined) {
      if (isSameObject(seen, object)) return seen.etag;
      assertReplaceable(seen, one, writing);
    }
    if (attempt > ATTEMPTS) throw deploySuperseded(objects, `has changed ${key} meanwhile`);
    const condition = etag === undefined ? { ifAbsent: true as const } : { ifMatch: etag };
    const put = { ...condition, beforeAttempt };
    const stored = await lease.during([key], () => objects.put(key, body, object.headers, put));
    if (stored !== undefined) return stored;
    seen = await objects.head(key);
    // After the head: what it found was not put there by a deploy that has taken over.
    await lease.confirm();
    etag = seen?.etag;
  }
}

/** @throws SvcError `object-in-the-way` for an object of another program or deploy. */
function assertReplaceable(
  seen: ObjectHead,
  { reason, object }: Upload,
  { objects, overwrite }: Writing,
): void {
  if (overwrite) return;
  const isOther = reason === "new" && seen.sha256 !== object.sha256;
  if (seen.sha256 === undefined || isOther) throw objectConflict(objects, seen);
}

function isSameObject(existing: ObjectHead, { sha256, size, headers }: InPlaceObject): boolean {
  return (
    existing.sha256 === sha256 &&
    existing.size === size &&
    existing.contentType === headers["Content-Type"] &&
    existing.cacheControl === headers["Cache-Control"]
  );
}

/** @throws SvcError `delete-failed`, `deploy-superseded`. */
export async function removeObjects(
  { deletes }: InPlacePlan,
  { objects, lease, observed }: Writing,
  work: Work,
): Promise<void> {
  const etags = new Map<string, string>();
  for (const { key, etag } of deletes) {
    const seen = observed.get(key);
    // Without a SHA-256, another program has put it there.
    const current = etag ?? (seen?.sha256 === undefined ? undefined : seen.etag);
    if (current !== undefined) etags.set(key, current);
  }
  const keys = [...etags.keys()];
  for (let start = 0; start < keys.length; start += 1_000) {
    work.signal.throwIfAborted();
    const batch = keys.slice(start, start + 1_000);
    await lease.renewIfStale();
    const failed = await lease.during(batch, () => objects.delete(batch, etags));
    const changed = failed.filter(({ reason }) => reason.startsWith(PRECONDITION_FAILED));
    for (const { key } of changed) {
      // It is gone where an earlier attempt succeeded, and its response was lost.
      if ((await objects.head(key)) === undefined) continue;
      throw deploySuperseded(objects, `has changed ${key} meanwhile`);
    }
    const rest = failed.filter((one) => !changed.includes(one));
    if (rest.length > 0) throw deleteFailed(objects, batch.length, rest);
    work.onProgress(start + batch.length, keys.length, "objects removed");
  }
}
