import { FORMAT_NAMES } from "../../folder/formats.ts";
import { readFolder } from "../../folder/read-folder.ts";
import { withStore } from "../../store/with-store.ts";
import { UsageError } from "../../workspace/errors.ts";
import { action, command, notEmpty } from "../command.ts";
import { type ExportOptions, importExport } from "../import-export.ts";
import { countsText } from "../output/counted.ts";
import type { Output } from "../output/output.ts";

interface ImportOptions extends ExportOptions {
  readonly from?: string;
}

export const importCommand = command("import", [
  "svc import shop",
  "svc import --from contentful export.json --write blog",
])
  .argument(
    "<folder...>",
    "the workspace folder; with --from, the files of one export",
    notEmptyList,
  )
  .option(
    "--from <format>",
    `import an export of another system: ${FORMAT_NAMES.join(", ")}`,
    notEmpty,
  )
  .option(
    "--locale <code>",
    "with --from: import this locale alone (contentful: * for all)",
    notEmpty,
  )
  .option(
    "--roots <types>",
    "with --from: content types (a,b) whose entries become experiences",
    toList,
  )
  .option("--workspace <id>", "with --from: the id of the workspace", notEmpty)
  .option("--drafts", "with --from: import drafts as published, and unpublished assets")
  .option("--strict", "with --from: refuse published records with edits that were never published")
  .option("--remove-experiences", "with --from: remove experiences that have no root any more")
  .option(
    "--schema <file>",
    "with --from: the file that has the types (sanity, markdown)",
    notEmpty,
  )
  .option("--assets <folder>", "with --from: the folder with the files of assets", notEmpty)
  .option("--write <folder>", "with --from: write a workspace folder, not the store", notEmpty)
  .option("--report <file>", "with --from: write what became of each record (.json, .md)", notEmpty)
  .option("--dry-run", "with --from: change nothing, and print what would be lost")
  .option("--part", "with --from: take an export that seems to be a part of one")
  .action(
    action<ImportOptions>((output, options, ...args) => {
      const [paths] = args as unknown as [readonly string[]];
      return options.from === undefined
        ? importWorkspace(output, options, paths)
        : importExport(output, options, options.from, paths);
    }),
  );

/** commander gives each argument, and those before it. */
function notEmptyList(text: string, before: readonly string[] = []): string[] {
  return [...before, notEmpty(text)];
}

function toList(text: string): string[] {
  return text.split(",").map((type) => notEmpty(type.trim()));
}

async function importWorkspace(
  output: Output,
  options: ImportOptions,
  [folder = "", other]: readonly string[],
) {
  const { locale, roots, workspace, drafts, part, assets, schema, write, report } = options;
  const { removeExperiences, dryRun, strict } = options;
  const exportOptions = Object.entries({
    ...{ locale, roots, workspace, drafts, part, assets, schema, write, report },
    ...{ "remove-experiences": removeExperiences, "dry-run": dryRun, strict },
  });
  const [name] = exportOptions.find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) {
    throw new UsageError(
      `--${name} applies only to exports of other systems`,
      `add --from with one of ${FORMAT_NAMES.join(", ")}; or leave --${name} out`,
    );
  }
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
  return 0;
}
