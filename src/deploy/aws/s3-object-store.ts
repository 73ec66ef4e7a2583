import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import { SvcError } from "../../workspace/errors.ts";
import type { ObjectFacts, ObjectHead, ObjectStore, StoredObject } from "../object-store.ts";
import type { DeployTarget } from "../target.ts";
import { openS3Bucket, type S3Bucket, type S3Options } from "./s3-bucket.ts";
import { SHA256, unquoted, uploader } from "./s3-put.ts";
import { statusOf } from "./sdk-retry.ts";

/** S3's limit of objects in a delete request and in a page of a listing. */
const BATCH = 1_000;

// Without s3:ListBucket, S3 responds with 403 for a missing object.
const READING = "s3:GetObject and s3:ListBucket";

/**
 * Opens a bucket of S3 or of an S3-compatible store (R2, MinIO, Ceph). Requests are retried as in
 * sdk-retry.ts; when the signal is aborted, all of them throw its reason.
 */
export function openObjectStore(target: DeployTarget, options: S3Options): ObjectStore {
  const bucket = openS3Bucket(target, options);
  return {
    name: bucket.name,
    get: (key) => get(bucket, key),
    head: (key) => head(bucket, key),
    download: (key, file, onProgress) => download(bucket, key, file, onProgress),
    list: (prefix) => list(bucket, prefix),
    folders: (prefix) => folders(bucket, prefix),
    put: uploader(bucket),
    async delete(keys, etags = new Map()) {
      const failed = [];
      for (let at = 0; at < keys.length; at += BATCH) {
        failed.push(...(await deleteBatch(bucket, keys.slice(at, at + BATCH), etags)));
      }
      return failed;
    },
  };
}

async function get(bucket: S3Bucket, key: string): Promise<StoredObject | undefined> {
  return bucket.request(READING, async () => {
    const command = new GetObjectCommand(objectOf(bucket, key));
    const response = await bucket.client
      .send(command, { abortSignal: bucket.signal })
      .catch(absent("NoSuchKey"));
    if (response?.Body === undefined) return undefined;
    const bytes = Buffer.from(await response.Body.transformToByteArray());
    return { ...facts(key, response), size: bytes.length, bytes };
  });
}

async function head(bucket: S3Bucket, key: string): Promise<ObjectHead | undefined> {
  return bucket.request(READING, async () => {
    const command = new HeadObjectCommand(objectOf(bucket, key));
    const response = await bucket.client
      .send(command, { abortSignal: bucket.signal })
      .catch(absent("NotFound"));
    return response && headOf(key, response);
  });
}

