import { SvcError } from "../../workspace/errors.ts";
import type { FormatOptions } from "../format.ts";
import { nothingToImport } from "../formats/convert.ts";
import type { Notes } from "../formats/notes.ts";
import { HOW_TO_EXPORT } from "./export-file.ts";
import type { Survey } from "./survey.ts";

/** Fewer missing targets than this say nothing. */
const MINIMUM_MISSING = 10;

/**
 * @throws SvcError `export-invalid` when none of the entries would be imported (X4), `export-partial` when a
 *   third of the entries that links name are not in the files.
 */
export function assertImportable(survey: Survey, { part }: FormatOptions, notes: Notes): void {
  const { entries, targetCount: targets } = survey;
  if (entries.count > 0 && entries.importedCount === 0) {
    throw nothingToImport({ record: "entry", hint: HOW_TO_EXPORT }, notes);
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
