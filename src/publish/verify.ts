import { existsSync, lstatSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { SvcError } from "../workspace/errors.ts";
import { type Difference, PublishedComparison } from "./compare-published.ts";
import { MANIFEST, type Manifest, readManifest } from "./manifest.ts";
import { isTemporary, OutFolder } from "./out-folder.ts";
import { isLocked, LOCK } from "./out-lock.ts";
import type { OnProgress } from "./version-store.ts";
import { readUnfinished, UNFINISHED } from "./write-journal.ts";

export interface Verified {
  readonly ok: boolean;
  /** How many files were compared: all that the manifest names, or the documents among them. */
  readonly files: number;
  readonly differs: readonly Difference[];
  /** There when a write of `out/` was interrupted: of which workspaces, if that is known. */
  readonly interrupted?: readonly { readonly workspaceId: string; readonly versionId: string }[];
}

/**
 * Checks every file of `out/` against its manifest, and the version ids against the documents
 * (R1).
 *
 * @throws SvcError `manifest-missing`, `manifest-invalid`, and `out-locked` while it is written.
 */
export function verify(out: string, onProgress: OnProgress): Verified {
  const manifest = publishedManifest(out);
  const comparison = new PublishedComparison(manifest);
  let done = 0;
  for (const path of comparison.facts.keys()) {
    compareFile(comparison, out, path);
    done += 1;
    onProgress(done, comparison.facts.size, "files checked");
  }
  const found = new OutFolder(out).filesBelow("", {
    onUnreadable: (folder, error) =>
      comparison.differ(folder, "unreadable", `cannot be read (${error.code})`),
  });
  for (const path of found) {
    if ([MANIFEST, LOCK, UNFINISHED].includes(path) || comparison.facts.has(path)) continue;
    const detail = isTemporary(path) ? "left behind by a write" : "no manifest names it";
    comparison.differ(path, "unexpected", detail);
  }
  const differs = comparison.end();
  const interrupted = interruptedWrites(out, differs);
  const ok = differs.length === 0 && interrupted === undefined;
  if (!ok) refuseWritten(out, manifest);
  return { ok, files: comparison.facts.size, differs, ...(interrupted && { interrupted }) };
}

/**
 * What is published in `out/`.
 *
 * @throws SvcError `manifest-missing`, `manifest-invalid`.
 */
export function publishedManifest(out: string): Manifest {
  const manifest = readManifest(out);
  if (manifest !== undefined) return manifest;
  refuseWritten(out, manifest);
  const isBegun = existsSync(join(out, UNFINISHED));
  const why = isBegun ? `: the first write of "${out}" was interrupted` : "";
  throw new SvcError("manifest-missing", `there is no "${join(out, MANIFEST)}"${why}`, {
    hint: isBegun
      ? "svc write or svc publish completes it"
      : "svc publish or svc write makes it; --out names the folder",
  });
}

/** Whoever compares what another process is writing, or was a moment ago, finds what never was. */
function refuseWritten(out: string, compared: Manifest | undefined): void {
  if (!isLocked(out) && isDeepStrictEqual(readManifest(out), compared)) return;
  throw new SvcError("out-locked", `another svc is writing "${out}", or was a moment ago`, {
    hint: "verify again when it is done",
  });
}

function compareFile(comparison: PublishedComparison, out: string, path: string): void {
  const file = join(out, path);
  try {
    const stats = lstatSync(file);
    if (stats.isFile()) comparison.see(path, readFileSync(file));
    else comparison.differ(path, "changed", `is ${kindOf(stats)}, not a file`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") comparison.differ(path, "missing", "is not there");
    else comparison.differ(path, "unreadable", `cannot be read (${code})`);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a link";
  return stats.isDirectory() ? "a folder" : "a device or socket";
}

/** The writes that were begun and not ended. */
function interruptedWrites(out: string, differs: readonly Difference[]): Verified["interrupted"] {
  const isTorn = existsSync(join(out, UNFINISHED)) || differs.some(({ path }) => isTemporary(path));
  if (!isTorn) return undefined;
  return [...readUnfinished(out)].map(([workspaceId, { versionId }]) => ({
    workspaceId,
    versionId,
  }));
}
