import { Readable } from "node:stream";
import { isSha256 } from "../../documents/version-id.ts";
import type { Headers } from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import type {
  ObjectBody,
  ObjectFacts,
  ObjectHead,
  ObjectStore,
  PutCondition,
  StoredObject,
} from "../object-store.ts";
import type { DeployTarget } from "../target.ts";
import { type AwsRequest, type AwsResponse, answerTooLarge, bytesOf } from "./aws-service.ts";
import { AwsError, codeOf, type ResponseHeaders } from "./failures.ts";
import { openS3Bucket, type S3Bucket, type S3Options } from "./s3-bucket.ts";
import { deleteObjects } from "./s3-delete.ts";
import { elementsOf, textOf } from "./xml.ts";

/** S3's limit of objects in a page of a listing. */
const PAGE = 1_000;

/** L13, in bytes: of an object that is read into memory. */
const MAX_READ = 256 * 1024 * 1024;
/** L13: of a listing. */
const MAX_PAGES = 2_000;

// Without s3:ListBucket, S3 responds with 403 for a missing object.
const READING = "s3:GetObject and s3:ListBucket";

const SHA256 = "x-amz-meta-sha256";

/**
 * Opens a bucket of S3 or of an S3-compatible store (R2, MinIO, Ceph). Requests are retried as in
 * failures.ts; when the signal is aborted, all of them throw its reason.
 */
export function openObjectStore(target: DeployTarget, options: S3Options): ObjectStore {
  const bucket = openS3Bucket(target, options);
  return {
    name: bucket.name,
    get: (key) => get(bucket, key),
    head: (key) => head(bucket, key),
    list: (prefix) => list(bucket, prefix),
    folders: (prefix) => folders(bucket, prefix),
    put: uploader(bucket),
    delete: (keys, etags, beforeSend) => deleteObjects(bucket, keys, etags, beforeSend),
  };
}

async function get(bucket: S3Bucket, key: string): Promise<StoredObject | undefined> {
  return bucket.request(READING, async () => {
    const response = await found(bucket, "GET", key);
    if (response === undefined) return undefined;
    const bytes = await bytesOf(response, MAX_READ);
    const facts = factsOf(key, response.headers);
    // L6b: two times of one response.
    const age = Date.parse(String(response.headers.date)) - +facts.lastModified;
    const isTold = age > 0 && +facts.lastModified > 0;
    return { ...facts, size: bytes.length, bytes, age: isTold ? age : 0 };
  });
}

async function head(bucket: S3Bucket, key: string): Promise<ObjectHead | undefined> {
  return bucket.request(READING, () => headOnce(bucket, key));
}

async function headOnce(bucket: S3Bucket, key: string): Promise<ObjectHead | undefined> {
  const response = await found(bucket, "HEAD", key);
  await response?.body.dump();
  return response && headOf(key, response.headers);
}

/** The response to a request for an object; undefined when there is none. */
async function found(
  bucket: S3Bucket,
  method: AwsRequest["method"],
  key: string,
): Promise<AwsResponse | undefined> {
  return bucket.send(key, { method }).catch((error): undefined => {
    // A 404 to HEAD has no body: a missing bucket looks like a missing object.
    const isAbsent = error instanceof AwsError && /^(?:NoSuchKey|Unknown)$/.test(error.name);
    if (!isAbsent || error.status !== 404) throw error;
  });
}

async function* list(bucket: S3Bucket, prefix: string): AsyncGenerator<ObjectFacts> {
  for await (const page of pages(bucket, prefix)) {
    for (const object of listedIn(bucket, page, "Contents")) {
      const lastModified = dateOf(textOf(object, "LastModified"));
      // A prune removes by age.
      if (+lastModified === 0) throw noBucket(bucket, "lists keys without a date");
      yield {
        key: keyOf(bucket, prefix, textOf(object, "Key")),
        size: Number(textOf(object, "Size")),
        etag: unquoted(textOf(object, "ETag")),
        lastModified,
      };
    }
  }
}

async function* folders(bucket: S3Bucket, prefix: string): AsyncGenerator<string> {
  for await (const page of pages(bucket, prefix, { delimiter: "/" })) {
    for (const folder of listedIn(bucket, page, "CommonPrefixes")) {
      yield keyOf(bucket, prefix, textOf(folder, "Prefix"));
    }
  }
}

function listedIn({ name }: S3Bucket, page: string, element: string): string[] {
  const found = elementsOf(page, element);
  if (found.length <= PAGE) return found;
  throw answerTooLarge(`${name} lists ${found.length} keys at once`);
}

async function* pages(
  bucket: S3Bucket,
  prefix: string,
  more: { delimiter?: string } = {},
): AsyncGenerator<string> {
  let next = "";
  let count = 0;
  do {
    count += 1;
    if (count > MAX_PAGES) throw answerTooLarge(`${bucket.name} lists more than 2 million keys`);
    const query = {
      "list-type": "2",
      prefix: `${bucket.prefix}${prefix}`,
      "max-keys": String(PAGE),
      // A key may have characters that XML cannot represent.
      "encoding-type": "url",
      ...more,
      ...(next !== "" && { "continuation-token": next }),
    };
    const page = await bucket.request("s3:ListBucket", async () => {
      const response = await bucket.send(undefined, { method: "GET", query });
      return (await bytesOf(response)).toString();
    });
    if (!/<ListBucketResult[\s/>]/.test(page)) {
      throw noBucket(bucket, "answers with something else than a listing");
    }
    yield page;
    next = textOf(page, "IsTruncated") === "true" ? textOf(page, "NextContinuationToken") : "";
  } while (next !== "");
}

