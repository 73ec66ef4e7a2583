import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FormatOptions } from "../../../src/import/format.ts";
import { storyblok } from "../../../src/import/storyblok.ts";
import { type Read, readExport } from "../read-export.ts";
import { temporaryFolder } from "../test-bed.ts";

/** A story or a part of one, without types, so that tests can build odd ones. */
// biome-ignore lint/suspicious/noExplicitAny: tests build odd exports freely
export type Loose = Record<string, any>;

/** A published story of the component `page`. */
export const story = (uuid: string, content: Loose = {}, more: Loose = {}) => ({
  uuid,
  name: uuid,
  full_slug: uuid,
  published: true,
  ...more,
  content: { _uid: "u", component: "page", ...content },
});

/** A component of stories and blocks. */
export const component = (name: string, schema: Loose, more: Loose = {}) => ({
  name,
  is_root: true,
  is_nestable: true,
  schema,
  ...more,
});

/** Writes files of an export; returns their paths. */
export function exportFiles(...files: readonly unknown[]): string[] {
  const folder = temporaryFolder();
  return files.map((file, at) => {
    const path = join(folder, `${at}.json`);
    writeFileSync(path, typeof file === "string" ? file : JSON.stringify(file));
    return path;
  });
}

/** Reads files with the importer. */
export function readFiles(paths: readonly string[], options: Partial<FormatOptions> = {}): Read {
  return readExport(storyblok, paths, options);
}

/** Reads stories and components. */
export function read(
  stories: readonly Loose[],
  components: readonly Loose[] = [],
  options: Partial<FormatOptions> = {},
): Read {
  return readFiles(exportFiles({ stories }, { components }), options);
}
