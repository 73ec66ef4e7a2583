import { UsageError } from "../workspace/errors.ts";

/** Where a deploy goes. */
export interface Target {
  readonly bucket: string;
  /** Stands before every key: empty, or with its final slash. */
  readonly prefix: string;
}

/**
 * Reads `s3://bucket[/prefix]`.
 *
 * @throws UsageError for anything else.
 */
export function parseTarget(text: string): Target {
  const [, bucket, path = ""] = TARGET.exec(text) ?? [];
  const segments = path === "" ? [] : path.split("/");
  // The edge function and the CDN name objects by URL paths: nothing in one may need care.
  if (bucket !== undefined && segments.every((segment) => /^[A-Za-z0-9_-][\w.-]*$/.test(segment))) {
    return { bucket, prefix: segments.map((segment) => `${segment}/`).join("") };
  }
  throw new UsageError(
    `"${text}" is no target of a deploy`,
    "a target is s3://bucket or s3://bucket/prefix: 3 to 63 small letters, digits, '-' and '.'; then letters, digits, '_', '-' and '.'",
  );
}

const TARGET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?)\/?)?$/;

/** The target as it is written, without a final slash. */
export function targetName({ bucket, prefix }: Target): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, "");
}
