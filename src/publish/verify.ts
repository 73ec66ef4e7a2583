import { existsSync, lstatSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { addressOfFilePath } from "../documents/address.ts";
import type { OnProgress } from "../documents/rendering.ts";
import { type FileFact, publishedHashes, sha256, versionIdOf } from "../documents/version-id.ts";
import { TEMPORARY } from "../files/folder.ts";
import { isLocked, LOCK } from "../files/lock.ts";
import { type FileDifference, SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import {
  MANIFEST,
  type Manifest,
  openOut,
  readManifest,
  readPendingWrites,
  WRITE_JOURNAL,
} from "./manifest.ts";

export interface Verified {
  readonly ok: boolean;
  /** Of what a host serves, verified without `out/` (F7a). */
  readonly versionId?: string;
  /** How many files were compared: all of the manifest, or only its documents. */
  readonly files: number;
  readonly differs: readonly FileDifference[];
  /** Present when a write of `out/` was interrupted: the pending writes, if they are known. */
  readonly interrupted?: readonly { readonly workspaceId: string; readonly versionId: string }[];
}

/**
 * F6: checks every file of `out/` against its manifest, and the version ids against the documents
 * (R1).
 *
 * @throws SvcError `manifest-missing`, `manifest-invalid`, and `out-locked` during a write.
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
  const found = openOut(out).filesBelow("", {
    onUnreadable: (folder, error) =>
      comparison.addDifference(folder, "unreadable", `cannot be read (${error.code})`),
  });
  for (const path of found) {
    if ([MANIFEST, LOCK, WRITE_JOURNAL].includes(path) || comparison.facts.has(path)) continue;
    const detail = path === TEMPORARY ? "left behind by a write" : "not in the manifest";
    comparison.addDifference(path, "unexpected", detail);
  }
  const differs = comparison.finish();
  const interrupted = interruptedWrites(out, differs);
  const ok = differs.length === 0 && interrupted === undefined;
  if (!ok) assertNotWriting(out, manifest);
  return { ok, files: comparison.facts.size, differs, ...(interrupted && { interrupted }) };
}

/**
 * The manifest of `out/`.
 *
 * @throws SvcError `manifest-missing`, `manifest-invalid`.
 */
export function publishedManifest(out: string): Manifest {
  const manifest = readManifest(out);
  if (manifest !== undefined) return manifest;
  assertNotWriting(out, manifest);
  const isInterrupted = existsSync(join(out, WRITE_JOURNAL));
  const why = isInterrupted ? `: the first write of "${out}" was interrupted` : "";
  throw new SvcError("manifest-missing", `there is no "${join(out, MANIFEST)}"${why}`, {
    hint: isInterrupted
      ? "svc publish <folder> completes it; with a store, svc write"
      : "svc publish <folder> makes it; --out names another folder",
  });
}

/** Concurrent writes cause false differences. */
function assertNotWriting(out: string, compared: Manifest | undefined): void {
  if (!isLocked(out) && isDeepStrictEqual(readManifest(out), compared)) return;
  throw new SvcError("out-locked", `another svc is writing "${out}", or was a moment ago`, {
    hint: "wait for it to finish, then verify again",
  });
}

function compareFile(comparison: PublishedComparison, out: string, path: string): void {
  const file = join(out, path);
  try {
    const stats = lstatSync(file);
    if (stats.isFile()) comparison.compare(path, readFileSync(file));
    else comparison.addDifference(path, "changed", `is ${kindOf(stats)}, not a file`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      comparison.addDifference(path, "missing", "is not there");
    else comparison.addDifference(path, "unreadable", `cannot be read (${code})`);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a link";
  return stats.isDirectory() ? "a folder" : "a device or socket";
}

function interruptedWrites(
  out: string,
  differs: readonly FileDifference[],
): Verified["interrupted"] {
  const isInterrupted =
    existsSync(join(out, WRITE_JOURNAL)) || differs.some(({ path }) => path === TEMPORARY);
  if (!isInterrupted) return undefined;
  return [...readPendingWrites(openOut(out))].map(([workspaceId, { versionId }]) => ({
    workspaceId,
    versionId,
  }));
}

/** Compares files with the manifest, one by one. */
export class PublishedComparison {
  /** All files of the manifest. */
  readonly facts: ReadonlyMap<string, FileFact>;
  readonly #manifest: Manifest;
  readonly #differs: FileDifference[] = [];
  /** SHA-256 with version id null of the documents without differences. */
  readonly #unversioned = new Map<string, string>();
  readonly #versionIds = new Map<string, string>();

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
    const facts = new Map(Object.entries(manifest.files));
    for (const { versionId, files } of Object.values(manifest.workspaces)) {
      for (const [path, fact] of Object.entries(files)) {
        if (facts.has(path) && addressOfFilePath(path) !== undefined) {
          this.addDifference(MANIFEST, "changed", `lists "${path}" twice`);
        }
        facts.set(path, fact);
        this.#versionIds.set(path, versionId);
      }
    }
    this.facts = facts;
  }

  /** Compares the bytes found for a file of the manifest. */
  compare(path: string, bytes: Uint8Array): void {
    const fact = this.facts.get(path) as FileFact;
    if (addressOfFilePath(path) === undefined) {
      const found = sha256(bytes);
      if (found !== fact.sha256)
        this.addDifference(path, "changed", sizes(bytes.byteLength, fact.size));
      else if (!isAddressedBy(path, found)) {
        this.addDifference(path, "changed", "has bytes that do not match the hash in its path");
      }
      return;
    }
    const expected = this.#versionIds.get(path);
    const { file, unversioned, versionId } = publishedHashes(bytes);
    if (file !== fact.sha256) {
      const detail =
        versionId === undefined || versionId === expected
          ? sizes(bytes.byteLength, fact.size)
          : `has version ${versionId}, not ${expected}`;
      this.addDifference(path, "changed", detail);
    } else if (unversioned === undefined || versionId !== expected) {
      this.addDifference(path, "changed", `does not have version ${expected}`);
    } else this.#unversioned.set(path, unversioned);
  }

  addDifference(path: string, reason: FileDifference["reason"], detail: string): void {
    this.#differs.push({ path, reason, detail });
  }

  /** Call it after all files. Returns the differences, sorted by path. */
  finish(): FileDifference[] {
    for (const [id, { versionId, files }] of Object.entries(this.#manifest.workspaces)) {
      const documents = Object.keys(files).filter((path) => addressOfFilePath(path) !== undefined);
      if (!documents.every((path) => this.#unversioned.has(path))) continue;
      const derived = versionIdOf(
        Object.fromEntries(documents.map((path) => [path, this.#unversioned.get(path) as string])),
      );
      if (derived === versionId) continue;
      const detail = `has version ${versionId} for "${id}", but its documents are version ${derived}`;
      this.addDifference(MANIFEST, "changed", detail);
    }
    return this.#differs.sort((a, b) => byCodeUnit(a.path, b.path));
  }
}

/** F1: the path of an asset has the first 16 digits of the hash of its bytes. */
export function isAddressedBy(path: string, sha256: string): boolean {
  const [folder, hash] = path.split("/");
  return folder !== "assets" || hash === sha256.slice(0, 16);
}

function sizes(found: number, expected: number): string {
  return found === expected
    ? `has other bytes of the same size (${expected})`
    : `has ${found} bytes, published were ${expected}`;
}
