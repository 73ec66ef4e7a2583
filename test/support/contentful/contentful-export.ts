import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentful } from "../../../src/import/contentful.ts";
import type { FormatOptions, ReadExport } from "../../../src/import/format.ts";
import { NO_OPTIONS, type Read, readExport } from "../read-export.ts";
import { temporaryFolder } from "../test-bed.ts";

/** Parts of a Contentful export, without types, so that tests can build invalid ones. */
// biome-ignore lint/suspicious/noExplicitAny: tests build odd exports freely
export type Loose = Record<string, any>;

export const link = (id: string, linkType = "Entry") => ({ sys: { type: "Link", linkType, id } });

/** A content type; a field is given as its type, or as all members except the id. */
export function type(id: string, fields: Loose, more: Loose = {}): Loose {
  const toField = ([name, field]: [string, Loose | string]) =>
    typeof field === "string" ? { id: name, type: field } : { id: name, ...field };
  return {
    sys: { id, space: link("space1", "Space") },
    name: id,
    ...more,
    fields: Object.entries(fields).map(toField),
  };
}

/** A published entry with values in `en`. */
export function entry(id: string, typeId: string, values: Loose = {}, sys: Loose = {}): Loose {
  const contentType = link(typeId, "ContentType");
  return {
    sys: { id, contentType, version: 2, publishedVersion: 1, ...sys },
    fields: inEnglish(values),
  };
}

/** A published asset with a file in `en`. */
export function asset(id: string, file: Loose = {}, sys: Loose = {}): Loose {
  const whole = { url: `//images.example/${id}.png`, fileName: `${id}.png`, ...file };
  return {
    sys: { id, version: 2, publishedVersion: 1, ...sys },
    fields: inEnglish({ file: whole }),
  };
}

function inEnglish(values: Loose): Loose {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { en: value }]));
}

/** An export with the locale `en`; the given parts replace the defaults. */
export function exportOf(parts: Loose): Loose {
  return { entries: [], assets: [], locales: [{ code: "en", default: true }], ...parts };
}

/** Writes an export to a temporary folder; returns the path. */
export function exportFile(given: unknown, name = "export.json"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, typeof given === "string" ? given : JSON.stringify(given));
  return path;
}

/** Reads files with the importer, which holds none of their records. */
export function readFiles(
  paths: readonly string[],
  options: Partial<FormatOptions> = {},
): ReadExport {
  return contentful.read(paths, { ...NO_OPTIONS, ...options });
}

/** Reads an export with the importer. */
export function read(parts: Loose, options: Partial<FormatOptions> = {}): Read {
  return readAll([exportFile(exportOf(parts))], options);
}

export function readAll(paths: readonly string[], options: Partial<FormatOptions> = {}): Read {
  return readExport(contentful, paths, options);
}

/** The stored data of one imported entry of the type `page`. */
export function dataOf(fields: Loose, given: Loose, parts: Loose = {}, options = {}) {
  const one = { ...entry("e", "page"), fields: given };
  const { entries } = read(
    { contentTypes: [type("page", fields)], entries: [one], ...parts },
    options,
  );
  return entries[0]?.data;
}
