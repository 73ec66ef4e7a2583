import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { hasWorkspaceFile } from "../../folder/find-workspace.ts";
import { folderDraft, readRecords } from "../../folder/folder-draft.ts";
import { readFolder } from "../../folder/read-folder.ts";
import { type Exported, writeFolder } from "../../folder/write-folder.ts";
import {
  type Format,
  type FormatOptions,
  type FormatReport,
  type ImportedBefore,
  NOT_OF_ALL,
  type ReadExport,
} from "../../import/format.ts";
import { importedBefore } from "../../import/formats/collections.ts";
import { isSameButDigits } from "../../import/formats/convert.ts";
import { FORMAT_NAMES, formatNamed, readExport } from "../../import/formats.ts";
import { isArchive, unpackArchive } from "../../import/unpack-archive.ts";
import type { Store } from "../../store/store.ts";
import { withStore } from "../../store/with-store.ts";
import type { Draft } from "../../workspace/draft.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import type { Counts, Workspace } from "../../workspace/records.ts";
import type { SourceItem, WorkspaceSource } from "../../workspace/source.ts";
import { assertReportName, importLines, writeImportReport } from "../output/import-report.ts";
import type { Output, Remarks } from "../output/output.ts";
import { countsText, counted as countText, filesText } from "../output/words.ts";
import type { Results } from "../results.ts";
import { type Options, type Run, takenBy } from "../table/table.ts";
import { readDraft } from "../with-draft.ts";

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

type ExportOptions = Options<"import">;

interface Done {
  readonly workspaceId: string;
  readonly counts: Counts;
  readonly files?: Exported["files"];
}

type Take = (read: ReadExport) => Done;

/** What an import changes, as it was before. */
interface Target extends Pick<FormatOptions, "before"> {
  /** The workspace in the folder that is written. */
  readonly own?: Workspace | undefined;
  /** The ids of all workspaces in the store. */
  readonly ids?: readonly string[];
}

/**
 * Imports an export of another system: into the store, or with `write` into a folder.
 *
 * @throws SvcError of the format, of the store, and of `writeFolder`; UsageError.
 */
export async function importExport(
  output: Output<Results["import"]>,
  options: ExportOptions,
  from: string,
  paths: readonly string[],
): Promise<void> {
  const format = formatNamed(from);
  const other = NOT_OF_ALL.find(
    (name) => options[name] !== undefined && !format.options.includes(name),
  );
  if (other !== undefined) {
    throw new UsageError(`${longName(other)} does not apply to exports of ${from}`, "leave it out");
  }
  const [path = "", ...others] = paths;
  if (!format.mayBeArchive || !isArchive(path))
    return await imported(output, options, format, paths);
  return await withTemporaryFolder(async (folder) => {
    const unpacked = join(folder, basename(path).replace(/\.[^.]*(?:\.gz)?$/i, ""));
    await unpackArchive(path, unpacked);
    return await imported(output, options, format, [unpacked, ...others]);
  });
}

async function imported(
  output: Output<Results["import"]>,
  options: ExportOptions,
  format: Format,
  paths: readonly string[],
): Promise<void> {
  const { write, report: reportFile, dryRun = false, strict = false } = options;
  if (reportFile !== undefined) assertReportName(reportFile);
  const run = ({ before, own, ids = [] }: Target, take: Take) => {
    const read = readExport(format, paths, {
      ...options,
      workspaceId: options.workspace,
      before,
      own: own?.import?.from === format.name ? own.id : undefined,
    });
    if (strict) assertNoEdits(read.report);
    const { source, size } = read;
    const done = take({
      ...read,
      source: { [Symbol.iterator]: () => shown(source, size, output) },
    });
    if (reportFile !== undefined) writeImportReport(reportFile, done.workspaceId, read);
    const { report, definitions, workspaceId } = read;
    const isNew = options.workspace === undefined && !ids.includes(workspaceId);
    const similar = isNew ? ids.filter((id) => isSameButDigits(id, workspaceId)) : [];
    return { ...done, report, definitions, similar };
  };
  const done = await withTarget(options, run);
  const { workspaceId, counts, files, report } = done;
  const { schema } = options;
  if (format.keepsSchema && schema !== undefined && !dryRun && !existsSync(schema)) {
    writeFileSync(schema, `${JSON.stringify(done.definitions, undefined, 2)}\n`, { flag: "wx" });
    output.note(`wrote the models to ${schema}: the next import takes them from there`);
  }
  for (const line of importLines(report)) output.note(line);
  for (const id of done.similar) {
    output.note(`the store has "${id}" too: --workspace ${id} imports into that workspace`);
  }
  const locales = report.locales?.map(({ locale }) => locale) ?? [report.locale];
  const locale = report.locale === undefined ? "" : ` (${locales.join(", ")})`;
  const what = `"${workspaceId}"${locale}: ${countsText(counts)}`;
  const written = files && !dryRun ? `\n${write}: ${filesText(files)}` : "";
  output.result(
    { workspaceId, counts, ...report, ...(files && { folder: write, files }) },
    `${dryRun ? "would import" : "imported"} ${what}${written}`,
  );
  if (dryRun) output.note("nothing was changed; leave out --dry-run to import");
  else if (write === undefined) output.note("next: svc check, then svc publish");
  else
    output.note(
      `next: svc check ${write} (svc migrate ${write} relax drops what the data breaks), then svc publish ${write}`,
    );
}

