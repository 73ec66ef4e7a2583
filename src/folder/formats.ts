import { UsageError } from "../workspace/errors.ts";
import { contentful } from "./contentful.ts";
import type { Format } from "./format.ts";
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
