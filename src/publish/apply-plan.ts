import { statfsSync } from "node:fs";
import { SvcError } from "../workspace/errors.ts";
import type { Look } from "./known-files.ts";
import { type FileFact, MANIFEST } from "./manifest.ts";
import { OutFolder } from "./out-folder.ts";
import type { OutPlan, PlannedFile } from "./plan-out.ts";
import type { OnProgress } from "./version-store.ts";
import { beginWrite, endWrite } from "./write-journal.ts";
/** How many files of `out/` a plan touches, the manifest included. */
export interface FileCounts {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

export function countPlan({ files, manifest }: OutPlan): FileCounts {
  const count = (action: PlannedFile["action"]) =>
    files.filter((planned) => planned.action === action).length;
  const isSame = manifest === "same";
  return {
    written: count("write") + (isSame ? 0 : 1),
    unchanged: count("unchanged") + (isSame ? 1 : 0),
    removed: count("remove"),
  };
}

/** Whether `out/` is as planned already. */
export function isDone({ wasInterrupted, manifest, files }: OutPlan): boolean {
  if (wasInterrupted || manifest !== "same") return false;
  return files.every(({ action }) => action === "unchanged");
}

/** Says in `out` that the plan is begun. Returns what takes that back. */
export function beginPlan(plan: OutPlan, out: string): () => void {
  const { workspaceId, versionId, unlisted } = plan;
  return beginWrite(new OutFolder(out), workspaceId, { versionId, files: unlisted });
}

export interface Applied {
  readonly counts: FileCounts;
  /** How the version's files looked when they were compared or written. */
  readonly looks: ReadonlyMap<string, Look>;
}

/**
 * F3: does what is planned, in order, each file replaced whole. Call it with `out` locked and the
 * plan begun.
 */
export function applyPlan(plan: OutPlan, out: string, onProgress: OnProgress): Applied {
  const folder = new OutFolder(out);
  const { workspaceId, files } = plan;
  const facts = new Map<string, { readonly fact: FileFact }>();
  const looks = new Map(plan.looks);
  let done = 0;
  for (const planned of files) {
    if (planned.action === "write") {
      const { path, content, reason } = planned;
      const isNew = reason === "new";
      const mayHelp = !isNew && content.versionId !== undefined;
      const { pieces, fact } = content.produce(
        mayHelp ? folder.read(path, content.size) : undefined,
      );
      looks.set(path, folder.replace(path, pieces, isNew));
      facts.set(path, { fact });
    } else if (planned.action === "remove") folder.remove(planned.path);
    done += 1;
    onProgress(done, files.length + 1, "files written");
  }
  if (plan.manifest !== "same") folder.replace(MANIFEST, [plan.manifestBytes(facts)]);
  onProgress(done + 1, files.length + 1, "files written");
  if (plan.wasInterrupted) {
    for (const name of ["api", "assets"]) folder.removeEmptyFolders(name);
  }
  endWrite(folder, workspaceId);
  return { counts: countPlan(plan), looks };
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
  if (plan.manifest !== "same") folder.checkWritable(MANIFEST);
  refuseFullDisk(plan, folder.path);
}

/** What the manifest holds of a file beside its path, in bytes. */
const FACT_SIZE = 140;

function refuseFullDisk({ files, manifest }: OutPlan, out: string): void {
  const { bsize, bavail, blocks } = statfsSync(out);
  // Some file systems do not tell.
  if (blocks === 0) return;
  const blocksOf = (size: number) => Math.ceil(size / bsize);
  let added = 0;
  let beside = 0;
  const add = (reason: "new" | "changed", size: number) => {
    if (reason === "new") added += blocksOf(size);
    // Replaced: there twice for a moment.
    else beside = Math.max(beside, blocksOf(size));
  };
  for (const planned of files) {
    if (planned.action === "write") add(planned.reason, planned.content.size);
  }
  if (manifest !== "same") {
    add(
      manifest,
      files.reduce((sum, { path }) => sum + path.length + FACT_SIZE, 0),
    );
  }
  if (added + beside <= bavail) return;
  const kilobytes = (count: number) =>
    `${Math.ceil((count * bsize) / 1000).toLocaleString("en")} kB`;
  const message = `the disk of "${out}" is full: ${kilobytes(added + beside)} are needed, ${kilobytes(bavail)} are free`;
  throw new SvcError("disk-full", message, {
    hint: "make room, or choose another folder with --out; nothing was changed",
  });
}
