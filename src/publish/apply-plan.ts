import { statfsSync } from "node:fs";
import { SvcError } from "../workspace/errors.ts";
import { OutFolder } from "./out-folder.ts";
import type { OutPlan, PlannedFile } from "./plan-out.ts";
import { beginWrite, endWrite } from "./unfinished.ts";
import type { OnProgress } from "./version-store.ts";

/** How many files of `out/` a plan touches, the manifest included. */
export interface FileCounts {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

export function countPlan({ files }: OutPlan): FileCounts {
  const count = (action: PlannedFile["action"]) =>
    files.filter((planned) => planned.action === action).length;
  return { written: count("write"), unchanged: count("unchanged"), removed: count("remove") };
}

/** Whether `out/` is as planned already. */
export function isDone(plan: OutPlan): boolean {
  return !plan.wasInterrupted && plan.files.every(({ action }) => action === "unchanged");
}

/** Says in `out` that the plan is begun. Returns what takes that back. */
export function beginPlan(plan: OutPlan, out: string): () => void {
  const { workspaceId, versionId, unlisted } = plan;
  return beginWrite(new OutFolder(out), workspaceId, { versionId, files: unlisted });
}

/**
 * F3: does what is planned, in order, each file replaced whole. Call it with `out` locked and the
 * plan begun.
 */
export function applyPlan(plan: OutPlan, out: string, onProgress: OnProgress): FileCounts {
  const folder = new OutFolder(out);
  const { workspaceId, files } = plan;
  for (const [index, planned] of files.entries()) {
    if (planned.action === "write") folder.replace(planned.path, planned.bytes());
    else if (planned.action === "remove") folder.remove(planned.path);
    onProgress(index + 1, files.length, "files written");
  }
  if (plan.wasInterrupted) {
    for (const name of ["api", "assets"]) folder.removeEmptyFolders(name);
  }
  endWrite(folder, workspaceId);
  return countPlan(plan);
}

/**
 * Refuses a plan that surely cannot be done: better than half of its files.
 *
 * @throws SvcError `out-unwritable`, `disk-full`.
 */
export function refuseImpossible(plan: OutPlan, out: string): void {
  const folder = new OutFolder(out);
  for (const { path, action } of plan.files) {
    if (action !== "unchanged") folder.checkWritable(path);
  }
  refuseFullDisk(plan, folder.path);
}

function refuseFullDisk({ files }: OutPlan, out: string): void {
  const { bsize, bavail, blocks } = statfsSync(out);
  // Some file systems do not tell.
  if (blocks === 0) return;
  const blocksOf = (size: number) => Math.ceil(size / bsize);
  let added = 0;
  let beside = 0;
  for (const planned of files) {
    if (planned.action !== "write") continue;
    if (planned.reason === "new") added += blocksOf(planned.size);
    // Replaced: there twice for a moment.
    else beside = Math.max(beside, blocksOf(planned.size));
  }
  if (added + beside <= bavail) return;
  const kilobytes = (count: number) =>
    `${Math.ceil((count * bsize) / 1000).toLocaleString("en")} kB`;
  const message = `the disk of "${out}" is full: ${kilobytes(added + beside)} are needed, ${kilobytes(bavail)} are free`;
  throw new SvcError("disk-full", message, {
    hint: "make room, or choose another folder with --out; nothing was changed",
  });
}
