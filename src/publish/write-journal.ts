import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../documents/canonical-json.ts";
import type { Folder } from "../files/folder.ts";
import { isJsonObject, type JsonObject } from "../workspace/json.ts";
import { isOutPath, WRITE_JOURNAL } from "./manifest.ts";

interface PendingWrite {
  readonly versionId: string;
  /** Files that it may have added: those in no manifest. */
  readonly files: readonly string[];
}

/** By workspace id. */
type PendingWrites = ReadonlyMap<string, PendingWrite>;

/** The pending writes of `out`; unreadable ones are left out: they only list files to remove. */
export function readPendingWrites({ path }: Folder): PendingWrites {
  const pending = new Map<string, PendingWrite>();
  for (const [workspaceId, write] of Object.entries(parse(join(path, WRITE_JOURNAL)))) {
    if (!isJsonObject(write) || typeof write.versionId !== "string") continue;
    const files = Array.isArray(write.files) ? (write.files as readonly unknown[]) : [];
    pending.set(workspaceId, {
      versionId: write.versionId,
      files: files.filter((one): one is string => typeof one === "string" && isOutPath(one)),
    });
  }
  return pending;
}

/**
 * Records that a write of the workspace is pending, or with undefined that it is complete. Returns a
 * function that undoes this.
 */
export function setPendingWrite(
  folder: Folder,
  workspaceId: string,
  write: PendingWrite | undefined,
): () => void {
  const before = readPendingWrites(folder);
  const after = new Map(before);
  if (write === undefined) after.delete(workspaceId);
  else after.set(workspaceId, write);
  save(folder, after);
  return () => save(folder, before);
}

function save(folder: Folder, pending: PendingWrites): void {
  if (pending.size === 0) folder.remove(WRITE_JOURNAL);
  else {
    const value = Object.fromEntries(pending) as unknown as JsonObject;
    folder.replace(WRITE_JOURNAL, `${canonicalJson(value)}\n`);
  }
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
