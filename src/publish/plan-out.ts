import { join } from "node:path";
import { type Address, addressOfFilePath } from "../documents/address.ts";
import type { FileFact, VersionFile } from "../documents/frozen-version.ts";
import { sha256 } from "../documents/version-id.ts";
import { NOT_FOUND_DOCUMENT } from "../http/problem-document.ts";
import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import type { FileSignature } from "./file-bytes.ts";
import { bytesContent, DocumentContent, type FileContent, fileContent } from "./file-content.ts";
import {
  EMPTY_MANIFEST,
  MANIFEST,
  type Manifest,
  manifestBytes,
  readManifestFile,
} from "./manifest.ts";
import { OutFolder } from "./out-folder.ts";
import { planRemovals, type Removal } from "./plan-removals.ts";
import { openStatCache } from "./stat-cache.ts";
import type { OnProgress, VersionStore } from "./version-store.ts";

/** The action for one file of `out/`, and its reason. */
export type PlannedFile =
  | { readonly path: string; readonly action: "unchanged" }
  | {
      readonly path: string;
      readonly action: "write";
      readonly reason: "new" | "changed";
      readonly content: FileContent;
    }
  | Removal;

/** By path. */
type WrittenFiles = ReadonlyMap<string, FileFact>;

/** The changes that bring the files of a workspace to a version. */
export interface OutPlan {
  readonly workspaceId: string;
  readonly versionId: string;
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
  /** Whether files were read that were not in the stat cache. */
  readonly hasReadFiles: boolean;
}

/** F1: the answer for every address at which nothing is published. */
const NOT_FOUND = "404.json";

/**
 * Plans the changes that bring the workspace's files in `out/` to a version. Changes nothing.
 *
 * @throws SvcError `out-taken` when another workspace has published a file of the same path, and
 *   `out-obstructed` when there is a file in place of a folder or the other way round.
 */
export function planOut(
  store: VersionStore,
  workspace: WorkspaceRow,
  versionId: string,
  out: string,
  onProgress: OnProgress,
): OutPlan {
  const folder = new OutFolder(out);
  const found = readManifestFile(out);
  const before = found?.manifest ?? EMPTY_MANIFEST;
  const contents = versionFiles(store, workspace, versionId);
  assertPathsFree(before, workspace.id, contents, out);

  const cache = openStatCache(store, workspace, folder, found);
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
  const notFound = bytesContent(Buffer.from(NOT_FOUND_DOCUMENT));
  plan.push(planFile(NOT_FOUND, folder.compare(NOT_FOUND, notFound).state, notFound));
  const paths = contents.map(({ path }) => path);
  const { removals, wasInterrupted } = planRemovals(folder, before, workspace.id, paths);
  for (const removal of removals) plan.push(removal);
  const listed = before.workspaces[workspace.id]?.files ?? {};
  const touched = [...paths, ...removals.map(({ path }) => path)];
  const bytesOf = (written: WrittenFiles) => {
    const factOf = (path: string) => (facts.get(path) ?? written.get(path)) as FileFact;
    return manifestBytes({
      files: { [NOT_FOUND]: { sha256: sha256(NOT_FOUND_DOCUMENT), size: notFound.size } },
      workspaces: {
        ...before.workspaces,
        [workspace.id]: {
          versionId,
          files: Object.fromEntries(paths.map((path) => [path, factOf(path)])),
        },
      },
    });
  };
  return {
    workspaceId: workspace.id,
    versionId,
    replaced: before.workspaces[workspace.id]?.versionId,
    files: plan,
    manifest: manifestState(),
    manifestBytes: bytesOf,
    unlisted: touched.filter((path) => !Object.hasOwn(listed, path)),
    wasInterrupted,
    signatures,
    paths: paths.sort(),
    hasReadFiles,
  };

  /** Makes the new manifest only when the one in `out/` names the same version. */
  function manifestState(): OutPlan["manifest"] {
    if (found === undefined) return "new";
    const published = before.workspaces[workspace.id];
    if (published?.versionId !== versionId) return "changed";
    const isSame =
      cache.isManifestUnchanged &&
      plan.every(({ action }) => action === "unchanged") &&
      Object.keys(published.files).length === paths.length;
    if (isSame) return "same";
    const written = new Map<string, FileFact>();
    for (const file of plan) {
      if (file.action === "write") written.set(file.path, file.content.produce().fact);
    }
    return folder.compare(MANIFEST, bytesContent(bytesOf(written))).state;
  }
}

function planFile(
  path: string,
  state: "same" | "changed" | "new",
  content: FileContent,
): PlannedFile {
  if (state === "same") return { path, action: "unchanged" };
  return { path, action: "write", reason: state, content };
}

interface VersionContent {
  readonly path: string;
  readonly content: FileContent;
}

/** F3: a file comes after the files that it refers to: assets, contents, schemas, configs. */
function versionFiles(
  store: VersionStore,
  { number }: WorkspaceRow,
  versionId: string,
): VersionContent[] {
  const { documents, files } = store.versions.contents(number, versionId);
  const readFile = store.versions.fileReader();
  const texts = store.openTexts();
  const ranked = documents
    .map((document) => ({ document, rank: rank(document.path) }))
    .sort((a, b) => a.rank - b.rank || byCodeUnit(a.document.path, b.document.path));
  return [
    ...files.map((file) => ({ path: file.path, content: fileContent(file, readFile) })),
    ...ranked.map(({ document }) => ({
      path: document.path,
      content: new DocumentContent(document, versionId, texts),
    })),
  ];
}

const ORDER: Readonly<Record<Address["kind"], number>> = { content: 0, schema: 1, project: 2 };

function rank(path: string): number {
  const address = addressOfFilePath(path);
  return address === undefined ? 0 : ORDER[address.kind];
}

function assertPathsFree(
  { workspaces }: Manifest,
  workspaceId: string,
  contents: readonly Pick<VersionFile, "path">[],
  out: string,
): void {
  const others = Object.entries(workspaces).filter(([id]) => id !== workspaceId);
  if (others.length === 0) return;
  const documents = contents.map(({ path }) => path).filter((path) => path.startsWith("api/"));
  for (const [other, { files }] of others) {
    const path = documents.find((path) => Object.hasOwn(files, path));
    if (path === undefined) continue;
    const message = `"${join(out, path)}" was published by the workspace "${other}"`;
    throw new SvcError("out-taken", `${message}, so "${workspaceId}" cannot write it`, {
      hint: "publish to another folder with --out, or give the project another id",
    });
  }
}
