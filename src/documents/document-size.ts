import {
  type Problem,
  type ProblemArguments,
  type ProblemPlace,
  problem,
} from "../workspace/problem.ts";
import type { Part } from "./document.ts";
import type { Rendering } from "./rendering.ts";

/** A document of more bytes is reported (P6). */
const LARGE = 1_000_000;
/** The greatest size that CloudFront compresses, in bytes. */
const LARGEST_COMPRESSED = 10_000_000;

/** How much longer a version id of 32 digits in quotes is than the null of an unversioned document. */
const VERSION_ID = 30;

/** The size of a document as published, in bytes of UTF-8, without its text being assembled. */
export function documentSize(rendering: Rendering, parts: readonly Part[]): number {
  let size = VERSION_ID;
  for (const part of parts) {
    if (typeof part === "string") size += Buffer.byteLength(part);
    else if ("text" in part) size += Buffer.byteLength(part.text);
    else {
      for (const entry of part) size += rendering.sizeOf(entry);
      size += Math.max(0, part.length - 1);
    }
  }
  return size;
}

export function isLarge(bytes: number): boolean {
  return bytes > LARGE;
}

/** P6: the problem of a document of this size; none: []. */
export function sizeProblems(
  at: ProblemPlace,
  args: ProblemArguments["document-over-1mb"],
): Problem[] {
  if (!isLarge(args.bytes)) return [];
  const isCompressed = args.bytes <= LARGEST_COMPRESSED;
  return [problem(at, isCompressed ? "document-over-1mb" : "document-over-10mb", args)];
}
