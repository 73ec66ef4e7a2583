import { join } from "node:path";
import { type Address, addressOfFilePath } from "../documents/address.ts";
import { NOT_FOUND_DOCUMENT } from "../documents/problem-document.ts";
import { sha256, withVersionId } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { type FileFact, MANIFEST, type Manifest, manifestText, readManifest } from "./manifest.ts";
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
      /** Bytes. */
      readonly size: number;
      readonly bytes: () => Uint8Array;
    }
  | {
      readonly path: string;
      readonly action: "remove";
      /** Published before; or left behind by a write that was interrupted. */
      readonly reason: "published-before" | "left-behind";
    };

/** What brings the files of a workspace to a version. */
export interface OutPlan {
  readonly workspaceId: string;
  readonly versionId: string;
  /** In the order in which it is to be done (F3). */
  readonly files: readonly PlannedFile[];
  /** Files of the plan that no manifest names yet: an interrupted write must be known by them. */
  readonly unlisted: readonly string[];
  /** A write was interrupted: its traces are to be removed even where no file is to change. */
  readonly wasInterrupted: boolean;
}

/** F1: answers every address at which nothing is published. */
const NOT_FOUND = "404.json";

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
  const before = readManifest(out) ?? EMPTY;
  const contents = versionFiles(store, workspace, versionId);
  refuseTaken(before, workspace.id, contents, out);

  const plan: PlannedFile[] = [];
  const put = ({ path, sha256, size, bytes }: FileToBe) => {
    const state = folder.compare(path, { sha256, size });
    if (state === "same") plan.push({ path, action: "unchanged" });
    else plan.push({ path, action: "write", reason: state, size, bytes });
  };
  const files: Record<string, FileFact> = {};
  for (const file of contents) {
    put(file);
    files[file.path] = { sha256: file.sha256, size: file.size };
    onProgress(plan.length, contents.length, "files compared");
  }
  const notFound = fileOfText(NOT_FOUND, NOT_FOUND_DOCUMENT);
  put(notFound);
  const { removals, wasInterrupted } = planRemovals(folder, before, workspace.id, files);
  plan.push(...removals);
  const { sha256, size } = notFound;
  const manifest = manifestText({
    files: { [NOT_FOUND]: { sha256, size } },
    workspaces: { ...before.workspaces, [workspace.id]: { versionId, files } },
  });
  put(fileOfText(MANIFEST, manifest));
  const listed = before.workspaces[workspace.id]?.files ?? {};
  const unlisted = [...Object.keys(files), ...removals.map(({ path }) => path)].filter(
    (path) => !Object.hasOwn(listed, path),
  );
  return { workspaceId: workspace.id, versionId, files: plan, unlisted, wasInterrupted };
}

interface FileToBe extends VersionFile {
  readonly bytes: () => Uint8Array;
}

function fileOfText(path: string, text: string): FileToBe {
  const bytes = Buffer.from(text);
  return { path, sha256: sha256(bytes), size: bytes.length, bytes: () => bytes };
}

/**
 * F3: contents, schema, config. What a document points at stands before it: assets first, and a
 * config, which tells what there is to fetch, after the contents.
 */
function versionFiles<W extends PublishedWorkspace>(
  { versions }: VersionStore<W>,
  { number }: W,
  versionId: string,
): FileToBe[] {
  const { documents, files } = versions.contents(number, versionId);
  const asset = versions.fileReader(number, versionId);
  const document = versions.documentReader(number, versionId);
  const ranked = [...documents].sort(
    (a, b) => rank(a.path) - rank(b.path) || byCodeUnit(a.path, b.path),
  );
  return [
    ...files.map((file) => ({ ...file, bytes: () => asset(file.path) })),
    ...ranked.map((file) => ({
      ...file,
      bytes: () => intact(file, withVersionId(document(file.path), versionId)),
    })),
  ];
}

const ORDER: Readonly<Record<Address["kind"], number>> = { content: 0, schema: 1, project: 2 };

function rank(path: string): number {
  const address = addressOfFilePath(path);
  return address === undefined ? 0 : ORDER[address.kind];
}

/** What the manifest promises is what is written. */
function intact({ path, sha256: promised }: VersionFile, bytes: Uint8Array): Uint8Array {
  if (sha256(bytes) === promised) return bytes;
  throw new SvcError("store-damaged", `the store is damaged: "${path}" is not as published`, {
    hint: "restore it from a backup, or import the workspace folder into a new store",
  });
}

function refuseTaken(
  { workspaces }: Manifest,
  workspaceId: string,
  contents: readonly VersionFile[],
  out: string,
): void {
  const documents = contents.map(({ path }) => path).filter((path) => path.startsWith("api/"));
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