/** Decodes a listed key, and removes the target's prefix. L13: it is below what was asked for. */
function keyOf(bucket: S3Bucket, asked: string, listed: string): string {
  const { prefix } = bucket;
  const key = decoded(listed.replaceAll("+", " "));
  if (key?.startsWith(prefix + asked)) return key.slice(prefix.length);
  throw noBucket(bucket, `lists keys that are not below "${prefix}${asked}"`);
}

function noBucket({ name }: S3Bucket, what: string): SvcError {
  return new SvcError("store-refused", `${name} ${what}`, {
    hint: "check the target and the endpoint: this is no bucket that svc can use",
  });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** What is no date is as old as can be. */
function dateOf(text: string): Date {
  const date = new Date(text);
  return Number.isNaN(+date) ? new Date(0) : date;
}

interface Put {
  readonly key: string;
  readonly body: ObjectBody;
  readonly headers: Headers;
  readonly beforeAttempt: PutCondition["beforeAttempt"];
}

type Condition = Readonly<Record<string, string>>;

/** Returns the `put` of an ObjectStore, which adapts to the store's form of If-Match. */
function uploader(bucket: S3Bucket): ObjectStore["put"] {
  /** Ceph compares If-Match with the unquoted ETag: a quoted one never matches. */
  let quote = '"';

  async function ifMatch(put: Put, etag: string): Promise<string | undefined> {
    const stored = await send(bucket, put, { "if-match": `${quote}${etag}${quote}` });
    if (stored !== undefined || quote === "") return stored;
    if ((await head(bucket, put.key))?.etag !== etag) return undefined;
    const retried = await send(bucket, put, { "if-match": etag });
    if (retried !== undefined) quote = "";
    return retried;
  }

  return async (key, body, headers, condition) => {
    const put = { key, body, headers, beforeAttempt: condition?.beforeAttempt };
    if (condition === undefined) return send(bucket, put, {});
    if ("ifMatch" in condition) return ifMatch(put, condition.ifMatch);
    return send(bucket, put, { "if-none-match": "*" });
  };
}

async function send(bucket: S3Bucket, put: Put, condition: Condition): Promise<string | undefined> {
  return bucket.request("s3:PutObject", async (retries) => {
    await put.beforeAttempt?.();
    try {
      return await sendOnce(bucket, put, condition);
    } catch (error) {
      const isConditional = Object.keys(condition).length > 0;
      if (!isConditional || !(error instanceof AwsError)) throw error;
      const { status, name } = error;
      if (status === 501) throw conditionsUnsupported(bucket);
      const hasFailed = status === 412 || (status === 404 && "if-match" in condition);
      if (!hasFailed || name === "NoSuchBucket") throw error;
      if (retries === 0) return undefined;
      // An earlier attempt may have succeeded, and its response been lost.
      const stored = await head(bucket, put.key);
      return stored?.sha256 === put.body.sha256 ? stored.etag : undefined;
    }
  });
}

async function sendOnce(bucket: S3Bucket, put: Put, condition: Condition): Promise<string> {
  const { key, body, headers } = put;
  const response = await bucket.send(key, {
    method: "PUT",
    headers: {
      ...storable(headers),
      "content-length": String(body.size),
      [SHA256]: body.sha256,
      // L14a: buckets with Object Lock require a checksum beside that of the signature.
      "x-amz-checksum-sha256": Buffer.from(body.sha256, "hex").toString("base64"),
      ...condition,
    },
    body: Buffer.isBuffer(body.bytes) ? body.bytes : Readable.from(piecesOf(key, body)),
    // Signing the known hash makes the store refuse other bytes, without reading a stream twice.
    sha256: body.sha256,
  });
  await response.body.dump();
  return unquoted(String(response.headers.etag ?? ""));
}

/**
 * The pieces of a stream, whose errors are told from those of the network. It fails unless there are
 * exactly `size` bytes: the store would wait for missing ones until the timeout.
 */
async function* piecesOf(key: string, { bytes, size }: ObjectBody): AsyncGenerator<Buffer> {
  let left = size;
  try {
    for await (const piece of Buffer.isBuffer(bytes) ? [bytes] : bytes()) {
      left -= piece.length;
      if (left < 0) throw new Error(`it has more than ${size} bytes`);
      yield piece;
    }
  } catch (error) {
    throw notReadable(key, codeOf(error) ?? (error as Error).message);
  }
  if (left > 0) throw notReadable(key, `it has only ${size - left} of ${size} bytes`);
}

function unquoted(etag: string): string {
  return etag.replaceAll('"', "");
}

/** The headers that S3 stores with an object; the CDN adds the others. */
function storable(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name]) => STORABLE.test(name)),
  );
}

const STORABLE = /^(?:cache-control|content-(?:type|disposition|encoding|language))$/;

function headOf(key: string, headers: ResponseHeaders): ObjectHead {
  const text = (name: string) => headers[name]?.toString();
  return {
    ...factsOf(key, headers),
    size: Number(text("content-length") ?? 0),
    sha256: isSha256(text(SHA256)) ? text(SHA256) : undefined,
    contentType: text("content-type"),
    cacheControl: text("cache-control"),
  };
}

function factsOf(key: string, headers: ResponseHeaders) {
  const lastModified = dateOf(String(headers["last-modified"]));
  return { key, etag: unquoted(String(headers.etag ?? "")), lastModified };
}

function conditionsUnsupported({ name }: S3Bucket): SvcError {
  return new SvcError(
    "conditional-writes-unsupported",
    `${name} does not support conditional writes (501)`,
    {
      hint: "use a store that supports If-Match and If-None-Match: S3, R2, MinIO, or a newer version of this one",
    },
  );
}

function notReadable(key: string, reason: string): SvcError {
  return new SvcError("upload-changed", `cannot read the file for "${key}": ${reason}`, {
    hint: "a file changed during the upload: publish and deploy again",
  });
}