/** @throws SvcError `unpublished-edits`, with every record that has some (X21). */
function assertNoEdits({ unpublishedEdits }: FormatReport): void {
  const list = unpublishedEdits.map((record) => ({
    code: "unpublished-edit",
    file: "",
    record,
    message: "has edits that were never published",
  }));
  if (list.length === 0) return;
  throw new SvcError(
    "unpublished-edits",
    `the export has ${countText(list.length, "published record")} with edits that were never published`,
    {
      hint: "publish or discard the edits, then export again; without --strict a changed record is imported as published",
      problems: { kind: "folder", list },
    },
  );
}

/** X10: runs an import on the store or on the folder that it changes, or with `dryRun` on neither. */
async function withTarget<T>(
  { store: file, write, dryRun = false }: ExportOptions,
  run: (target: Target, take: Take) => T,
): Promise<T> {
  if (write !== undefined) return intoFolder(write, run, dryRun);
  const target = (store: Store) => ({
    before: (id: string) => storedBefore(store, id),
    ids: store.workspaces().map(({ id }) => id),
  });
  if (!dryRun) {
    const importInto = (store: Store) =>
      run(target(store), ({ source }) => store.import(source, new Date()));
    return await withStore(file, importInto, { create: true });
  }
  return existsSync(file)
    ? await withStore(file, (store) => run(target(store), counted))
    : run({ before: () => undefined }, counted);
}

/** The workspace of the folder, if it has one, is what the import follows on. */
function intoFolder<T>(folder: string, run: (target: Target, take: Take) => T, dryRun: boolean): T {
  const earlier = hasWorkspaceFile(folder) ? readDraft(folder) : undefined;
  const own = earlier?.workspace;
  const before = (id: string) => (own?.id === id ? importedBefore(earlier as Draft) : undefined);
  return run({ before, own }, (read) => {
    if (own !== undefined && read.workspaceId !== own.id) throw ofAnother(folder, own.id, read);
    if (dryRun) return counted(read);
    const draft = folderDraft(readRecords(read.source));
    const { counts, files } = writeFolder(draft, folder);
    return { workspaceId: draft.workspace.id, counts, files };
  });
}

/** X10a. */
function ofAnother(folder: string, own: string, { workspaceId }: ReadExport): SvcError {
  const message = `the folder "${folder}" has the workspace "${own}", and the export would be "${workspaceId}"`;
  return new SvcError("folder-not-empty", message, {
    hint: `--workspace ${own} imports it into that workspace; or name another folder`,
  });
}

function counted({ source, workspaceId }: ReadExport): Done {
  const counts = { models: 0, blocks: 0, features: 0, projects: 0, entries: 0, assets: 0 };
  for (const { kind } of source) if (kind !== "workspace" && kind !== "file") counts[kind] += 1;
  return { workspaceId, counts };
}

function storedBefore(store: Store, workspaceId: string): ImportedBefore | undefined {
  return store.read(() => {
    const row = store.workspaces().find(({ id }) => id === workspaceId);
    return row && importedBefore(store.draft(row));
  });
}

function* shown(items: WorkspaceSource, size: number, output: Remarks): Generator<SourceItem> {
  let done = 0;
  for (const item of items) {
    yield item;
    done += 1;
    output.progress(done, Math.max(size, done), "records imported");
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs `work` with a folder that only its user can read, and that is removed afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "svc-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // A signal that nothing else handles would end the process without its `exit` event.
  const exit = (signal: (typeof SIGNALS)[number]) => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  };
  process.once("exit", remove);
  for (const signal of SIGNALS) process.on(signal, exit);
  try {
    return await work(folder);
  } finally {
    for (const signal of SIGNALS) process.off(signal, exit);
    process.off("exit", remove);
    remove();
  }
}
