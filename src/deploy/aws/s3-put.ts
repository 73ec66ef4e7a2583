import { pipeline, type Readable, Transform } from "node:stream";
import {
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
} from "@aws-sdk/client-s3";
import type { Headers } from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { ObjectBody, PutCondition } from "../object-store.ts";
import type { S3Bucket } from "./s3-bucket.ts";
import { statusOf } from "./sdk-retry.ts";

/** The key of an object's metadata with the SHA-256 of its bytes. */
export const SHA256 = "sha256";

const ACTION = "s3:PutObject";

/** Returns the `put` of an ObjectStore, which adapts to the store's form of If-Match. */
export function uploader(bucket: S3Bucket) {
  /** Ceph compares If-Match with the unquoted ETag: a quoted one never matches. */
  let quote = '"';

  async function ifMatch(put: Put, etag: string): Promise<string | undefined> {
    const stored = await send(bucket, put, { IfMatch: `${quote}${etag}${quote}` });
    if (stored !== undefined || quote === "") return stored;
    if ((await etagOf(bucket, put.key)) !== etag) return undefined;
    const retried = await send(bucket, put, { IfMatch: etag });
    if (retried !== undefined) quote = "";
    return retried;
  }

  return async (
    key: string,
    body: ObjectBody,
    headers: Headers,
    condition?: PutCondition,
  ): Promise<string | undefined> => {
    const put = { key, body, headers, beforeAttempt: condition?.beforeAttempt };
    if (condition === undefined) return send(bucket, put, {});
    if ("ifMatch" in condition) return ifMatch(put, condition.ifMatch);
    return send(bucket, put, { IfNoneMatch: "*" });
  };
}

interface Put {
  readonly key: string;
  readonly body: ObjectBody;
  readonly headers: Headers;
  readonly beforeAttempt: PutCondition["beforeAttempt"];
}

type Condition = Pick<PutObjectCommandInput, "IfMatch" | "IfNoneMatch">;

async function send(bucket: S3Bucket, put: Put, condition: Condition): Promise<string | undefined> {
  return bucket.request(ACTION, async (retries) => {
    await put.beforeAttempt?.();
    try {
      return await sendOnce(bucket, put, condition);
    } catch (error) {
      const status = statusOf(error);
      const conditional = Object.keys(condition).length > 0;
      if (conditional && status === 501) throw conditionsUnsupported(bucket);
      const failed = status === 412 || (status === 404 && condition.IfMatch !== undefined);
      if (!conditional || !failed || (error as Error).name === "NoSuchBucket") throw error;
      // An earlier attempt may have succeeded, and its response been lost.
      return retries > 0 ? etagOf(bucket, put.key, put.body.sha256) : undefined;
    }
  });
}

async function sendOnce(bucket: S3Bucket, put: Put, condition: Condition): Promise<string> {
  const { key, body, headers } = put;
  const stream = Buffer.isBuffer(body.bytes) ? undefined : ofSize(body.bytes(), body.size);
  const unreadable = new AbortController();
  // Without a listener, an unreadable file would end the process.
  stream?.on("error", (error) => unreadable.abort(error));
  const command = new PutObjectCommand({
    Bucket: bucket.bucket,
    Key: `${bucket.prefix}${key}`,
    Body: stream ?? (body.bytes as Buffer),
    ContentLength: body.size,
    Metadata: { [SHA256]: body.sha256 },
    ...storable(headers),
    ...condition,
  });
  // Signing the known hash makes the store refuse other bytes, without reading a stream twice.
  command.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, {
        "x-amz-content-sha256": body.sha256,
      });
      return next(args);
    },
    { step: "build" },
  );
  const abortSignal = AbortSignal.any([bucket.signal, unreadable.signal]);
  try {
    const { ETag } = await bucket.client.send(command, { abortSignal });
    return unquoted(ETag);
  } catch (error) {
    if (!bucket.signal.aborted && unreadable.signal.aborted) throw notReadable(put, unreadable);
    throw error;
  } finally {
    stream?.destroy();
  }
}

/**
 * A stream that fails unless it has exactly `size` bytes: the store would wait for missing ones until
 * the timeout.
 */
function ofSize(stream: Readable, size: number): Readable {
  let left = size;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      left -= chunk.length;
      done(left < 0 ? new Error(`it has more than ${size} bytes`) : null, chunk);
    },
    flush(done) {
      done(left > 0 ? new Error(`it has only ${size - left} of ${size} bytes`) : null);
    },
  });
  return pipeline(stream, counted, () => {});
}

/** The ETag of an object; undefined when it is missing or has another SHA-256 than given. */
async function etagOf(bucket: S3Bucket, key: string, sha256?: string): Promise<string | undefined> {
  return bucket.request("s3:GetObject", async () => {
    const object = { Bucket: bucket.bucket, Key: `${bucket.prefix}${key}` };
    const response = bucket.client.send(new HeadObjectCommand(object), {
      abortSignal: bucket.signal,
    });
    const { ETag, Metadata } = await response.catch((error) => {
      if (statusOf(error) === 404)
        return {} as { ETag?: string; Metadata?: Record<string, string> };
      throw error;
    });
    if (ETag === undefined || (sha256 !== undefined && Metadata?.[SHA256] !== sha256)) return;
    return unquoted(ETag);
  });
}

/** Removes the quotes of an ETag. */
export function unquoted(etag: string | undefined): string {
  return (etag ?? "").replaceAll('"', "");
}

/** The headers that S3 stores with an object; the CDN adds the others. */
function storable(headers: Headers): Partial<PutObjectCommandInput> {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return Object.fromEntries(
    STORABLE.flatMap((name) => {
      const value = given.get(name);
      return value === undefined ? [] : [[name.replaceAll("-", ""), value]];
    }),
  );
}

const STORABLE = [
  "Content-Type",
  "Cache-Control",
  "Content-Disposition",
  "Content-Encoding",
  "Content-Language",
];

function conditionsUnsupported({ name }: S3Bucket): SvcError {
  return new SvcError(
    "conditional-writes-unsupported",
    `${name} does not support conditional writes (501)`,
    {
      hint: "use a store that supports If-Match and If-None-Match: S3, R2, MinIO, or a newer version of this one",
    },
  );
}

function notReadable({ key }: Put, { signal }: AbortController): SvcError {
  return new SvcError(
    "upload-changed",
    `cannot read the file for "${key}": ${signal.reason.code ?? signal.reason.message}`,
    {
      hint: "a file changed during the upload: publish and deploy again",
    },
  );
}
