import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Draft } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import { type Counts, KINDS } from "../workspace/records.ts";
import { ExportList, readExportList, writeExportList } from "./export/export-list.ts";
import { type Chunks, ExportPlan } from "./export/export-plan.ts";
import { countsOf, dataOrder, exportedSettings } from "./export/exported-records.ts";
import {
  type KindFiles,
  lineFile,
  planRecord,
  recordChunks,
  recordFiles,
} from "./export/plan-kind.ts";
import { fillFolder } from "./fill-folder.ts";

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
 * @throws SvcError `folder-not-empty`, and `folder-changed` with the files in `problems`: files that
 *   no export wrote are never overwritten.
 */
export function writeFolder(draft: Draft, folder: string, { ndjson = false } = {}): Exported {
  const { id } = draft.workspace;
  const before = readExportList(folder);
  if (before?.workspaceId === id) return exportInto(draft, folder, ndjson, before);
  return fillFolder(folder, () => exportInto(draft, folder, ndjson, new ExportList(id)));
}

function exportInto(draft: Draft, folder: string, ndjson: boolean, before: ExportList): Exported {
  const plan = new ExportPlan(folder, before);
  for (const name of [".svc", "files", ...KINDS]) assertRealFolder(plan, name);
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
  if (changes > 0) writeExportList(folder, before.with(plan.after));
  removeFiles(folder, removals);
  if (plan.writes.size > 0) {
    const write = writerInto(folder, plan.writes);
    write("workspace.json", recordChunks(settings));
    for (const files of kinds) files.visit(write);
  }
  if (changes > 0 || plan.after.text() !== before.text()) writeExportList(folder, plan.after);
  const files = {
    written: plan.writes.size,
    unchanged: plan.unchanged,
    removed: removals.length,
  };
  return { counts: countsOf(draft), files, left };
}

/** A link could lead out of the folder. */
function assertRealFolder(plan: ExportPlan, name: string): void {
  const stats = lstatSync(join(plan.folder, name), { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return;
  throw new SvcError("folder-changed", `"${name}" in "${plan.folder}" is not a folder`, {
    hint: "move it away and export again; nothing was changed",
  });
}

/** Removes files, and the folders that become empty. */
function removeFiles(folder: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(join(folder, path));
  for (const name of new Set(paths.map((path) => dirname(path)))) {
    for (let at = name; at !== "." && isEmpty(join(folder, at)); at = dirname(at)) {
      rmdirSync(join(folder, at));
    }
  }
}

function isEmpty(folder: string): boolean {
  return readdirSync(folder).length === 0;
}

/** Writes each of these files once, beside its place and then renamed, so that none is ever torn. */
function writerInto(folder: string, paths: ReadonlySet<string>) {
  const remaining = new Set(paths);
  const made = new Set<string>();
  const temporary = join(folder, ".svc/writing.tmp");
  return (path: string, chunks: Chunks) => {
    if (!remaining.delete(path)) return;
    const parent = dirname(path);
    if (!made.has(parent)) mkdirSync(join(folder, parent), { recursive: true });
    made.add(parent);
    const descriptor = openSync(temporary, "w");
    try {
      for (const chunk of chunks) writeAll(descriptor, chunk);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, join(folder, path));
  };
}

function writeAll(descriptor: number, chunk: string | Uint8Array): void {
  const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
