import type { HeldFile } from "../workspace/asset.ts";
import type { Problem } from "../workspace/problem.ts";

/** The surface as data: renderers put it into the document and never ask what it means. */
export interface Surface {
  readonly source: "published" | "preview";
  /** Null on preview, and in the bytes that are hashed and frozen (R1, R3). */
  readonly versionId: string | null;
}

export const PREVIEW: Surface = { source: "preview", versionId: null };
export const UNVERSIONED: Surface = { source: "published", versionId: null };

/** One JSON body. */
export interface Document {
  /** UTF-8, complete with the final newline. */
  readonly bytes: Buffer;
  /** The ids of the entries that it shows. */
  readonly entryIds: readonly string[];
  /** The asset files whose urls it holds. */
  readonly files: readonly HeldFile[];
  /** What is wrong with what it shows. */
  readonly problems: readonly Problem[];
}
