import { SvcError, UsageError } from "../workspace/errors.ts";
import { contentful } from "./contentful.ts";
import type { Format, FormatOptions, ReadExport } from "./format.ts";
import { seemingHint } from "./formats/seeming-format.ts";
import { markdown } from "./markdown.ts";
import { sanity } from "./sanity.ts";
import { storyblok } from "./storyblok.ts";

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
    const hint = paths.map((path) => seemingHint(path, format.name)).find(Boolean);
    if (hint === undefined) throw error;
    throw new SvcError(code, message, { hint, cause: error, ...(problems && { problems }) });
  }
}
