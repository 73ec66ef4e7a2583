import { dirname, join } from "node:path";
import { projectIdsOf } from "../diff/published-documents.ts";
import { isPublishedPath, projectFolder } from "../documents/address.ts";
import { VERSION_ID_GROWTH } from "../documents/document.ts";
import type { OnProgress } from "../documents/rendering.ts";
import {
  type FileFact,
  publishedHashes,
  sha256,
  type VersionFile,
  versionIdIn,
} from "../documents/version-id.ts";
import type { Folder } from "../files/folder.ts";
import { NOT_FOUND_DOCUMENT } from "../http/problem-document.ts";
import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import {
  EMPTY_MANIFEST,
  MANIFEST,
  type Manifest,
  manifestBytes,
  NOT_FOUND,
  openOut,
  readManifest,
  readPendingWrites,
  WRITE_JOURNAL,
} from "./manifest.ts";
import type { Version } from "./version.ts";

/** The action for one file of `out/`, and its reason. */
export type PlannedFile =
  | { readonly path: string; readonly action: "unchanged" }
  | {
      readonly path: string;
      readonly action: "write";
      readonly reason: "new" | "changed";
      /** Bytes. */
      readonly size: number;
    }
  | { readonly path: string; readonly action: "remove" };

/** By path. */
type WrittenFiles = ReadonlyMap<string, FileFact>;

/** The changes that bring the files of a workspace to a version. */
export interface OutPlan {
  readonly folder: Folder;
  readonly workspaceId: string;
  readonly version: Version;
  /** In the order of F3, without the manifest. */
  readonly files: readonly PlannedFile[];
  /** The manifest is written last. */
  readonly manifest: "new" | "changed" | "same";
  readonly manifestBytes: (written: WrittenFiles) => Uint8Array;
  /** Files of the plan that are not in the manifest yet, for the write journal. */
  readonly unlisted: readonly string[];
  /** A write was interrupted: there may be files to clean up even if none is to change. */
  readonly wasInterrupted: boolean;
  /** Of all files of the version, sorted. */
  readonly paths: readonly string[];
}

/**
 * Plans the changes that bring the workspace's files in `out/` to a version. Changes nothing.
 *
 * @throws SvcError `out-taken` when another workspace has published a file of the same path, and
 *   `out-obstructed` when there is a file in place of a folder or the other way round.
 */
export function planOut(
  workspaceId: string,
  version: Version,
  out: string,
  onProgress: OnProgress = () => {},
): OutPlan {
  const folder = openOut(out);
  const found = readManifest(out);
  const before = found ?? EMPTY_MANIFEST;
  const { versionId } = version;
  const contents = expectedFiles(version);
  assertPathsFree(before, workspaceId, version, out);

  const plan: PlannedFile[] = [];
  const facts = new Map<string, FileFact>();
  for (const { path, content } of contents) {
    const { state, fact } = compare(folder, path, content);
    if (fact !== undefined) facts.set(path, fact);
    plan.push(planFile(path, state, content));
    onProgress(plan.length, contents.length, "files compared");
  }
  const notFound = expectedBytes(Buffer.from(NOT_FOUND_DOCUMENT));
  plan.push(planFile(NOT_FOUND, compare(folder, NOT_FOUND, notFound).state, notFound));
  const paths = contents.map(({ path }) => path);
  const { removals, left, wasInterrupted } = planRemovals(folder, before, workspaceId, paths);
  for (const path of removals) plan.push({ path, action: "remove" });
  const listed = before.workspaces[workspaceId]?.files ?? {};
  // What an interrupted write left stays noted, also where another workspace shows it by now (F5).
  const touched = [...new Set([...paths, ...removals, ...left])];
  const bytesOf = (written: WrittenFiles) => {
    const factOf = (path: string) => (facts.get(path) ?? written.get(path)) as FileFact;
    return manifestBytes({
      files: { [NOT_FOUND]: { sha256: sha256(NOT_FOUND_DOCUMENT), size: notFound.size } },
      workspaces: {
        ...before.workspaces,
        [workspaceId]: {
          versionId,
          files: Object.fromEntries(paths.map((path) => [path, factOf(path)])),
        },
      },
    });
  };
  return {
    folder,
    workspaceId,
    version,
    files: plan,
    manifest: manifestState(),
    manifestBytes: bytesOf,
    unlisted: touched.filter((path) => !Object.hasOwn(listed, path)),
    wasInterrupted,
    paths: paths.sort(),
  };

  /** Makes the new manifest only when the one in `out/` names the same version. */
  function manifestState(): OutPlan["manifest"] {
    if (found === undefined) return "new";
    const published = before.workspaces[workspaceId];
    if (published?.versionId !== versionId) return "changed";
    return compare(folder, MANIFEST, expectedBytes(bytesOf(factsOf(version, plan)))).state;
  }
}

