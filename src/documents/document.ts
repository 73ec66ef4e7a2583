import type { HeldFile } from "../workspace/asset.ts";
import type { Problem } from "../workspace/problem.ts";
import type { EntryNumber } from "./entry-lookup.ts";
import { assemble, type Recipe, type TextSource } from "./recipe.ts";
import type { Rendering } from "./rendering.ts";

/** The surface as data: renderers write it into the document and never branch on it. */
export interface Surface {
  readonly source: "published" | "preview";
  /** Null on preview, and in the bytes that are hashed and frozen (R1, R3). */
  readonly versionId: string | null;
}

export const PREVIEW: Surface = { source: "preview", versionId: null };
export const UNVERSIONED: Surface = { source: "published", versionId: null };

/**
 * A part of a document: a short text, the texts of entries joined by commas, or a long text that
 * other documents or other versions of this one may share.
 */
export type Part = string | readonly EntryNumber[] | { readonly text: string };

/** One JSON body. */
export interface Document {
  readonly parts: readonly Part[];
  /** UTF-8, complete with the final newline. */
  readonly bytes: Buffer;
  /** The asset files to which its urls lead. */
  readonly files: readonly HeldFile[];
  /** The problems of the records that it shows. */
  readonly problems: readonly Problem[];
}

/** The bytes of a document. */
export function bytesOf(rendering: Rendering, parts: readonly Part[]): Buffer {
  const recipe = parts.map((part) =>
    typeof part === "string" || !("text" in part) ? part : part.text,
  );
  const texts: TextSource = {
    sizeOf: (entry) => rendering.textOf(entry).length,
    copy: (entry, target, at) => target.set(rendering.textOf(entry), at),
  };
  return Buffer.from(assemble(recipe, texts));
}

/** The recipe of a document whose entries are all served and stored. */
export function recipeOf(rendering: Rendering, parts: readonly Part[]): Recipe {
  return parts.map((part) => {
    if (typeof part === "string") return part;
    if ("text" in part) return rendering.keepTexts([part.text]);
    return part.map((entry) => rendering.table.texts[entry] as number);
  });
}
