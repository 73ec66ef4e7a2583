import { SvcError } from "../workspace/errors.ts";
import type { ObjectHead, ObjectStore } from "./object-store.ts";

/** The error for an object at a key of this deploy that another program or deploy has written. */
export function objectConflict({ name }: ObjectStore, { key, sha256 }: ObjectHead): SvcError {
  const owner = sha256 === undefined ? "that svc did not put there" : "of another deploy";
  return new SvcError("object-in-the-way", `${name} has an object at ${key} ${owner}`, {
    hint: "deploy below a prefix (s3://bucket/prefix); or remove it, or (in place) replace it with --overwrite",
  });
}
