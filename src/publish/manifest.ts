import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectIdsOf } from "../diff/published-documents.ts";
import { isPublishedPath } from "../documents/address.ts";
import { canonicalJson, indentedCanonicalJson } from "../documents/canonical-json.ts";
import { type FileFacts, isFileFact, isVersionId } from "../documents/version-id.ts";
import { withFileErrors } from "../files/file-errors.ts";
import { Folder } from "../files/folder.ts";
import { SvcError } from "../workspace/errors.ts";
import { isId } from "../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue, parsedJson } from "../workspace/json.ts";

export const MANIFEST = "manifest.json";

/**
 * The file in `out/` that lists pending writes. It is written before the version is committed to
 * the store and removed after the last change, so one that is left shows an interrupted write (F5).
 */
export const WRITE_JOURNAL = ".svc-writing.json";

/** F1: the answer for every address at which nothing is published. */
export const NOT_FOUND = "404.json";

/** F9a: whether `out/` may hold a file at this path. */
function isOutPath(path: string): boolean {
  return [MANIFEST, NOT_FOUND, WRITE_JOURNAL].includes(path) || isPublishedPath(path);
}

export function openOut(out: string): Folder {
  return new Folder(out, isOutPath);
}

/** F1: the files of `out/`, by path below it. */
export interface Manifest {
  /** Files that belong to no workspace. */
  readonly files: FileFacts;
  readonly workspaces: Readonly<
    Record<string, { readonly versionId: string; readonly files: FileFacts }>
  >;
}

export const EMPTY_MANIFEST: Manifest = { files: {}, workspaces: {} };

/** The manifest of `out/`; undefined when there is none. */
export function readManifest(out: string): Manifest | undefined {
  const path = join(out, MANIFEST);
  const stats = withFileErrors(path, () => statSync(path, { throwIfNoEntry: false }), "read");
  if (stats === undefined) return undefined;
  if (stats.isFile()) {
    const manifest = parsedJson(withFileErrors(path, () => readFileSync(path, "utf8"), "read"));
    if (isManifest(manifest)) return manifest;
  }
  throw new SvcError("manifest-invalid", `"${path}" is not a manifest of svc`, {
    hint: "if svc wrote the folder, delete manifest.json and write again; else choose another folder",
  });
}

/**
 * The ids of the projects that `out/` publishes.
 *
 * @throws SvcError `out-not-found` when nothing was published there, and `manifest-invalid`.
 */
export function publishedProjects(out: string): string[] {
  const manifest = readManifest(out);
  if (manifest === undefined) {
    throw new SvcError("out-not-found", `nothing is published in "${out}"`, {
      hint: "svc publish writes it; --out names another folder",
    });
  }
  const paths = Object.values(manifest.workspaces).flatMap(({ files }) => Object.keys(files));
  return projectIdsOf(paths);
}

export function manifestBytes(manifest: Manifest): Buffer {
  return indentedCanonicalJson(manifest as unknown as JsonValue);
}

function isManifest(value: unknown): value is Manifest {
  return (
    isJsonObject(value) &&
    isFacts(value.files, (path) => path === NOT_FOUND) &&
    isJsonObject(value.workspaces) &&
    Object.entries(value.workspaces).every(
      ([id, one]) =>
        isId(id) &&
        isJsonObject(one) &&
        isVersionId(one.versionId) &&
        isFacts(one.files, isPublishedPath),
    )
  );
}

/** @param isPath F9a: anyone may have edited a manifest. */
function isFacts(value: JsonValue | undefined, isPath: (path: string) => boolean): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(([path, fact]) => isPath(path) && isFileFact(fact))
  );
}

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
  for (const [workspaceId, write] of Object.entries(readJournal(join(path, WRITE_JOURNAL)))) {
    if (!isJsonObject(write) || typeof write.versionId !== "string") continue;
    const files = Array.isArray(write.files) ? (write.files as readonly unknown[]) : [];
    pending.set(workspaceId, {
      versionId: write.versionId,
      files: files.filter((one): one is string => typeof one === "string" && isPublishedPath(one)),
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

function readJournal(path: string): JsonObject {
  try {
    const value = lstatSync(path).isFile() ? parsedJson(readFileSync(path, "utf8")) : undefined;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
