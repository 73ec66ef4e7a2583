import { SvcError } from "../../workspace/errors.ts";
import type { FormatOptions } from "../format.ts";
import type { Survey } from "./survey.ts";

/** Fewer missing targets than this say nothing. */
const MINIMUM_MISSING = 10;

/**
 * @throws SvcError `export-unpublished` when no entry would be imported, `export-partial` when more
 *   than a third of the entries that links name are not in the files.
 */
export function assertImportable(survey: Survey, { part }: FormatOptions): void {
  const { entryPlaces, typeIds, entries } = survey;
  const present = entryPlaces.filter((place) => place !== undefined).length;
  if (present > 0 && !typeIds.some((type) => type !== undefined)) {
    throw new SvcError("export-unpublished", `none of the ${present} entries is published`, {
      hint: "--drafts imports drafts, though no archived entries; the store was not changed",
    });
  }
  const targets = survey.targetCount;
  const missing = entries.ids.length - present;
  if (part || missing < MINIMUM_MISSING || missing * 3 < targets) return;
  throw new SvcError(
    "export-partial",
    `${missing} of the ${targets} entries that links point at are not in the export`,
    {
      hint: "give all files of the export in one command, as an import replaces the whole draft; --part imports it as it is",
    },
  );
}
