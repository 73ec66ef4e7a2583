import { printFunction } from "./print-function.ts";

export interface RequestFunctionOptions {
  /** Whether a KeyValueStore names the live release; else the bucket is served in place. */
  readonly kvs: boolean;
  /** The id of the distribution's origin that renders previews; "preview" when not given. */
  readonly preview?: string;
}

/** CloudFront's limit for the text of a function. */
export const MAX_FUNCTION_BYTES = 10_240;

/**
 * The text of a CloudFront Function for viewer requests, runtime `cloudfront-js-2.0`, that answers
 * as `svc serve` does (H1, H3, H4) in front of a bucket that `svc deploy` filled.
 */
export function printRequestFunction({ kvs, preview }: RequestFunctionOptions): string {
  if (!kvs) return printFunction("./in-place-request-function.js");
  return printFunction("./request-function.js", {
    ...(preview !== undefined && { PREVIEW_ORIGIN: preview }),
  });
}
