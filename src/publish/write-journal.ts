import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../documents/canonical-json.ts";
import { isJsonObject, type JsonObject } from "../workspace/json.ts";
import { retryWhileOpen } from "../workspace/retry-while-open.ts";
import { isInside } from "./manifest.ts";
import type { OutFolder } from "./out-folder.ts";
import { withFileErrors } from "./with-file-errors.ts";

/**
 * The file in `out/` that lists pending writes. It is written before the version is committed to
 * the store and removed after the last change, so one that is left shows an interrupted write.
 */
export const WRITE_JOURNAL = ".svc-writing.json";

export interface PendingWrite {
  readonly versionId: string;
  /** Files that it may have added: those in no manifest. */
  readonly files: readonly string[];
}

/** By workspace id. */
export type PendingWrites = ReadonlyMap<string, PendingWrite>;

/** The pending writes of `out`; unreadable ones are left out: they only list files to remove. */
export function readPendingWrites(out: string): PendingWrites {
  const pending = new Map<string, PendingWrite>();
  for (const [workspaceId, write] of Object.entries(parse(join(out, WRITE_JOURNAL)))) {
    if (!isJsonObject(write) || typeof write.versionId !== "string") continue;
    const files = Array.isArray(write.files) ? (write.files as readonly unknown[]) : [];
    pending.set(workspaceId, {
      versionId: write.versionId,
      files: files.filter((path) => typeof path === "string" && isInside(path)) as string[],
    });
  }
  return pending;
}

/** Records that a write of the workspace is pending. Returns a function that undoes this. */
export function addPendingWrite(
  folder: OutFolder,
  workspaceId: string,
  write: PendingWrite,
): () => void {
  const before = readPendingWrites(folder.path);
  save(folder, new Map(before).set(workspaceId, write));
  return () => save(folder, before);
}

/** Records that the write of the workspace is complete. */
export function removePendingWrite(folder: OutFolder, workspaceId: string): void {
  const pending = new Map(readPendingWrites(folder.path));
  pending.delete(workspaceId);
  save(folder, pending);
}

function save(folder: OutFolder, pending: PendingWrites): void {
  if (pending.size === 0) {
    const path = join(folder.path, WRITE_JOURNAL);
    withFileErrors(path, () => retryWhileOpen(() => rmSync(path, { force: true })));
    return;
  }
  const value = Object.fromEntries(pending) as unknown as JsonObject;
  folder.replace(WRITE_JOURNAL, Buffer.from(`${canonicalJson(value)}\n`));
}

function parse(path: string): JsonObject {
  try {
    if (!lstatSync(path).isFile()) return {};
    const value = JSON.parse(readFileSync(path, "utf8"));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
