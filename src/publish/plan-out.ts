import { join } from "node:path";
import { type Address, addressOfFilePath } from "../documents/address.ts";
import { sha256 } from "../documents/version-id.ts";
import { NOT_FOUND_DOCUMENT } from "../http/problem-document.ts";
import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { bytesContent, DocumentContent, type FileContent, fileContent } from "./file-content.ts";
import { knownFiles, type Look } from "./known-files.ts";
import {
  type FileFact,
  MANIFEST,
  type Manifest,
  manifestBytes,
  readManifestFile,
} from "./manifest.ts";
import { OutFolder } from "./out-folder.ts";
import { planRemovals } from "./plan-removals.ts";
import type { OnProgress, PublishedWorkspace, VersionFile, VersionStore } from "./version-store.ts";

/** What is to happen to one file of `out/`, and why. */
export type PlannedFile =
  | { readonly path: string; readonly action: "unchanged" }
  | {
      readonly path: string;
      readonly action: "write";
      readonly reason: "new" | "changed";
      readonly content: FileContent;
    }
  | {
      readonly path: string;
      readonly action: "remove";
      /** Published before; or left behind by a write that was interrupted. */
      readonly reason: "published-before" | "left-behind";
    };

/** The facts of the files that were written, by path. */
type Written = ReadonlyMap<string, { readonly fact: FileFact }>;

/** What brings the files of a workspace to a version. */
export interface OutPlan {
  readonly workspaceId: string;
  readonly versionId: string;
  /** In the order in which it is to be done (F3); the manifest is not among them. */
  readonly files: readonly PlannedFile[];
  /** What stands in place of the manifest, which is written last. */
  readonly manifest: "new" | "changed" | "same";
  /** The manifest, given the facts of the files that were written. */
  readonly manifestBytes: (written: Written) => Uint8Array;
  /** Files of the plan that no manifest names yet: an interrupted write must be known by them. */
  readonly unlisted: readonly string[];
  /** A write was interrupted: its traces are to be removed even where no file is to change. */
  readonly wasInterrupted: boolean;
  /** How the files looked that are as they should be. */
  readonly looks: ReadonlyMap<string, Look>;
  /** Of all files of the version, sorted. */
  readonly paths: readonly string[];
  /** Whether files were read that the next plan need not read. */
  readonly isNews: boolean;
}

/** F1: answers every address at which nothing is published. */
export const NOT_FOUND = "404.json";

export function notFoundContent(): FileContent {
  return bytesContent(Buffer.from(NOT_FOUND_DOCUMENT));
}

const EMPTY: Manifest = { files: {}, workspaces: {} };

/**
 * Plans to bring the workspace's files in `out/` to the frozen bytes of a version. Files of other
 * workspaces are in no plan. Nothing is changed here.
 *
 * @throws SvcError `out-taken` when another workspace has published a file of the same path, and
 *   `out-obstructed` when a file stands where a folder is needed or the other way round.
 */
export function planOut<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  versionId: string,
  out: string,
  onProgress: OnProgress,
): OutPlan {
  const folder = new OutFolder(out);
  const found = readManifestFile(out);
  const before = found?.manifest ?? EMPTY;
  const contents = versionFiles(store, workspace, versionId);
  refuseTaken(before, workspace.id, contents, out);

  const known = knownFiles(store, workspace, folder, found);
  const plan: PlannedFile[] = [];
  const facts = new Map<string, FileFact>();
  const looks = new Map<string, Look>();
  for (const { path, content } of contents) {
    const compared = folder.compare(path, content, known.file);
    if (compared.state === "same") {
      facts.set(path, compared.fact);
      looks.set(path, compared.look);
    }
    plan.push(planned(path, compared.state, content));
    onProgress(plan.length, contents.length, "files compared");
  }
  const isNews = folder.hasRead;
  const notFound = notFoundContent();
  plan.push(planned(NOT_FOUND, folder.compare(NOT_FOUND, notFound).state, notFound));
  const paths = contents.map(({ path }) => path);
  const { removals, wasInterrupted } = planRemovals(folder, before, workspace.id, paths);
  for (const removal of removals) plan.push(removal);
  const listed = before.workspaces[workspace.id]?.files ?? {};
  const touched = [...paths, ...removals.map(({ path }) => path)];
  const bytesOf = (written: Written) => {
    const factOf = (path: string) => facts.get(path) ?? (written.get(path)?.fact as FileFact);
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
    files: plan,
    manifest: manifestState(),
    manifestBytes: bytesOf,
    unlisted: touched.filter((path) => !Object.hasOwn(listed, path)),
    wasInterrupted,
    looks,
    paths: paths.sort(),
    isNews,
  };

  /** What names another version differs for sure, so that nothing has to be made to compare it. */
  function manifestState(): OutPlan["manifest"] {
    if (found === undefined) return "new";
    const published = before.workspaces[workspace.id];
    if (published?.versionId !== versionId) return "changed";
    const isSame =
      known.isManifestAsLeft &&
      plan.every(({ action }) => action === "unchanged") &&
      Object.keys(published.files).length === paths.length;
    if (isSame) return "same";
    const written = new Map<string, { fact: FileFact }>();
    for (const file of plan) {
      if (file.action === "write") written.set(file.path, file.content.produce());
    }
    return folder.compare(MANIFEST, bytesContent(bytesOf(written))).state;
  }
}

function planned(
  path: string,
  state: "same" | "changed" | "new",
  content: FileContent,
): PlannedFile {
  if (state === "same") return { path, action: "unchanged" };
  return { path, action: "write", reason: state, content };
}

interface FileToBe {
  readonly path: string;
  readonly content: FileContent;
}

/**
 * F3: contents, schema, config. What a document points at stands before it: assets first, and a
 * config, which tells what there is to fetch, after the contents.
 */
function versionFiles<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  { number }: W,
  versionId: string,
): FileToBe[] {
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

function refuseTaken(
  { workspaces }: Manifest,
  workspaceId: string,
  contents: readonly Pick<VersionFile, "path">[],
  out: string,
): void {
  const others = Object.entries(workspaces).filter(([id]) => id !== workspaceId);
  if (others.length === 0) return;
  const documents = contents.map(({ path }) => path).filter((path) => path.startsWith("api/"));
  for (const [other, { files }] of others) {
    const taken = documents.find((path) => Object.hasOwn(files, path));
    if (taken === undefined) continue;
    const message = `"${join(out, taken)}" was published by the workspace "${other}"`;
    throw new SvcError("out-taken", `${message}, so "${workspaceId}" cannot write it`, {
      hint: "publish to another folder with --out, or give the project another id",
    });
  }
}
