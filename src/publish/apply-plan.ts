import { statfsSync } from "node:fs";
import type { OnProgress } from "../documents/rendering.ts";
import { type FileFact, sha256 } from "../documents/version-id.ts";
import { NOT_FOUND_DOCUMENT } from "../http/problem-document.ts";
import { SvcError } from "../workspace/errors.ts";
import { MANIFEST, NOT_FOUND, setPendingWrite } from "./manifest.ts";
import type { OutPlan, PlannedFile } from "./plan-out.ts";

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

/**
 * Records the plan in the write journal of `out`, if it can be carried out. Returns a function that
 * undoes this.
 *
 * @throws SvcError `out-unwritable`, `disk-full`.
 */
export function journalPlan(plan: OutPlan): () => void {
  if (isUpToDate(plan)) return () => {};
  const { folder, workspaceId, version, unlisted } = plan;
  for (const { path, action } of plan.files) {
    if (action !== "unchanged") folder.checkWritable(path);
  }
  if (plan.manifest !== "same") folder.checkWritable(MANIFEST);
  assertDiskSpace(plan);
  return setPendingWrite(folder, workspaceId, { versionId: version.versionId, files: unlisted });
}

/**
 * F3: carries out a plan in its order and replaces each file atomically. Call it with `out` locked
 * and the plan in the write journal.
 */
export function applyPlan(plan: OutPlan, onProgress: OnProgress = () => {}): FileCounts {
  if (isUpToDate(plan)) return countPlan(plan);
  const { folder, workspaceId, version, files } = plan;
  const facts = new Map<string, FileFact>();
  const writes = new Set(files.flatMap((file) => (file.action === "write" ? file.path : [])));
  let done = files.filter(({ action }) => action === "unchanged").length;
  const step = () => onProgress(++done, files.length + 1, "files written");
  const write = (path: string, bytes: Uint8Array) => {
    folder.replace(path, bytes);
    facts.set(path, { sha256: sha256(bytes), size: bytes.length });
    step();
  };
  for (const { path, sha256: hash } of version.files) {
    if (writes.has(path)) write(path, version.fileBytes(hash));
  }
  for (const { path, bytes } of version.published(writes)) write(path, bytes);
  if (writes.has(NOT_FOUND)) write(NOT_FOUND, Buffer.from(NOT_FOUND_DOCUMENT));
  for (const { path, action } of files) {
    if (action !== "remove") continue;
    folder.remove(path);
    step();
  }
  if (plan.manifest !== "same") folder.replace(MANIFEST, plan.manifestBytes(facts));
  step();
  if (plan.wasInterrupted) {
    for (const name of ["api", "assets"]) folder.removeEmptyFolders(name);
  }
  setPendingWrite(folder, workspaceId, undefined);
  return countPlan(plan);
}

/** Of a file in the manifest, without its path, in bytes. */
const FACT_SIZE = 140;

function assertDiskSpace({ files, manifest, folder: { path: out } }: OutPlan): void {
  const { bsize, bavail, blocks } = statfsSync(out);
  // Some file systems report nothing.
  if (blocks === 0) return;
  let [added, temporary] = [0, 0];
  const add = (reason: "new" | "changed" | "same", size: number) => {
    const needed = Math.ceil(size / bsize);
    if (reason === "new") added += needed;
    // The old file exists until the new one is complete.
    if (reason === "changed") temporary = Math.max(temporary, needed);
  };
  for (const file of files) if (file.action === "write") add(file.reason, file.size);
  add(
    manifest,
    files.reduce((sum, { path }) => sum + path.length + FACT_SIZE, 0),
  );
  if (added + temporary <= bavail) return;
  const kilobytes = (count: number) =>
    `${Math.ceil((count * bsize) / 1000).toLocaleString("en")} kB`;
  const message = `the disk of "${out}" is full: ${kilobytes(added + temporary)} are needed, ${kilobytes(bavail)} are free`;
  throw new SvcError("disk-full", message, {
    hint: "make room, or choose another folder with --out; nothing was changed",
  });
}
