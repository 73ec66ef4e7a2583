import { statSync } from "node:fs";
import type { Format, FormatOptions } from "../../folder/format.ts";
import { formatNamed } from "../../folder/formats.ts";
import { withStore } from "../../store/with-store.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { SourceItem } from "../../workspace/source.ts";
import { action, command, notEmpty, type SharedOptions } from "../command.ts";
import { importFolder } from "../import-folder.ts";
import { countsText } from "../output/counted.ts";
import { importLines } from "../output/import-lines.ts";
import type { Output } from "../output/output.ts";

interface ImportOptions extends SharedOptions {
  readonly from?: string;
  readonly locale?: string;
  readonly roots?: readonly string[];
  readonly workspace?: string;
  readonly drafts?: boolean;
  readonly relax?: boolean;
}

export const importCommand = command("import", [
  "svc import shop",
  "svc import --from contentful export.json --relax",
])
  .argument("<folder>", "the workspace folder; with --from, the export file", notEmpty)
  .option("--from <format>", "import an export of another system: contentful", notEmpty)
  .option(
    "--locale <code>",
    "with --from: the locale to import (default: the export's default)",
    notEmpty,
  )
  .option(
    "--roots <types>",
    "with --from: content types (a,b) whose entries become experiences",
    toList,
  )
  .option("--workspace <id>", "with --from: the id of the workspace", notEmpty)
  .option("--drafts", "with --from: include unpublished entries and assets")
  .option("--relax", "with --from: drop the constraints that the data violates, and list them")
  .action(
    action<ImportOptions>((output, options, path = "") =>
      options.from === undefined
        ? importWorkspace(output, options, path)
        : importExport(output, options, options.from, path),
    ),
  );

function toList(text: string): string[] {
  return text.split(",").map((type) => notEmpty(type.trim()));
}

async function importWorkspace(output: Output, options: ImportOptions, folder: string) {
  const { locale, roots, workspace, drafts, relax } = options;
  const exportOptions = Object.entries({ locale, roots, workspace, drafts, relax });
  const [name] = exportOptions.find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) {
    throw new UsageError(
      `--${name} applies only to exports of other systems`,
      "add --from contentful, or leave it out",
    );
  }
  const { workspaceId, counts } = await withStore(
    options.store,
    (store) => importFolder(store, folder, output),
    { create: true },
  );
  output.result({ workspaceId, counts }, `imported "${workspaceId}": ${countsText(counts)}`);
  output.note("next: svc check, then svc publish");
  return 0;
}

async function importExport(
  output: Output,
  { store: file, ...options }: ImportOptions,
  from: string,
  path: string,
) {
  const { source, report } = readExport(output, formatNamed(from), path, formatOptions(options));
  const { workspaceId, counts } = await withStore(
    file,
    (store) => store.import(withProgress(source, output), new Date()),
    { create: true },
  );
  for (const line of importLines(report)) output.note(line);
  output.result(
    { workspaceId, counts, ...report },
    `imported "${workspaceId}" (${report.locale}): ${countsText(counts)}`,
  );
  output.note("next: svc check, then svc publish");
  return 0;
}

/** An export is parsed in one step, so the progress shows only its size. */
function readExport(output: Output, format: Format, path: string, options: FormatOptions) {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  output.progress(0, size, "bytes read");
  try {
    return format.read(path, options);
  } finally {
    output.progress(size, size, "bytes read");
  }
}

function formatOptions(options: Omit<ImportOptions, "store">): FormatOptions {
  const { locale, roots, workspace: workspaceId, drafts = false, relax = false } = options;
  return { locale, roots, workspaceId, drafts, relax };
}

/** Yields the items and reports progress after each. */
function* withProgress(items: readonly SourceItem[], output: Output): Generator<SourceItem> {
  let done = 0;
  for (const item of items) {
    yield item;
    done += 1;
    output.progress(done, items.length, "records imported");
  }
}
