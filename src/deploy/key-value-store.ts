/** A state of a CloudFront KeyValueStore. */
export interface KeyValues {
  /** The tag of this state, for `update`. */
  readonly etag: string;
  readonly values: ReadonlyMap<string, string>;
}

export interface KeyValueChange {
  readonly puts?: ReadonlyMap<string, string>;
  readonly deletes?: readonly string[];
}

/** The form of a KeyValueStore's ARN. */
export const KVS_ARN = /^arn:aws:cloudfront::\d{12}:key-value-store\/[\w-]+$/;

/** The most keys that one `update` may change. */
export const MOST_KEYS = 50;

/** What a deploy needs of a CloudFront KeyValueStore. */
export interface KeyValueStore {
  /** For messages. */
  readonly arn: string;
  /** Every key with its value, all of one state. */
  read(): Promise<KeyValues>;
  /**
   * Changes at most 50 keys, all or nothing, if the store's state is the one of this tag. The new
   * tag, or "stale" when the state is another.
   */
  update(etag: string, change: KeyValueChange): Promise<{ etag: string } | "stale">;
}
