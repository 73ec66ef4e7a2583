import { filePath } from "../../../src/documents/address.ts";
import type { Surface } from "../../../src/documents/document.ts";
import { documents } from "../../../src/documents/documents.ts";
import type { Rendering } from "../../../src/documents/rendering.ts";
import { type FolderDraft, folderDraft, readRecords } from "../../../src/folder/folder-draft.ts";
import { readFolder } from "../../../src/folder/read-folder.ts";
import { type Parts, source } from "../test-bed.ts";

/** The parts as the draft of a folder; what an earlier one has too is the same object. */
export function draftOf(parts: Parts, earlier?: FolderDraft): FolderDraft {
  return folderDraft(readRecords(source(parts), earlier));
}

export function draftIn(folder: string): FolderDraft {
  return folderDraft(readRecords(readFolder(folder)));
}

/** Each document as text, by its path below `out/`. */
export function documentTexts(rendering: Rendering, surface: Surface): Map<string, string> {
  const all = [...documents(rendering, surface)];
  return new Map(all.map((one) => [filePath(one.address), one.bytes(null).toString()]));
}

/** S12: what the schema document says of collections alone. */
export function withoutPatterns([path, text]: readonly [string, string]): [string, string] {
  return [path, text.replaceAll(/,\s*"x-svc-patterns": \[[^\]]*\]/g, "")];
}
