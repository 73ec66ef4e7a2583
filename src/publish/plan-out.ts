import { join } from "node:path";
import { VERSION_ID_GROWTH } from "../documents/document.ts";
import type { OnProgress } from "../documents/rendering.ts";
import {
  type FileFact,
  publishedHashes,
  sha256,
  type VersionFile,
  versionIdIn,
} from "../documents/version-id.ts";
import { NOT_FOUND_DOCUMENT } from "../http/problem-document.ts";
import { SvcError } from "../workspace/errors.ts";
import {
  EMPTY_MANIFEST,
  MANIFEST,
  type Manifest,
  type ManifestFile,
  manifestBytes,
  readManifestFile,
} from "./manifest.ts";
import { type ExpectedFile, type FileSignature, OutFolder } from "./out-folder.ts";
import { planRemovals, type Removal } from "./plan-removals.ts";
import { EMPTY, type StatCache } from "./stat-cache.ts";
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
  | Removal;

/** By path. */
type WrittenFiles = ReadonlyMap<string, FileFact>;

/** The changes that bring the files of a workspace to a version. */
export interface OutPlan {
  readonly workspaceId: string;
  readonly version: Version;
  /** The version that `out/` has now. */
  readonly replaced: string | undefined;
  /** In the order of F3, without the manifest. */
  readonly files: readonly PlannedFile[];
  /** The manifest is written last. */
  readonly manifest: "new" | "changed" | "same";
  readonly manifestBytes: (written: WrittenFiles) => Uint8Array;
  /** Files of the plan that are not in the manifest yet, for the write journal. */
  readonly unlisted: readonly string[];
  /** A write was interrupted: there may be files to clean up even if none is to change. */
  readonly wasInterrupted: boolean;
  /** Of the unchanged files. */
  readonly signatures: ReadonlyMap<string, FileSignature>;
  /** Of all files of the version, sorted. */
  readonly paths: readonly string[];
  /** Of the workspace's files that `out/` has now. */
  readonly pathsBefore: readonly string[];
  /** Whether files were read that were not in the stat cache. */
  readonly hasReadFiles: boolean;
}

/** F1: the answer for every address at which nothing is published. */
export const NOT_FOUND = "404.json";

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
  openCache: (folder: OutFolder, before: ManifestFile | undefined) => StatCache = () => EMPTY,
): OutPlan {
  const folder = new OutFolder(out);
  const found = readManifestFile(out);
  const before = found?.manifest ?? EMPTY_MANIFEST;
  const { versionId } = version;
  const contents = expectedFiles(version);
  assertPathsFree(before, workspaceId, version, out);

  const cache = openCache(folder, found);
  const plan: PlannedFile[] = [];
  const facts = new Map<string, FileFact>();
  const signatures = new Map<string, FileSignature>();
  for (const { path, content } of contents) {
    const compared = folder.compare(path, content, cache.find);
    if (compared.state === "same") {
      facts.set(path, compared.fact);
      signatures.set(path, compared.signature);
    }
    plan.push(planFile(path, compared.state, content));
    onProgress(plan.length, contents.length, "files compared");
  }
  const { hasReadFiles } = folder;
  const notFound = expectedBytes(Buffer.from(NOT_FOUND_DOCUMENT));
  plan.push(planFile(NOT_FOUND, folder.compare(NOT_FOUND, notFound).state, notFound));
  const paths = contents.map(({ path }) => path);
  const { removals, wasInterrupted } = planRemovals(folder, before, workspaceId, paths);
  for (const removal of removals) plan.push(removal);
  const listed = before.workspaces[workspaceId]?.files ?? {};
  const touched = [...paths, ...removals.map(({ path }) => path)];
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
    workspaceId,
    version,
    replaced: before.workspaces[workspaceId]?.versionId,
    files: plan,
    manifest: manifestState(),
    manifestBytes: bytesOf,
    unlisted: touched.filter((path) => !Object.hasOwn(listed, path)),
    wasInterrupted,
    signatures,
    paths: paths.sort(),
    pathsBefore: Object.keys(listed),
    hasReadFiles,
  };

  /** Makes the new manifest only when the one in `out/` names the same version. */
  function manifestState(): OutPlan["manifest"] {
    if (found === undefined) return "new";
    const published = before.workspaces[workspaceId];
    if (published?.versionId !== versionId) return "changed";
    const isSame =
      cache.isManifestUnchanged &&
      plan.every(({ action }) => action === "unchanged") &&
      Object.keys(published.files).length === paths.length;
    if (isSame) return "same";
    return folder.compare(MANIFEST, expectedBytes(bytesOf(factsOf(version, plan)))).state;
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

function expectedDocument({ sha256: frozen, size }: VersionFile, versionId: string) {
  const content: ExpectedFile = {
    size: size + VERSION_ID_GROWTH,
    versionId,
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
  return { ...fact, matches: (bytes) => (sha256(bytes) === fact.sha256 ? fact : undefined) };
}

function expectedBytes(bytes: Uint8Array): ExpectedFile {
  return expectedFile({ sha256: sha256(bytes), size: bytes.byteLength });
}

/** The facts of the files that a plan writes. */
function factsOf({ files, ...version }: Version, plan: readonly PlannedFile[]): WrittenFiles {
  const paths = new Set(plan.flatMap(({ path, action }) => (action === "write" ? path : [])));
  const facts = new Map<string, FileFact>(files.map(({ path, ...fact }) => [path, fact]));
  for (const { path, bytes } of version.published(paths)) {
    facts.set(path, { sha256: sha256(bytes), size: bytes.length });
  }
  return facts;
}

function assertPathsFree(
  { workspaces }: Manifest,
  workspaceId: string,
  { documents: published }: Version,
  out: string,
): void {
  const others = Object.entries(workspaces).filter(([id]) => id !== workspaceId);
  if (others.length === 0) return;
  const documents = published.map(({ path }) => path);
  for (const [other, { files }] of others) {
    const path = documents.find((path) => Object.hasOwn(files, path));
    if (path === undefined) continue;
    const message = `"${join(out, path)}" was published by the workspace "${other}"`;
    throw new SvcError("out-taken", `${message}, so "${workspaceId}" cannot write it`, {
      hint: "publish to another folder with --out, or give the project another id",
    });
  }
}
