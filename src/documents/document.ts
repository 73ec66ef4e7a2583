import type { HeldFile } from "../workspace/asset.ts";
import {
  type Problem,
  type ProblemArguments,
  type ProblemPlace,
  problem,
} from "../workspace/problem.ts";
import type { Address } from "./address.ts";

/** The surface as data: renderers write it into the document and never branch on it. */
export type Surface = "published" | "preview";

/** One JSON body at one address. */
export interface Document {
  readonly address: Address;
  /**
   * UTF-8, complete with the final newline.
   *
   * @param versionId null on preview, and in the bytes that are hashed and frozen (R1, R3).
   */
  bytes(versionId: string | null): Buffer;
  /** How many bytes, with version id null. */
  readonly size: number;
  /** The asset files to which its urls lead. */
  readonly files: readonly HeldFile[];
  /** The problems of the records that it shows. */
  readonly problems: readonly Problem[];
}

/** How much longer a version id of 32 digits in quotes is than the null of an unversioned document. */
export const VERSION_ID_GROWTH = 30;

/** P6: by kind of document, of how many bytes at most it is no problem. */
const LIGHT = { content: 150_000, config: 1_000_000, schema: 1_000_000 };
/** P6b: of a content document, in bytes. */
export const LARGEST_CONTENT = 64_000_000;

/** P6: whether a document of this size as published is reported. */
export function isHeavy(document: keyof typeof LIGHT, bytes: number): boolean {
  return bytes > LIGHT[document];
}

/** P6, P6b: the problem of a document of this size as published; none: []. */
export function sizeProblems(
  at: ProblemPlace,
  args: ProblemArguments["document-heavy"],
): Problem[] {
  const { document, bytes } = args;
  if (!isHeavy(document, bytes)) return [];
  const isTooLarge = document === "content" && bytes > LARGEST_CONTENT;
  return [problem(at, isTooLarge ? "document-over-64mb" : "document-heavy", args)];
}
