import type { Headers } from "../http/published-headers.ts";
import { SvcError } from "../workspace/errors.ts";
import type { ObjectBody, ObjectStore } from "./object-store.ts";

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
