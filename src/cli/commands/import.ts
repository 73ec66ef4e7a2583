import { FORMAT_NAMES } from "../../folder/formats.ts";
import { readFolder } from "../../folder/read-folder.ts";
import { withStore } from "../../store/with-store.ts";
import { UsageError } from "../../workspace/errors.ts";
import { importExport } from "../import-export.ts";
import { countsText } from "../output/words.ts";
import { type Run, takenBy } from "../table/table.ts";

export const importCommand: Run<"import"> = async (output, options) => {
  const paths = options.folder;
  if (options.from !== undefined) return importExport(output, options, options.from, paths);
  const ofExports = takenBy("import").map(([flags]) => flags.split(" ")[0]);
  const given = Object.keys(options).map(longName);
  const name = given.find((long) => ofExports.includes(long));
  if (name !== undefined) {
    throw new UsageError(
      `${name} applies only to exports of other systems`,
      `add --from with one of ${FORMAT_NAMES.join(", ")}; or leave ${name} out`,
    );
  }
  const [folder = "", other] = paths;
  if (other !== undefined) {
    throw new UsageError(
      `a workspace folder is imported alone, and "${other}" is another`,
      "name one folder; with --from, all files of one export",
    );
  }
  const { workspaceId, counts } = await withStore(
    options.store,
    (store) => store.import(readFolder(folder), new Date()),
    { create: true },
  );
  output.result({ workspaceId, counts }, `imported "${workspaceId}": ${countsText(counts)}`);
  output.note("next: svc check, then svc publish");
};

/** "--dry-run" for "dryRun". */
function longName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