function planFile(
  path: string,
  state: "same" | "changed" | "new",
  { size }: ExpectedFile,
): PlannedFile {
  if (state === "same") return { path, action: "unchanged" };
  return { path, action: "write", reason: state, size };
}

interface Compared {
  readonly state: "same" | "changed" | "new";
  /** Of the same file. */
  readonly fact?: FileFact;
}

/** Compares a file with what it should be. */
function compare(folder: Folder, path: string, expected: ExpectedFile): Compared {
  const stats = folder.stat(path);
  if (stats === undefined) return { state: "new" };
  // Links and pipes are replaced by files.
  const mayBeSame = stats.isFile() && stats.size === expected.size;
  const fact = mayBeSame ? expected.matches(folder.read(path)) : undefined;
  return fact === undefined ? { state: "changed" } : { state: "same", fact };
}

interface ExpectedFile {
  /** Bytes. */
  readonly size: number;
  /** The fact of a file with these bytes, if they are the right ones. */
  matches(bytes: Uint8Array): FileFact | undefined;
}

/** F3: a file comes after the files that it refers to: assets, contents, schemas, configs. */
function expectedFiles({ versionId, documents, files }: Version) {
  return [
    ...files.map(({ path, ...fact }) => ({ path, content: expectedFile(fact) })),
    ...documents.map((document) => ({
      path: document.path,
      content: expectedDocument(document, versionId),
    })),
  ];
}

function expectedDocument({ sha256: frozen, size: unversioned }: VersionFile, versionId: string) {
  const size = unversioned + VERSION_ID_GROWTH;
  const content: ExpectedFile = {
    size,
    matches(bytes) {
      // Files of another version need not be hashed.
      if (versionIdIn(bytes) !== versionId) return undefined;
      const { file, unversioned } = publishedHashes(bytes);
      return unversioned === frozen ? { sha256: file, size: bytes.length } : undefined;
    },
  };
  return content;
}

function expectedFile(fact: FileFact): ExpectedFile {
  const { sha256: hash, size } = fact;
  return {
    size,
    matches: (bytes) => (sha256(bytes) === hash ? fact : undefined),
  };
}

function expectedBytes(bytes: Uint8Array): ExpectedFile {
  return expectedFile({ sha256: sha256(bytes), size: bytes.byteLength });
}

function factsOf({ files, ...version }: Version, plan: readonly PlannedFile[]): WrittenFiles {
  const paths = new Set(plan.flatMap(({ path, action }) => (action === "write" ? path : [])));
  const facts = new Map<string, FileFact>(files.map(({ path, ...fact }) => [path, fact]));
  for (const { path, bytes } of version.published(paths)) {
    facts.set(path, { sha256: sha256(bytes), size: bytes.length });
  }
  return facts;
}

/**
 * Plans to remove the files of the workspace that the version does not have: those in the manifest,
 * other documents in its project folders, and what interrupted writes left behind anywhere. Files
 * that svc cannot have written are kept.
 */
function planRemovals(
  folder: Folder,
  { workspaces }: Manifest,
  workspaceId: string,
  paths: readonly string[],
): { removals: string[]; left: readonly string[]; wasInterrupted: boolean } {
  const pending = readPendingWrites(folder);
  const own = new Set(Object.keys(workspaces[workspaceId]?.files ?? {}));
  const kept = new Set(paths);
  for (const [id, { files }] of Object.entries(workspaces)) {
    if (id !== workspaceId) for (const path of Object.keys(files)) kept.add(path);
  }
  for (const [id, { files }] of pending) {
    if (id !== workspaceId) for (const path of files) kept.add(path);
  }
  const wasInterrupted = folder.stat(WRITE_JOURNAL) !== undefined;
  const left = (pending.get(workspaceId)?.files ?? []).filter((path) => folder.stat(path));
  // The folder of a content has no other files, unless a write was interrupted: not listed.
  const contentFolders = new Set(wasInterrupted ? [] : paths.map(dirname));
  const skip = (path: string) => contentFolders.has(path);
  const found = [
    ...own,
    ...projectIdsOf([...own, ...paths]).flatMap((id) =>
      folder.filesBelow(projectFolder(id), { skip }).filter(isPublishedPath),
    ),
    ...left,
  ];
  const removals = [...new Set(found)].filter((path) => !kept.has(path));
  return { removals: removals.sort(byCodeUnit), left, wasInterrupted };
}

function assertPathsFree(
  { workspaces }: Manifest,
  workspaceId: string,
  { documents }: Version,
  out: string,
): void {
  for (const [other, { files }] of Object.entries(workspaces)) {
    const taken = documents.find(({ path }) => other !== workspaceId && Object.hasOwn(files, path));
    if (taken === undefined) continue;
    const message = `"${join(out, taken.path)}" was published by the workspace "${other}"`;
    throw new SvcError("out-taken", `${message}, so "${workspaceId}" cannot write it`, {
      hint: "publish to another folder with --out, or give the project another id",
    });
  }
}
