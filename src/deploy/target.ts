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
  const [, bucket, path = ""] = TARGET.exec(text) ?? [];
  const segments = path === "" ? [] : path.split("/");
  // Only characters that need no escaping in the URL paths of the edge function and the CDN.
  const isPlain = segments.every((segment) => /^[A-Za-z0-9_-][\w.-]*$/.test(segment));
  if (bucket !== undefined && isPlain) {
    return { bucket, prefix: segments.map((segment) => `${segment}/`).join("") };
  }
  throw new UsageError(
    `"${text}" is not a deploy target`,
    `a target is s3://bucket or s3://bucket/prefix: a bucket has 3 to 63 lower-case letters, digits, '-' and '.'; a prefix letters, digits, '_', '-', '.' and '/'`,
  );
}

const TARGET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?)\/?)?$/;

/** The target as `s3://bucket/prefix`, without a final slash. */
export function targetName({ bucket, prefix }: DeployTarget): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, "");
}
