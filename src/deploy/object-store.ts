import type { Readable } from "node:stream";
import type { Headers } from "../http/published-headers.ts";

/** What a listing has of an object. */
export interface ObjectFacts {
  /** Below the target's prefix. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes; usually the MD5 of the bytes in hex. */
  readonly etag: string;
  readonly lastModified: Date;
}

/** An object's metadata as `put` stored it. */
export interface ObjectHead extends ObjectFacts {
  /** Lower-case hex; undefined for an object that svc did not put there. */
  readonly sha256: string | undefined;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
}

export interface StoredObject extends ObjectFacts {
  readonly bytes: Buffer;
  /** Milliseconds since it was written, by the store's clock alone; 0 where the store does not tell. */
  readonly age: number;
}

export interface ObjectBody {
  readonly bytes: Buffer | (() => Readable);
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** If-None-Match: * or If-Match with an ETag. */
export type PutCondition = ({ readonly ifAbsent: true } | { readonly ifMatch: string }) & {
  /** Awaited before each attempt; what it throws ends the request. */
  readonly beforeAttempt?: () => Promise<void>;
};

/** That the object still has this ETag; undefined: that there is none. */
export function unchangedSince(etag: string | undefined): PutCondition {
  return etag === undefined ? { ifAbsent: true } : { ifMatch: etag };
}

/** The beginning of the reason of an object that was not removed because its ETag is another. */
export const PRECONDITION_FAILED = "PreconditionFailed";

/** What a deploy needs of a bucket. Keys are relative to the target's prefix. */
export interface ObjectStore {
  /** For messages: `s3://bucket/prefix`. */
  readonly name: string;
  get(key: string): Promise<StoredObject | undefined>;
  head(key: string): Promise<ObjectHead | undefined>;
  /** Sorted by the UTF-8 bytes of the keys. */
  list(prefix: string): AsyncIterable<ObjectFacts>;
  /** The direct subfolders of a prefix, each with its final slash, sorted likewise. */
  folders(prefix: string): AsyncIterable<string>;
  /** Returns the new ETag; undefined when the condition fails and nothing is stored. */
  put(
    key: string,
    body: ObjectBody,
    headers: Headers,
    condition?: PutCondition,
  ): Promise<string | undefined>;
  /**
   * Removes objects, existing or not. Returns the keys that failed.
   *
   * @param etags by key: a store that checks them keeps an object whose ETag is another.
   * @param beforeSend called before each attempt, when it is signed; what it throws ends the request.
   */
  delete(
    keys: readonly string[],
    etags?: ReadonlyMap<string, string>,
    beforeSend?: () => void,
  ): Promise<readonly { key: string; reason: string }[]>;
}
