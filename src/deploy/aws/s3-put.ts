import { pipeline, type Readable, Transform } from "node:stream";
import {
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
} from "@aws-sdk/client-s3";
import type { Headers } from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { ObjectBody, PutCondition } from "../object-store.ts";
import type { Bucket } from "./s3-bucket.ts";
import { statusOf } from "./sdk-retry.ts";

/** The metadata of an object that holds the SHA-256 of its bytes. */
export const SHA256 = "sha256";

const ACTION = "s3:PutObject";

/** An upload into a bucket, and what was learnt about its store on the way. */
export function uploader(bucket: Bucket) {
  /** Ceph compares If-Match with the tag as it stands, so that a quoted one never matches. */
  let quote = '"';

  async function ifMatch(put: Put, tag: string): Promise<string | undefined> {
    const stored = await send(bucket, put, { IfMatch: `${quote}${tag}${quote}` });
    if (stored !== undefined || quote === "") return stored;
    if ((await tagOf(bucket, put.key)) !== tag) return undefined;
    const unquoted = await send(bucket, put, { IfMatch: tag });
    if (unquoted !== undefined) quote = "";
    return unquoted;
  }

  /** ObjectStore's `put`. */
  return async (
    key: string,
    body: ObjectBody,
    headers: Headers,
    condition?: PutCondition,
  ): Promise<string | undefined> => {
    const put = { key, body, headers };
    if (condition === undefined) return send(bucket, put, {});
    if ("ifMatch" in condition) return ifMatch(put, condition.ifMatch);
    return send(bucket, put, { IfNoneMatch: "*" });
  };
}

interface Put {
  readonly key: string;
  readonly body: ObjectBody;
  readonly headers: Headers;
}

type Condition = Pick<PutObjectCommandInput, "IfMatch" | "IfNoneMatch">;

async function send(bucket: Bucket, put: Put, condition: Condition): Promise<string | undefined> {
  return bucket.ask(ACTION, async (retries) => {
    try {
      return await sendOnce(bucket, put, condition);
    } catch (error) {
      const status = statusOf(error);
      const conditional = Object.keys(condition).length > 0;
      if (conditional && status === 501) throw unconditional(bucket);
      const failed = status === 412 || (status === 404 && condition.IfMatch !== undefined);
      if (!conditional || !failed || (error as Error).name === "NoSuchBucket") throw error;
      // An earlier attempt may have stored it, and only its answer was lost.
      return retries > 0 ? tagOf(bucket, put.key, put.body.sha256) : undefined;
    }
  });
}

async function sendOnce(bucket: Bucket, put: Put, condition: Condition): Promise<string> {
  const { key, body, headers } = put;
  const stream = Buffer.isBuffer(body.bytes) ? undefined : ofSize(body.bytes(), body.size);
  const unreadable = new AbortController();
  // Nobody else listens: an unreadable file would end the process.
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
  // The hash that is signed: the store refuses other bytes, and a stream need not be read twice.
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
    return bare(ETag);
  } catch (error) {
    if (!bucket.signal.aborted && unreadable.signal.aborted) throw notReadable(put, unreadable);
    throw error;
  } finally {
    stream?.destroy();
  }
}

/**
 * A stream that fails unless it has just so many bytes: the store would wait for those that are
 * missing until time is out.
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

/** The tag of what is stored, when it is (with these bytes, if their hash is given). */
async function tagOf(bucket: Bucket, key: string, sha256?: string): Promise<string | undefined> {
  return bucket.ask("s3:GetObject", async () => {
    const object = { Bucket: bucket.bucket, Key: `${bucket.prefix}${key}` };
    const asked = bucket.client.send(new HeadObjectCommand(object), {
      abortSignal: bucket.signal,
    });
    const { ETag, Metadata } = await asked.catch((error) => {
      if (statusOf(error) === 404)
        return {} as { ETag?: string; Metadata?: Record<string, string> };
      throw error;
    });
    if (ETag === undefined || (sha256 !== undefined && Metadata?.[SHA256] !== sha256)) return;
    return bare(ETag);
  });
}

/** A tag without its quotes. */
export function bare(tag: string | undefined): string {
  return (tag ?? "").replaceAll('"', "");
}

/** The headers that S3 keeps with an object; others are the CDN's to add. */
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

function unconditional({ name }: Bucket): SvcError {
  return new SvcError("conditional-writes-unsupported", `${name} has no conditional writes (501)`, {
    hint: "deploy to a store that knows If-Match and If-None-Match: S3, R2, MinIO, or a newer version of this one",
  });
}

function notReadable({ key }: Put, { signal }: AbortController): SvcError {
  return new SvcError(
    "upload-changed",
    `cannot read what becomes "${key}": ${signal.reason.code ?? signal.reason.message}`,
    {
      hint: "a file changed while it was uploaded: publish and deploy again",
    },
  );
}
