import { SvcError } from "../../workspace/errors.ts";
import type { FormatOptions } from "../format.ts";
import type { Survey } from "./survey.ts";

/** Fewer missing targets than this say nothing. */
const MINIMUM_MISSING = 10;

/**
 * @throws SvcError `export-unpublished` when no entry would be imported, `export-partial` when a
 *   third of the entries that links name are not in the files.
 */
export function assertImportable(survey: Survey, { part }: FormatOptions): void {
  const { entries, targetCount: targets } = survey;
  const isImported = entries.ids.some((_, number) => entries.isImported(number));
  if (entries.count > 0 && !isImported) {
    throw new SvcError("export-unpublished", `none of the ${entries.count} entries is published`, {
      hint: "--drafts imports drafts, though no archived entries; the store was not changed",
    });
  }
  const missing = entries.ids.length - entries.count;
  if (part || missing < MINIMUM_MISSING || missing * 3 < targets) return;
  throw new SvcError(
    "export-partial",
    `${missing} of the ${targets} entries that links point at are not in the export`,
    {
      hint: "give all files of the export in one command, as an import replaces the whole draft; --part imports it as it is",
    },
  );
}
