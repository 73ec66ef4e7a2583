import { statfsSync } from "node:fs";
import type { FileFact } from "../documents/frozen-version.ts";
import { SvcError } from "../workspace/errors.ts";
import type { FileSignature } from "./file-bytes.ts";
import { MANIFEST } from "./manifest.ts";
import { OutFolder } from "./out-folder.ts";
import type { OutPlan, PlannedFile } from "./plan-out.ts";
import type { OnProgress } from "./version-store.ts";
import { addPendingWrite, removePendingWrite } from "./write-journal.ts";

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

/** Whether there is nothing to change in `out/`. */
export function isUpToDate({ wasInterrupted, manifest, files }: OutPlan): boolean {
  if (wasInterrupted || manifest !== "same") return false;
  return files.every(({ action }) => action === "unchanged");
}

/** Records the plan in the write journal of `out`. Returns a function that undoes this. */
export function journalPlan(plan: OutPlan, out: string): () => void {
  const { workspaceId, versionId, unlisted } = plan;
  return addPendingWrite(new OutFolder(out), workspaceId, { versionId, files: unlisted });
}

export interface Applied {
  readonly counts: FileCounts;
  /** Of the version's files, when they were compared or written. */
  readonly signatures: ReadonlyMap<string, FileSignature>;
}

/**
 * F3: carries out a plan in its order and replaces each file atomically. Call it with `out` locked
 * and the plan in the write journal.
 */
export function applyPlan(plan: OutPlan, out: string, onProgress: OnProgress): Applied {
  const folder = new OutFolder(out);
  const { workspaceId, files } = plan;
  const facts = new Map<string, FileFact>();
  const signatures = new Map(plan.signatures);
  let done = 0;
  for (const planned of files) {
    if (planned.action === "write") {
      const { path, content, reason } = planned;
      const isNew = reason === "new";
      const isReusable = !isNew && content.versionId !== undefined;
      const { pieces, fact } = content.produce(
        isReusable ? folder.read(path, content.size) : undefined,
      );
      signatures.set(path, folder.replace(path, pieces, isNew));
      facts.set(path, fact);
    } else if (planned.action === "remove") folder.remove(planned.path);
    done += 1;
    onProgress(done, files.length + 1, "files written");
  }
  if (plan.manifest !== "same") folder.replace(MANIFEST, [plan.manifestBytes(facts)]);
  onProgress(done + 1, files.length + 1, "files written");
  if (plan.wasInterrupted) {
    for (const name of ["api", "assets"]) folder.removeEmptyFolders(name);
  }
  removePendingWrite(folder, workspaceId);
  return { counts: countPlan(plan), signatures };
}

/**
 * Checks before the first change that the plan can be carried out.
 *
 * @throws SvcError `out-unwritable`, `disk-full`.
 */
export function assertWritable(plan: OutPlan, out: string): void {
  const folder = new OutFolder(out);
  for (const { path, action } of plan.files) {
    if (action !== "unchanged") folder.checkWritable(path);
  }
  if (plan.manifest !== "same") folder.checkWritable(MANIFEST);
  assertDiskSpace(plan, folder.path);
}

/** Of a file in the manifest, without its path, in bytes. */
const FACT_SIZE = 140;

function assertDiskSpace({ files, manifest }: OutPlan, out: string): void {
  const { bsize, bavail, blocks } = statfsSync(out);
  // Some file systems report nothing.
  if (blocks === 0) return;
  const blocksOf = (size: number) => Math.ceil(size / bsize);
  let added = 0;
  let temporary = 0;
  const add = (reason: "new" | "changed", size: number) => {
    if (reason === "new") added += blocksOf(size);
    // The old file exists until the new one is complete.
    else temporary = Math.max(temporary, blocksOf(size));
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
  if (added + temporary <= bavail) return;
  const kilobytes = (count: number) =>
    `${Math.ceil((count * bsize) / 1000).toLocaleString("en")} kB`;
  const message = `the disk of "${out}" is full: ${kilobytes(added + temporary)} are needed, ${kilobytes(bavail)} are free`;
  throw new SvcError("disk-full", message, {
    hint: "make room, or choose another folder with --out; nothing was changed",
  });
}
