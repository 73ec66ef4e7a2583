import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { contentful } from "../../src/import/contentful.ts";
import type { Format } from "../../src/import/format.ts";
import { filesBelow } from "../../src/import/formats/export-file.ts";
import { sanity } from "../../src/import/sanity.ts";
import { storyblok } from "../../src/import/storyblok.ts";

/** A system of which there are real exports, outside of the repository. */
export interface System {
  readonly name: string;
  readonly format: Format;
  /** Names the folder that they are below. */
  readonly variable: string;
  /** The name of an export. */
  readonly pattern: RegExp;
  /** What `svc import` takes with an export, where it is beside it. */
  readonly beside?: { readonly file: string; readonly option?: string };
}

export const CONTENTFUL: System = {
  name: "contentful",
  format: contentful,
  variable: "SVC_CONTENTFUL_EXPORTS",
  pattern: /^export.*\.json$/,
};
export const SANITY: System = {
  name: "sanity",
  format: sanity,
  variable: "SVC_SANITY_EXPORTS",
  pattern: /\.ndjson$|\.tar\.gz$/,
  beside: { file: "schema.json", option: "--schema" },
};
export const STORYBLOK: System = {
  name: "storyblok",
  format: storyblok,
  variable: "SVC_STORYBLOK_EXPORTS",
  pattern: /^stories\.json$/,
  beside: { file: "components.json" },
};
export const SYSTEMS = [CONTENTFUL, SANITY, STORYBLOK];

/** The paths of the exports of a system. */
export function exportsOf({ variable, pattern }: System): string[] {
  const folder = process.env[variable] ?? "";
  return folder === "" ? [] : filesBelow(folder).filter((path) => pattern.test(basename(path)));
}

/** The file beside an export that is imported with it. */
export function besideOf({ beside }: System, path: string): string[] {
  const file = beside && join(dirname(path), beside.file);
  return file !== undefined && existsSync(file) ? [file] : [];
}

/** The arguments of `svc import` for an export, with all that belongs to it. */
export function importOf(system: System, path: string): string[] {
  const beside = besideOf(system, path);
  const { option = [] } = system.beside ?? {};
  return [
    "import",
    "--from",
    system.name,
    path,
    ...(beside.length > 0 ? [option].flat() : []),
    ...beside,
  ];
}
