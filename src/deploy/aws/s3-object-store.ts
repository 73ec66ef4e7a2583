import { createHash } from "node:crypto";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import type { ObjectFacts, ObjectHead, ObjectStore, StoredObject } from "../object-store.ts";
import type { Target } from "../target.ts";
import { type Bucket, bucketOf, type S3Options } from "./s3-bucket.ts";
import { bare, SHA256, uploader } from "./s3-put.ts";
import { statusOf } from "./sdk-retry.ts";

/** The most objects of one delete request, and of one page of a listing. */
const BATCH = 1_000;

// Without the second, S3 answers 403 for an object that is not there.
const READING = "s3:GetObject and s3:ListBucket";

/**
 * A bucket of S3, or of a store that speaks S3 (R2, MinIO, Ceph). Every request is repeated as
 * sdk-retry.ts has it; the signal ends all of them, and what was asked then throws its reason.
 */
export function openObjectStore(target: Target, options: S3Options): ObjectStore {
  const bucket = bucketOf(target, options);
  return {
    name: bucket.name,
    get: (key) => get(bucket, key),
    head: (key) => head(bucket, key),
    list: (prefix) => list(bucket, prefix),
    folders: (prefix) => folders(bucket, prefix),
    put: uploader(bucket),
    async delete(keys) {
      const failed = [];
      for (let at = 0; at < keys.length; at += BATCH) {
        failed.push(...(await deleteBatch(bucket, keys.slice(at, at + BATCH))));
      }
      return failed;
    },
  };
}

async function get(bucket: Bucket, key: string): Promise<StoredObject | undefined> {
  return bucket.ask(READING, async () => {
    const command = new GetObjectCommand(objectOf(bucket, key));
    const answer = await bucket.client
      .send(command, { abortSignal: bucket.signal })
      .catch(absent("NoSuchKey"));
    if (answer?.Body === undefined) return undefined;
    const bytes = Buffer.from(await answer.Body.transformToByteArray());
    return { ...facts(key, answer), size: bytes.length, bytes };
  });
}

async function head(bucket: Bucket, key: string): Promise<ObjectHead | undefined> {
  return bucket.ask(READING, async () => {
    const command = new HeadObjectCommand(objectOf(bucket, key));
    const answer = await bucket.client
      .send(command, { abortSignal: bucket.signal })
      .catch(absent("NotFound"));
    if (answer === undefined) return undefined;
    return {
      ...facts(key, answer),
      size: answer.ContentLength ?? 0,
      sha256: answer.Metadata?.[SHA256],
      contentType: answer.ContentType,
      cacheControl: answer.CacheControl,
    };
  });
}

async function* list(bucket: Bucket, prefix: string): AsyncGenerator<ObjectFacts> {
  for await (const { Contents = [] } of pages(bucket, prefix)) {
    for (const object of Contents) {
      yield { ...facts(keyOf(bucket, object.Key), object), size: object.Size ?? 0 };
    }
  }
}

async function* folders(bucket: Bucket, prefix: string): AsyncGenerator<string> {
  for await (const { CommonPrefixes = [] } of pages(bucket, prefix, { Delimiter: "/" })) {
    for (const { Prefix } of CommonPrefixes) yield keyOf(bucket, Prefix);
  }
}

async function* pages(bucket: Bucket, prefix: string, more: { Delimiter?: string } = {}) {
  let next: string | undefined;
  do {
    const page = await bucket.ask("s3:ListBucket", () => {
      const command = new ListObjectsV2Command({
        Bucket: bucket.bucket,
        Prefix: `${bucket.prefix}${prefix}`,
        MaxKeys: BATCH,
        // A key may hold what XML cannot.
        EncodingType: "url",
        ...more,
        ...(next !== undefined && { ContinuationToken: next }),
      });
      return bucket.client.send(command, { abortSignal: bucket.signal });
    });
    yield page;
    next = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
}

/** The key below the target's prefix, of one as a listing tells it. */
function keyOf({ prefix }: Bucket, listed = ""): string {
  return decodeURIComponent(listed.replaceAll("+", " ")).slice(prefix.length);
}

async function deleteBatch(bucket: Bucket, keys: readonly string[]) {
  const answer = await bucket.ask("s3:DeleteObject", () => {
    const command = new DeleteObjectsCommand({
      Bucket: bucket.bucket,
      Delete: { Objects: keys.map((key) => ({ Key: `${bucket.prefix}${key}` })), Quiet: true },
    });
    // Older stores insist on it, and know no other checksum.
    command.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { headers: Record<string, string>; body: string };
        request.headers["content-md5"] = createHash("md5").update(request.body).digest("base64");
        return next(args);
      },
      { step: "build" },
    );
    return bucket.client.send(command, { abortSignal: bucket.signal });
  });
  return (answer.Errors ?? [])
    .filter(({ Code }) => Code !== "NoSuchKey")
    .map(({ Key = "", Code = "", Message = "" }) => ({
      key: Key.slice(bucket.prefix.length),
      reason: [Code, Message].filter((part) => part !== "").join(": "),
    }));
}

function objectOf({ bucket, prefix }: Bucket, key: string) {
  return { Bucket: bucket, Key: `${prefix}${key}` };
}

interface Told {
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
}

function facts(key: string, { ETag, LastModified }: Told) {
  return { key, etag: bare(ETag), lastModified: LastModified ?? new Date(0) };
}

/** Takes an error for "there is none" when its name says so. */
function absent(name: string): (error: unknown) => undefined {
  return (error) => {
    const missing = error instanceof Error && error.name === name && statusOf(error) === 404;
    if (!missing) throw error;
  };
}
