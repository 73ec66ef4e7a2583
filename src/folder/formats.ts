import { UsageError } from "../workspace/errors.ts";
import { contentful } from "./contentful.ts";
import type { Format } from "./format.ts";

/** Every format beside the workspace folder. A new one is a file beside this one and a line here. */
const FORMATS: readonly Format[] = [contentful];

/** @throws UsageError for a name that no format has. */
export function formatNamed(name: string): Format {
  const format = FORMATS.find((one) => one.name === name);
  if (format !== undefined) return format;
  const known = FORMATS.map((one) => one.name).join(", ");
  throw new UsageError(`there is no format "${name}"`, `--from takes: ${known}`);
}
