import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FormatOptions } from "../../src/import/format.ts";
import { markdown } from "../../src/import/markdown.ts";
import { readExport } from "./read-export.ts";
import { temporaryFolder } from "./test-bed.ts";

export type Files = Readonly<Record<string, string | Buffer>>;

export function folderOf(files: Files): string {
  const folder = join(temporaryFolder(), "site");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export const readFolder = (folder: string, options: Partial<FormatOptions> = {}) =>
  readExport(markdown, [folder], options);

export const readFiles = (files: Files, options: Partial<FormatOptions> = {}) =>
  readFolder(folderOf(files), options);
