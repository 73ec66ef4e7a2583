import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { hasWorkspaceFile } from "../folder/find-workspace.ts";
import { SvcError, UsageError } from "../workspace/errors.ts";
import { contentful } from "./contentful.ts";
import type { Format, FormatOptions, ReadExport } from "./format.ts";
import { filesBelow } from "./formats/export-file.ts";
import { isMarkdown } from "./markdown/file-kinds.ts";
import { markdown } from "./markdown.ts";
import { sanity } from "./sanity.ts";
import { storyblok } from "./storyblok.ts";
import { isArchive } from "./unpack-archive.ts";

/** Every format besides the workspace folder. To add one: a file in this folder and a line here. */
const FORMATS: readonly Format[] = [contentful, markdown, sanity, storyblok];

export const FORMAT_NAMES: readonly string[] = FORMATS.map(({ name }) => name);

/** @throws UsageError for an unknown name. */
export function formatNamed(name: string): Format {
  const format = FORMATS.find((one) => one.name === name);
  if (format !== undefined) return format;
  throw new UsageError(`unknown format "${name}"`, `--from takes: ${FORMAT_NAMES.join(", ")}`);
}

/** @throws what `Format.read` throws; X4: with a hint where the files seem to be something else. */
export function readExport(
  format: Format,
  paths: readonly string[],
  options: FormatOptions,
): ReadExport {
  try {
    return format.read(paths, options);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== "export-invalid") throw error;
    const { code, message, problems } = error;
    // Texts with faults are of that format.
    if (problems !== undefined) throw error;
    const hint = paths.map((path) => seemingHint(path, format.name)).find(Boolean);
    if (hint === undefined) throw error;
    throw new SvcError(code, message, { hint, cause: error });
  }
}

/** How much of a file is looked at, in bytes. */
const LOOKED_AT = 1024 * 1024;

const FILES = 10;

/**
 * How to import what is no export of the wanted format: by the members at its beginning, or by its
 * name. Undefined: it seems to be of that format, or of none.
 */
function seemingHint(path: string, wanted: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const isFolder = statSync(path).isDirectory();
  if (isFolder && hasWorkspaceFile(path)) {
    return "it seems to be a workspace folder: import it without --from";
  }
  const format = isFolder ? formatIn(path) : formatOf(path);
  if (format === undefined || format === wanted) return undefined;
  return `it seems to be an export of ${format}: --from ${format} imports it`;
}

function formatIn(folder: string): string | undefined {
  const paths = filesBelow(folder, 3);
  const json = paths.filter((path) => /\.(?:nd)?json$/i.test(path)).slice(0, FILES);
  const found = json.map(formatOf).find((format) => format !== undefined);
  return found ?? (paths.some(isMarkdown) ? "markdown" : undefined);
}

function formatOf(path: string): string | undefined {
  if (isMarkdown(path)) return "markdown";
  if (isArchive(path)) return "sanity";
  const text = beginningOf(path);
  const has = (...names: readonly string[]) =>
    names.every((name) => new RegExp(`"${name}"\\s*:`).test(text));
  if (has("contentTypes")) return "contentful";
  if (has("_id", "_type")) return "sanity";
  const isStoryblok =
    ["stories", "components", "story"].some((name) => has(name)) ||
    has("content", "full_slug") ||
    has("name", "schema");
  return isStoryblok ? "storyblok" : undefined;
}

function beginningOf(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(LOOKED_AT);
    return bytes.toString("latin1", 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
