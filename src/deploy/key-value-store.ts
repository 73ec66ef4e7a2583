/** A consistent snapshot of a CloudFront KeyValueStore. */
export interface KeyValues {
  /** The version of this snapshot, for `update`. */
  readonly etag: string;
  readonly values: ReadonlyMap<string, string>;
}

export interface KeyValueChange {
  readonly puts?: ReadonlyMap<string, string>;
  readonly deletes?: readonly string[];
}

export const KVS_ARN = /^arn:aws:cloudfront::\d{12}:key-value-store\/[\w-]+$/;
export const KVS_ARN_FORMAT = "the format is arn:aws:cloudfront::<12 digits>:key-value-store/<id>";

/** In place of an ARN: the pointers are an object of the bucket (L2a). */
export const IN_BUCKET = "bucket";

/** CloudFront's limit of keys in one `update`. */
export const MAX_KEYS = 50;

/** @throws RangeError for more than 50. */
export function assertFewKeys({ puts = new Map(), deletes = [] }: KeyValueChange): void {
  const count = puts.size + deletes.length;
  if (count > MAX_KEYS) {
    throw new RangeError(`${count} keys in one update; the limit is ${MAX_KEYS}`);
  }
}

/** What a deploy needs of a CloudFront KeyValueStore, or of what is in its place. */
export interface KeyValueStore {
  /** For messages: the ARN, or the object's address. */
  readonly arn: string;
  /** All keys and values as one snapshot. */
  read(): Promise<KeyValues>;
  /**
   * Changes at most 50 keys atomically if the store still has this ETag.
   *
   * @returns the new ETag, or "stale" when the store has changed.
   */
  update(etag: string, change: KeyValueChange): Promise<{ etag: string } | "stale">;
}
