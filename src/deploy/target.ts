import { UsageError } from "../workspace/errors.ts";

/** The bucket and prefix that a deploy writes to. */
export interface DeployTarget {
  readonly bucket: string;
  /** Prepended to every key: empty, or with its final slash. */
  readonly prefix: string;
}

/**
 * Reads `s3://bucket[/prefix]`.
 *
 * @throws UsageError for anything else.
 */
export function parseTarget(text: string): DeployTarget {
  const parts = partsOf(text);
  if (parts !== undefined) return { bucket: parts.bucket, prefix: prefixOf(parts.segments) };
  throw new UsageError(
    `"${text}" is not a deploy target`,
    `a target is s3://bucket or s3://bucket/prefix: ${BUCKET_RULE}; a prefix letters, digits, '_', '-', '.' and '/'`,
  );
}

/** An object's key, and the bucket and prefix that it is below. */
export interface ObjectAddress {
  readonly folder: DeployTarget;
  /** Below the prefix, without a slash. */
  readonly key: string;
}

/**
 * Reads `s3://bucket/key`.
 *
 * @throws UsageError for anything else.
 */
export function parseObjectAddress(text: string): ObjectAddress {
  const { bucket, segments = [] } = text.endsWith("/") ? {} : (partsOf(text) ?? {});
  const key = segments.at(-1);
  if (bucket !== undefined && key !== undefined) {
    return { folder: { bucket, prefix: prefixOf(segments.slice(0, -1)) }, key };
  }
  throw new UsageError(
    `"${text}" is not the address of an object`,
    `an address is s3://bucket/key, such as s3://acme-store/workspace.db: ${BUCKET_RULE}; a key letters, digits, '_', '-', '.' and '/'`,
  );
}

function partsOf(text: string): { bucket: string; segments: string[] } | undefined {
  const [, bucket, path = ""] = TARGET.exec(text) ?? [];
  const segments = path === "" ? [] : path.split("/");
  // Only characters that need no escaping in the URL paths of the edge function and the CDN.
  const isPlain = segments.every((segment) => /^[A-Za-z0-9_-][\w.-]*$/.test(segment));
  return bucket === undefined || !isPlain ? undefined : { bucket, segments };
}

function prefixOf(segments: readonly string[]): string {
  return segments.map((segment) => `${segment}/`).join("");
}

const BUCKET_RULE = "a bucket has 3 to 63 lower-case letters, digits, '-' and '.'";

const TARGET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?)\/?)?$/;

/** The target as `s3://bucket/prefix`, without a final slash. */
export function targetName({ bucket, prefix }: DeployTarget): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, "");
}
