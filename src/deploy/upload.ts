import { addressOfFilePath } from "../documents/address.ts";
import type { FileFact } from "../documents/version-id.ts";
import {
  assetHeaders,
  type Headers,
  IMMUTABLE,
  JSON_TYPE,
  PROBLEM_HEADERS,
  PUBLISHED_HEADERS,
} from "../http/published-headers.ts";
import { SvcError } from "../workspace/errors.ts";
import { forEach, type Work } from "./concurrent-work.ts";
import { type ObjectHead, type ObjectStore, unchangedSince } from "./object-store.ts";
import { bodyOf, type PublishedFolder, textBody } from "./published-folder.ts";

/** An object that a deploy puts into a bucket, and why. */
export interface Upload {
  readonly key: string;
  readonly reason: "new" | "changed" | "headers changed";
  readonly object: FileFact & { readonly md5?: string; readonly headers: Headers };
  /** Its path below `out/`, or its text. */
  readonly source: { readonly path: string } | { readonly text: string };
  /** Of the object that it replaces; undefined: there is none. */
  readonly etag: string | undefined;
}

/** Headers of a document in a release: immutable, since its key has the release's hash. */
export const RELEASED_HEADERS: Headers = { "Content-Type": JSON_TYPE, "Cache-Control": IMMUTABLE };

/** For objects that only svc reads. */
export const UNCACHED_JSON: Headers = { "Content-Type": JSON_TYPE, "Cache-Control": "no-store" };

/** Headers of a file of `out/` that is deployed in place. */
export function objectHeaders(path: string): Headers {
  if (addressOfFilePath(path) !== undefined) return PUBLISHED_HEADERS;
  if (!path.startsWith("assets/")) return PROBLEM_HEADERS;
  return assetHeaders(path.slice(path.lastIndexOf("/") + 1));
}

export interface UploadOptions {
  readonly objects: ObjectStore;
  /** Awaited before each attempt to write; what it throws ends the deploy. */
  readonly beforeAttempt?: () => Promise<void>;
  /** Awaited when an object is not as the plan says. */
  readonly confirm?: () => Promise<void>;
  /** Whether what is there is what should be. */
  readonly isSame: (seen: ObjectHead, upload: Upload) => boolean;
  /** Throws unless what is there may be replaced. */
  readonly assertReplaceable: (seen: ObjectHead, upload: Upload) => void;
}

/** The order of uploads (F3): no document refers to one that is not there yet. */
const PHASES = ["file", "content", "schema", "project", "manifest"] as const;

function phaseOf({ key, source }: Upload): number {
  if ("text" in source) return PHASES.indexOf(key.endsWith("/manifest.json") ? "manifest" : "file");
  return PHASES.indexOf(addressOfFilePath(source.path)?.kind ?? "file");
}

/** Sorts uploads by F3, then by key. */
export function inOrder(uploads: readonly Upload[]): Upload[] {
  return uploads.toSorted((a, b) => phaseOf(a) - phaseOf(b) || (a.key < b.key ? -1 : 1));
}

/** Writes of an object that others change at the same time. */
const ATTEMPTS = 3;

/**
 * Uploads in order, each object only over the one that the plan was made from (L10).
 *
 * @returns the ETags, by key.
 * @throws SvcError `file-changed`, `deploy-superseded`, and what `assertReplaceable` throws.
 */
export async function uploadObjects(
  { folder }: PublishedFolder,
  uploads: readonly Upload[],
  options: UploadOptions,
  work: Work,
): Promise<ReadonlyMap<string, string>> {
  const etags = new Map<string, string>();
  const onProgress = (_done: number, _total: number, what: string) =>
    work.onProgress(etags.size, uploads.length, what);
  for (const phase of PHASES.keys()) {
    const batch = uploads.filter((one) => phaseOf(one) === phase);
    await forEach(batch, { ...work, onProgress }, "objects uploaded", async (one) => {
      etags.set(one.key, await upload(folder, one, options));
    });
  }
  return etags;
}

async function upload(folder: string, one: Upload, options: UploadOptions): Promise<string> {
  const { objects, beforeAttempt, confirm, isSame, assertReplaceable } = options;
  const { key, source, object } = one;
  const body = "text" in source ? textBody(source.text) : bodyOf(folder, source.path, object);
  let { etag } = one;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const put = { ...unchangedSince(etag), ...(beforeAttempt && { beforeAttempt }) };
    const stored = await objects.put(key, body, object.headers, put);
    if (stored !== undefined) return stored;
    const seen = await objects.head(key);
    // After the head: what it found was not put there by a deploy that has taken over.
    await confirm?.();
    if (seen !== undefined) {
      if (isSame(seen, one)) return seen.etag;
      assertReplaceable(seen, one);
    }
    etag = seen?.etag;
  }
  throw deploySuperseded(objects, `has changed ${key} meanwhile`);
}

/** @param what continues "another deploy". */
export function deploySuperseded({ name }: ObjectStore, what: string): SvcError {
  return new SvcError("deploy-superseded", `another deploy to ${name} ${what}`, {
    hint: "decide which deploy is the right one, then run it again: it makes a new plan",
  });
}
