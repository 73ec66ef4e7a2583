import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Format, FormatOptions, ImportedBefore } from "../../folder/format.ts";
import { FORMAT_NAMES, formatNamed } from "../../folder/formats.ts";
import { isArchive, unpackArchive } from "../../folder/unpack-archive.ts";
import type { Store } from "../../store/store.ts";
import { withStore } from "../../store/with-store.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { SourceItem, WorkspaceSource } from "../../workspace/source.ts";
import { action, command, notEmpty, type SharedOptions } from "../command.ts";
import { importFolder } from "../import-folder.ts";
import { countsText } from "../output/counted.ts";
import { importLines } from "../output/import-lines.ts";
import type { Output } from "../output/output.ts";
import { withTemporaryFolder } from "../preview/temporary-folder.ts";

interface ImportOptions extends SharedOptions {
  readonly from?: string;
  readonly locale?: string;
  readonly roots?: readonly string[];
  readonly workspace?: string;
  readonly drafts?: boolean;
  readonly relax?: boolean;
  readonly removeExperiences?: boolean;
  readonly part?: boolean;
  readonly schema?: string;
  readonly assets?: string;
}

export const importCommand = command("import", [
  "svc import shop",
  "svc import --from contentful export.json --relax",
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
  .option("--remove-experiences", "with --from: remove experiences that have no root any more")
  .option(
    "--schema <file>",
    "with --from: the file that has the types (sanity, markdown)",
    notEmpty,
  )
  .option("--assets <folder>", "with --from: the folder with the files of assets", notEmpty)
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
  [folder = "", ...others]: readonly string[],
) {
  const { locale, roots, workspace, drafts, relax, removeExperiences, part, assets, schema } =
    options;
  const exportOptions = Object.entries({
    ...{ locale, roots, workspace, drafts, relax, part, assets, schema },
    ...{ "remove-experiences": removeExperiences },
  });
  const [name] = exportOptions.find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) {
    throw new UsageError(
      `--${name} applies only to exports of other systems`,
      `add --from ${FORMAT_NAMES.join(" or ")}, or leave it out`,
    );
  }
  if (others.length > 0) {
    throw new UsageError("only one workspace folder can be imported", "name one folder");
  }
  const { workspaceId, counts } = await withStore(
    options.store,
    (store) => importFolder(store, folder),
    { create: true },
  );
  output.result({ workspaceId, counts }, `imported "${workspaceId}": ${countsText(counts)}`);
  output.note("next: svc check, then svc publish");
  return 0;
}

async function importExport(
  output: Output,
  options: ImportOptions,
  from: string,
  paths: readonly string[],
) {
  const format = formatNamed(from);
  for (const name of ["assets", "locale", "part", "schema"] as const) {
    if (options[name] !== undefined && !format.options.includes(name)) {
      throw new UsageError(`--${name} does not apply to exports of ${from}`, "leave it out");
    }
  }
  const [path = ""] = paths;
  if (!format.mayBeArchive || !isArchive(path)) return importRead(output, options, format, paths);
  return withTemporaryFolder(async (folder) => {
    const name = basename(path).replace(/\.[^.]*(?:\.gz)?$/i, "");
    await unpackArchive(path, join(folder, name));
    return importRead(output, options, format, [join(folder, name), ...paths.slice(1)]);
  });
}

async function importRead(
  output: Output,
  { store: file, ...options }: ImportOptions,
  format: Format,
  paths: readonly string[],
) {
  const { workspaceId, counts, report, definitions } = await withStore(
    file,
    (store) => {
      const before = (id: string) => importedBefore(store, id);
      const onProgress = (done: number, total: number) =>
        output.progress(done, total, "bytes read");
      const { source, size, report, definitions } = format.read(paths, {
        ...formatOptions(options),
        ...{ before, onProgress },
      });
      return {
        ...store.import(withProgress(source, size, output), new Date()),
        report,
        definitions,
      };
    },
    { create: true },
  );
  if (format.keepsSchema && options.schema !== undefined && !existsSync(options.schema)) {
    writeFileSync(options.schema, `${JSON.stringify(definitions, undefined, 2)}\n`, { flag: "wx" });
    output.note(`wrote the models to ${options.schema}: the next import takes them from there`);
  }
  for (const line of importLines(report)) output.note(line);
  output.result(
    { workspaceId, counts, ...report },
    `imported "${workspaceId}"${report.locale === undefined ? "" : ` (${report.locale})`}: ${countsText(counts)}`,
  );
  output.note("next: svc check, then svc publish");
  return 0;
}

function importedBefore(store: Store, workspaceId: string): ImportedBefore | undefined {
  return store.read(() => {
    const row = store.workspaces().find(({ id }) => id === workspaceId);
    if (row === undefined) return undefined;
    const { workspace, projects } = store.draft(row);
    return { choices: workspace.import, projects };
  });
}

function formatOptions(options: Omit<ImportOptions, "store">): Omit<FormatOptions, "before"> {
  const { locale, roots, workspace: workspaceId, drafts = false, relax = false } = options;
  const { removeExperiences = false, part = false, assets, schema } = options;
  return { locale, roots, workspaceId, drafts, relax, removeExperiences, part, assets, schema };
}

/** Yields the items and reports progress after each. */
function* withProgress(
  items: WorkspaceSource,
  size: number,
  output: Output,
): Generator<SourceItem> {
  let done = 0;
  for (const item of items) {
    yield item;
    done += 1;
    output.progress(done, Math.max(size, done), "records imported");
  }
}
