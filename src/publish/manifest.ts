import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectIdsOf } from "../diff/published-documents.ts";
import { canonicalJson, indentedCanonicalJson } from "../documents/canonical-json.ts";
import { type FileFacts, sha256 } from "../documents/version-id.ts";
import { withFileErrors } from "../files/file-errors.ts";
import { Folder, isInside } from "../files/folder.ts";
import { SvcError } from "../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";

export const MANIFEST = "manifest.json";

/**
 * The file in `out/` that lists pending writes. It is written before the version is committed to
 * the store and removed after the last change, so one that is left shows an interrupted write (F5).
 */
export const WRITE_JOURNAL = ".svc-writing.json";

/** The name of an asset may begin with a dot. */
const mayBeHidden = (path: string) => path === WRITE_JOURNAL || /^assets\/\w+\/[^/]+$/.test(path);

/** Whether a file of `out/` can have this path: anyone may have edited a manifest or a journal. */
function isOutPath(path: string): boolean {
  return isInside(path, mayBeHidden(path));
}

export function openOut(out: string): Folder {
  return new Folder(out, mayBeHidden);
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

export interface ManifestFile {
  readonly manifest: Manifest;
  /** Of the file, lower-case hex. */
  readonly sha256: string;
}

/**
 * The manifest of `out/`; undefined when there is none.
 *
 * @throws SvcError `manifest-invalid`.
 */
export function readManifest(out: string): Manifest | undefined {
  return readManifestFile(out)?.manifest;
}

/** As `readManifest`, with the hash of the file. */
export function readManifestFile(out: string): ManifestFile | undefined {
  const path = join(out, MANIFEST);
  const stats = withFileErrors(path, () => statSync(path, { throwIfNoEntry: false }), "read");
  if (stats === undefined) return undefined;
  if (stats.isFile()) {
    const bytes = withFileErrors(path, () => readFileSync(path), "read");
    const manifest = parse(bytes.toString());
    if (isManifest(manifest)) return { manifest, sha256: sha256(bytes) };
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is Manifest {
  return (
    isJsonObject(value) &&
    isFacts(value.files) &&
    isJsonObject(value.workspaces) &&
    Object.values(value.workspaces).every(
      (one) => isJsonObject(one) && typeof one.versionId === "string" && isFacts(one.files),
    )
  );
}

function isFacts(value: JsonValue | undefined): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(
      ([path, fact]) =>
        isOutPath(path) &&
        isJsonObject(fact) &&
        typeof fact.sha256 === "string" &&
        typeof fact.size === "number",
    )
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

function readJournal(path: string): JsonObject {
  try {
    const value = lstatSync(path).isFile() ? parse(readFileSync(path, "utf8")) : undefined;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
