import { SvcError } from "../workspace/errors.ts";
import type { ObjectHead, ObjectStore } from "./object-store.ts";

/** An object stands where a deploy wants to put one, and is not known to be its own. */
export function inTheWay({ name }: ObjectStore, { key, sha256 }: ObjectHead): SvcError {
  const whose = sha256 === undefined ? "that svc did not put there" : "of another deploy";
  return new SvcError("object-in-the-way", `${name} has an object at ${key} ${whose}`, {
    hint: "deploy below a prefix (s3://bucket/prefix); or remove it, or (in place) replace it with --overwrite",
  });
}
