import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../documents/address.ts";
import { NOT_FOUND_DOCUMENT } from "../documents/problem-document.ts";
import { sha256, withVersionId } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { type FileFact, MANIFEST, type Manifest, manifestText, readManifest } from "./manifest.ts";
import { OutFolder } from "./out-folder.ts";
import type { OnProgress, PublishedWorkspace, VersionStore } from "./version-store.ts";

/** How many files of `out/` a write touched, the manifest included. */
export interface FileCounts {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

export interface WriteOptions {
  /** Tells what would change, and changes nothing. */
  readonly dryRun: boolean;
  readonly onProgress: OnProgress;
}

const EMPTY: Manifest = { files: {}, workspaces: {} };

/** F1: answers every address at which nothing is published. */
const NOT_FOUND = "404.json";

/**
 * Brings the workspace's files in `out/` to the frozen bytes of a version (F3). Files of other
 * workspaces are never touched.
 *
 * @throws SvcError `out-taken` when another workspace has published a file of the same path, and
 *   what `OutFolder` throws.
 */
export function writeOut<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  versionId: string,
  out: string,
  { dryRun, onProgress }: WriteOptions,
): FileCounts {
  const folder = new OutFolder(out);
  const before = readManifest(out) ?? EMPTY;
  const planned = plannedFiles(store, workspace, versionId);
  refuseTaken(before, workspace.id, planned, out);

  const counts = { written: 0, unchanged: 0, removed: 0 };
  const put = (path: string, bytes: Uint8Array): FileFact => {
    if (folder.holds(path, bytes)) counts.unchanged += 1;
    else {
      if (!dryRun) folder.replace(path, bytes);
      counts.written += 1;
    }
    return { sha256: sha256(bytes), size: bytes.byteLength };
  };

  const files: Record<string, FileFact> = {};
  for (const { path, bytes } of planned) {
    files[path] = put(path, bytes());
    onProgress(counts.written + counts.unchanged, planned.length, "files written");
  }
  const notFound = put(NOT_FOUND, Buffer.from(NOT_FOUND_DOCUMENT));
  for (const path of leftOver(before, workspace.id, files, out)) {
    if (!dryRun) folder.remove(path);
    counts.removed += 1;
  }
  const manifest: Manifest = {
    files: { [NOT_FOUND]: notFound },
    workspaces: { ...before.workspaces, [workspace.id]: { versionId, files } },
  };
  put(MANIFEST, Buffer.from(manifestText(manifest)));
  return counts;
}

/**
 * Refuses what `writeOut` would refuse, and makes the folder.
 *
 * @throws SvcError like `writeOut`.
 */
export function prepareOut<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  versionId: string,
  out: string,
): void {
  const planned = plannedFiles(store, workspace, versionId);
  refuseTaken(readManifest(out) ?? EMPTY, workspace.id, planned, out);
  new OutFolder(out).prepare();
}

interface PlannedFile {
  readonly path: string;
  readonly bytes: () => Uint8Array;
}

/**
 * F3: contents, schema, config. What a document points at stands before it: assets first, and a
 * config, which tells what there is to fetch, after the contents.
 */
function plannedFiles<W extends PublishedWorkspace>(
  { versions }: VersionStore<W>,
  { number }: W,
  versionId: string,
): PlannedFile[] {
  const { documents, files } = versions.paths(number, versionId);
  const asset = versions.fileReader(number, versionId);
  const document = versions.documentReader(number, versionId);
  const ranked = [...documents].sort((a, b) => rank(a) - rank(b) || byCodeUnit(a, b));
  return [
    ...files.map((path) => ({ path, bytes: () => asset(path) })),
    ...ranked.map((path) => ({
      path,
      bytes: () => withVersionId(document(path), versionId),
    })),
  ];
}

function rank(path: string): number {
  return path.endsWith("/content.json") ? 0 : path.endsWith("/schema.json") ? 1 : 2;
}

function refuseTaken(
  { workspaces }: Manifest,
  workspaceId: string,
  planned: readonly PlannedFile[],
  out: string,
): void {
  const documents = planned.map(({ path }) => path).filter((path) => path.startsWith("api/"));
  for (const [other, { files }] of Object.entries(workspaces)) {
    if (other === workspaceId) continue;
    const taken = documents.find((path) => Object.hasOwn(files, path));
    if (taken === undefined) continue;
    const message = `"${join(out, taken)}" was published by the workspace "${other}"`;
    throw new SvcError("out-taken", `${message}, so "${workspaceId}" cannot write it`, {
      hint: "publish to another folder with --out, or give the project another id",
    });
  }
}

/**
 * The workspace's files that the version does not have: those that the manifest knows, and any
 * document in the folders of its projects that an interrupted write left behind.
 */
function leftOver(
  { workspaces }: Manifest,
  workspaceId: string,
  files: Readonly<Record<string, FileFact>>,
  out: string,
): string[] {
  const own = Object.keys(workspaces[workspaceId]?.files ?? {});
  const others = new Set(
    Object.entries(workspaces).flatMap(([id, other]) =>
      id === workspaceId ? [] : Object.keys(other.files),
    ),
  );
  const folders = [...own, ...Object.keys(files)].flatMap(
    (path) => /^api\/v1\/projects\/([^/]+)\//.exec(path)?.[1] ?? [],
  );
  const found = [...new Set(folders)].flatMap((id) => documentsIn(out, projectFolder(id)));
  return [...new Set([...own, ...found])]
    .filter((path) => !Object.hasOwn(files, path) && !others.has(path))
    .sort(byCodeUnit);
}

function documentsIn(out: string, folder: string): string[] {
  try {
    return readdirSync(join(out, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(out, "/").length))
      .map((path) => path.replaceAll("\\", "/"));
  } catch {
    return [];
  }
}