async function download(
  bucket: S3Bucket,
  key: string,
  file: string,
  onProgress: (done: number, total: number) => void,
): Promise<ObjectHead | undefined> {
  let ofFile: { error: unknown } | undefined;
  const writing = <T>(write: () => T): T => {
    try {
      return write();
    } catch (error) {
      // A write to a descriptor does not name its file.
      ofFile = { error: Object.assign(error as Error, { path: file }) };
      throw error;
    }
  };
  const attempt = async () => {
    const command = new GetObjectCommand(objectOf(bucket, key));
    const response = await bucket.client
      .send(command, { abortSignal: bucket.signal })
      .catch(absent("NoSuchKey"));
    if (response?.Body === undefined) return undefined;
    const object = headOf(key, response);
    const hash = createHash("sha256");
    const descriptor = writing(() => openSync(file, "w"));
    try {
      let done = 0;
      for await (const piece of response.Body as AsyncIterable<Buffer>) {
        writing(() => writeFileSync(descriptor, piece));
        hash.update(piece);
        done += piece.length;
        onProgress(done, object.size);
      }
      writing(() => fsyncSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
    if (object.sha256 !== undefined && hash.digest("hex") !== object.sha256) {
      throw new SvcError(
        "download-differs",
        `${bucket.name}/${key} has other bytes than were put there`,
        { hint: "restore the object, or an earlier version of it" },
      );
    }
    return object;
  };
  try {
    return await bucket.request(READING, attempt);
  } catch (error) {
    // It is no error of the store.
    throw ofFile === undefined ? error : ofFile.error;
  }
}

async function* list(bucket: S3Bucket, prefix: string): AsyncGenerator<ObjectFacts> {
  for await (const { Contents = [] } of pages(bucket, prefix)) {
    for (const object of Contents) {
      yield { ...facts(keyOf(bucket, object.Key), object), size: object.Size ?? 0 };
    }
  }
}

async function* folders(bucket: S3Bucket, prefix: string): AsyncGenerator<string> {
  for await (const { CommonPrefixes = [] } of pages(bucket, prefix, { Delimiter: "/" })) {
    for (const { Prefix } of CommonPrefixes) yield keyOf(bucket, Prefix);
  }
}

async function* pages(bucket: S3Bucket, prefix: string, more: { Delimiter?: string } = {}) {
  let next: string | undefined;
  do {
    const page = await bucket.request("s3:ListBucket", () => {
      const command = new ListObjectsV2Command({
        Bucket: bucket.bucket,
        Prefix: `${bucket.prefix}${prefix}`,
        MaxKeys: BATCH,
        // A key may have characters that XML cannot represent.
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

/** Decodes a listed key, and removes the target's prefix. */
function keyOf({ prefix }: S3Bucket, listed = ""): string {
  return decodeURIComponent(listed.replaceAll("+", " ")).slice(prefix.length);
}

type ETags = ReadonlyMap<string, string>;

async function deleteBatch(bucket: S3Bucket, keys: readonly string[], etags: ETags) {
  const send = (ifMatch: ETags) => {
    const command = new DeleteObjectsCommand({
      Bucket: bucket.bucket,
      Delete: { Objects: keys.map((key) => toDelete(bucket, key, ifMatch)), Quiet: true },
    });
    // Older stores require this checksum.
    command.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { headers: Record<string, string>; body: string };
        request.headers["content-md5"] = createHash("md5").update(request.body).digest("base64");
        return next(args);
      },
      { step: "build" },
    );
    return bucket.client.send(command, { abortSignal: bucket.signal });
  };
  const response = await bucket.request("s3:DeleteObject", () =>
    send(etags).catch((error: Error) => {
      // A store may not know the element ETag.
      if (etags.size === 0 || !/^(?:MalformedXML|NotImplemented)$/.test(error.name)) throw error;
      return send(new Map());
    }),
  );
  return (response.Errors ?? [])
    .filter(({ Code }) => Code !== "NoSuchKey")
    .map(({ Key = "", Code = "", Message = "" }) => ({
      key: Key.slice(bucket.prefix.length),
      reason: [Code, Message].filter((part) => part !== "").join(": "),
    }));
}

function toDelete({ prefix }: S3Bucket, key: string, etags: ETags) {
  const etag = etags.get(key);
  return { Key: `${prefix}${key}`, ...(etag !== undefined && { ETag: `"${etag}"` }) };
}

function objectOf({ bucket, prefix }: S3Bucket, key: string) {
  return { Bucket: bucket, Key: `${prefix}${key}` };
}

interface ResponseMetadata {
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
}

function headOf(
  key: string,
  response: HeadObjectCommandOutput | GetObjectCommandOutput,
): ObjectHead {
  return {
    ...facts(key, response),
    size: response.ContentLength ?? 0,
    sha256: response.Metadata?.[SHA256],
    contentType: response.ContentType,
    cacheControl: response.CacheControl,
  };
}

function facts(key: string, { ETag, LastModified }: ResponseMetadata) {
  return { key, etag: unquoted(ETag), lastModified: LastModified ?? new Date(0) };
}

/** Returns an error handler that ignores a 404 error of this name. */
function absent(name: string): (error: unknown) => undefined {
  return (error) => {
    const missing = error instanceof Error && error.name === name && statusOf(error) === 404;
    if (!missing) throw error;
  };
}
