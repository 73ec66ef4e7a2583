import type { Headers } from "../http/published-headers.ts";
import { assertRemovalLimit, SvcError } from "../workspace/errors.ts";
import type { ObjectBody, ObjectHead, ObjectStore } from "./object-store.ts";
import { RELEASES } from "./releases/keys.ts";

// What both modes of a deploy refuse. A target is deployed to in one mode only: each would remove the
// other's assets.

/** The key of the manifest of all objects that deploys in place have put into a bucket. */
export const IN_PLACE_MANIFEST = ".svc-deploy.json";

export async function assertNotInPlace(objects: ObjectStore): Promise<void> {
  if ((await objects.head(IN_PLACE_MANIFEST)) === undefined) return;
  throw new SvcError("target-in-place", `${objects.name} is deployed to in place`, {
    hint: "deploy releases to another bucket or prefix; or leave out --kvs",
  });
}

export async function assertNoReleases(objects: ObjectStore): Promise<void> {
  for await (const _folder of objects.folders(RELEASES)) {
    throw new SvcError("target-has-releases", `${objects.name} has releases`, {
      hint: "name their KeyValueStore with --kvs (or --kvs bucket), or deploy in place to another bucket or prefix",
    });
  }
}

export function assertDeleteLimit(
  count: number,
  limit: number,
  where: string,
  unit: "object" | "project" = "object",
): void {
  const what = `${count.toLocaleString("en")} ${count === 1 ? unit : `${unit}s`}`;
  const refusal = { code: "too-many-deletes", option: "--max-deletes" } as const;
  assertRemovalLimit({ count, limit }, what, where, refusal);
}

/** The error for an object at a key of this deploy that another program or deploy has written. */
export function objectConflict({ name }: ObjectStore, { key, sha256 }: ObjectHead): SvcError {
  const owner = sha256 === undefined ? "that svc did not put there" : "of another deploy";
  return new SvcError("object-in-the-way", `${name} has an object at ${key} ${owner}`, {
    hint: "deploy below a prefix (s3://bucket/prefix); or remove it, or (in place) replace it with --overwrite",
  });
}

/** The error for objects that a store did not remove. */
export function deleteFailed(
  { name }: ObjectStore,
  count: number,
  failed: Awaited<ReturnType<ObjectStore["delete"]>>,
): SvcError {
  const [first] = failed;
  const list = failed.map((one) => ({ code: "object-not-deleted", ...one }) as const);
  return new SvcError(
    "delete-failed",
    `${name} did not remove ${failed.length} of ${count} objects, the first is ${first?.key}: ${first?.reason}`,
    {
      hint: "allow s3:DeleteObject to the role; the next run removes the rest",
      problems: { kind: "objects", list },
    },
  );
}

/** An ETag that no object has. */
const NO_ETAG = "0".repeat(32);

/** Whether a store honours conditions: writes an object that is there twice, with conditions that do not hold. */
export async function honoursConditions(
  objects: ObjectStore,
  key: string,
  body: ObjectBody,
  headers: Headers,
): Promise<boolean> {
  for (const condition of [{ ifAbsent: true }, { ifMatch: NO_ETAG }] as const) {
    if ((await objects.put(key, body, headers, condition)) !== undefined) return false;
  }
  return true;
}

export function conditionsIgnored({ name }: ObjectStore): SvcError {
  return new SvcError(
    "conditional-writes-unsupported",
    `${name} ignores the conditions of writes (If-Match, If-None-Match)`,
    { hint: "use a store that supports them: S3, R2, MinIO, or a newer version of this one" },
  );
}
