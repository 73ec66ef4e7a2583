import { SvcError } from "../workspace/errors.ts";
import type { ObjectStore } from "./object-store.ts";

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
