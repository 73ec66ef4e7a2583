import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Folder, TEMPORARY } from "../files/folder.ts";
import { LOCK, withLock } from "../files/lock.ts";
import { countsOf, type Draft } from "../workspace/draft.ts";
import { type Counts, KINDS } from "../workspace/records.ts";
import { EXPORT_LIST, ExportList, isExportPath, readExportList } from "./export/export-list.ts";
import { type Chunks, ExportPlan } from "./export/export-plan.ts";
import { dataOrder, exportedSettings } from "./export/exported-records.ts";
import {
  type KindFiles,
  lineFile,
  planRecord,
  recordChunks,
  recordFiles,
} from "./export/plan-kind.ts";
import { assertFillable, fillFolder } from "./fill-folder.ts";

export interface Exported {
  readonly counts: Counts;
  readonly files: {
    readonly written: number;
    readonly unchanged: number;
    readonly removed: number;
  };
  /** Record files that no export wrote, and whose records the draft does not have. */
  readonly left: readonly string[];
}

/**
 * Writes a draft as a workspace folder (G3). Importing the folder gives the same draft. The folder is
 * empty or missing, or one of an earlier export of the workspace: then only what differs is written.
 *
 * @throws SvcError `folder-not-empty`, `folder-changed` with the files in `problems`: files that no
 *   export wrote are never overwritten; `out-locked`, `out-unwritable`, `out-obstructed`, `disk-full`.
 */
export function writeFolder(draft: Draft, folder: string, { ndjson = false } = {}): Exported {
  const { id } = draft.workspace;
  // Before the lock is made in it.
  if (readExportList(folder)?.workspaceId !== id) assertFillable(folder, mayStay);
  return withLock(folder, () => {
    const before = readExportList(folder);
    const write = (list: ExportList) => writeChanges(draft, folder, ndjson, list);
    if (before?.workspaceId === id) return write(before);
    return fillFolder(folder, () => write(new ExportList(id)), mayStay);
  });
}

/** The lock, and what an export has left that was killed before it had a list. */
const mayStay = (name: string) => [".svc", LOCK, TEMPORARY].includes(name);

/**
 * The list of exported files decides: before the first change it has those of both exports, so that
 * the next one completes an export that was interrupted.
 */
function writeChanges(draft: Draft, folder: string, ndjson: boolean, before: ExportList): Exported {
  const plan = new ExportPlan(folder, before);
  for (const name of [".svc", "files", ...KINDS]) planFolder(plan, name);
  const order = dataOrder(draft);
  const settings = exportedSettings(draft, order);
  planRecord(plan, "workspace", "workspace.json", settings);
  const kinds = KINDS.map((kind): KindFiles => {
    const files = (ndjson ? lineFile : recordFiles)(draft, kind, order, folder);
    files.plan(plan);
    return files;
  });
  plan.throwIfFaults();
  const left = kinds.flatMap((files) => files.others(plan));
  const removals = plan.removals();
  const changes = plan.writes.size + removals.length;

  const files = new Folder(folder, isExportPath);
  if (changes > 0) files.replace(EXPORT_LIST, before.with(plan.after).text());
  for (const path of removals) files.remove(path);
  const remaining = new Set(plan.writes);
  const write = (path: string, chunks: Chunks) => {
    if (remaining.delete(path)) files.replace(path, chunks);
  };
  if (remaining.size > 0) {
    write("workspace.json", recordChunks(settings));
    for (const kind of kinds) kind.visit(write);
  }
  if (changes > 0 || plan.after.text() !== before.text()) {
    files.replace(EXPORT_LIST, plan.after.text());
  }
  const { unchanged } = plan;
  const counts = { written: plan.writes.size, unchanged, removed: removals.length };
  return { counts: countsOf(draft), files: counts, left };
}

/** A link could lead out of the folder. */
function planFolder({ folder, faults }: ExportPlan, file: string): void {
  const stats = lstatSync(join(folder, file), { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return;
  faults.add({ code: "file-in-the-way", file, message: "is not a folder" });
}
