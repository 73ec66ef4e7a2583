import type { Readable } from "node:stream";
import type { Headers } from "../http/published-headers.ts";

/** An object as a listing tells it. */
export interface ObjectFacts {
  /** Below the target's prefix. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes; the MD5 of the bytes in most cases, in hex. */
  readonly etag: string;
  readonly lastModified: Date;
}

/** An object as it was stored: what `put` gave it. */
export interface ObjectHead extends ObjectFacts {
  /** Lower-case hex; undefined for an object that svc did not put there. */
  readonly sha256: string | undefined;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
}

export interface StoredObject extends ObjectFacts {
  readonly bytes: Buffer;
}

export interface ObjectBody {
  readonly bytes: Buffer | (() => Readable);
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Only if there is no such object yet; or only while it is the one with this tag. */
export type PutCondition = { readonly ifAbsent: true } | { readonly ifMatch: string };

/** What a deploy needs of a bucket; a prefix stands before every key, unseen. */
export interface ObjectStore {
  /** For messages: `s3://bucket/prefix`. */
  readonly name: string;
  get(key: string): Promise<StoredObject | undefined>;
  head(key: string): Promise<ObjectHead | undefined>;
  /** In the order of the keys' UTF-8 bytes. */
  list(prefix: string): AsyncIterable<ObjectFacts>;
  /** The folders directly in one, each with its final slash, in the same order. */
  folders(prefix: string): AsyncIterable<string>;
  /** The tag of the stored object; undefined, and nothing is stored, when the condition fails. */
  put(
    key: string,
    body: ObjectBody,
    headers: Headers,
    condition?: PutCondition,
  ): Promise<string | undefined>;
  /** Removes objects; those that are gone already count as removed. The keys that failed. */
  delete(keys: readonly string[]): Promise<readonly { key: string; reason: string }[]>;
}
