import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../documents/canonical-json.ts";
import { isJsonObject, type JsonObject } from "../workspace/json.ts";
import { guard } from "./guard.ts";
import { isInside } from "./manifest.ts";
import type { OutFolder } from "./out-folder.ts";

/**
 * The file in `out/` that says what is being written. It is made before the version is kept
 * in the store, so before the first change, and removed after the last, so one that stays tells of a write that was interrupted.
 */
export const UNFINISHED = ".svc-writing.json";

/** A write that was begun and not finished. */
export interface Unfinished {
  readonly versionId: string;
  /** Files that it may have added: those that no manifest names. */
  readonly files: readonly string[];
}

/** The writes that were begun and not finished, by workspace id. */
export type UnfinishedWrites = ReadonlyMap<string, Unfinished>;

/** What is unreadable, and could only tell of files to remove, tells of none. */
export function readUnfinished(out: string): UnfinishedWrites {
  const found = new Map<string, Unfinished>();
  const writes = parse(join(out, UNFINISHED));
  for (const [workspaceId, write] of Object.entries(writes)) {
    if (!isJsonObject(write) || typeof write.versionId !== "string") continue;
    const files = Array.isArray(write.files) ? (write.files as readonly unknown[]) : [];
    found.set(workspaceId, {
      versionId: write.versionId,
      files: files.filter((path) => typeof path === "string" && isInside(path)) as string[],
    });
  }
  return found;
}

/** Says that a write of the workspace begins. Returns what takes that back. */
export function beginWrite(folder: OutFolder, workspaceId: string, write: Unfinished): () => void {
  const before = readUnfinished(folder.path);
  put(folder, new Map(before).set(workspaceId, write));
  return () => put(folder, before);
}

/** Says that the write of the workspace is done. */
export function endWrite(folder: OutFolder, workspaceId: string): void {
  const writes = new Map(readUnfinished(folder.path));
  writes.delete(workspaceId);
  put(folder, writes);
}

function put(folder: OutFolder, writes: UnfinishedWrites): void {
  if (writes.size === 0) {
    const path = join(folder.path, UNFINISHED);
    guard(path, () => rmSync(path, { force: true }));
    return;
  }
  const value = Object.fromEntries(writes) as unknown as JsonObject;
  folder.replace(UNFINISHED, [Buffer.from(`${canonicalJson(value)}\n`)]);
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
