import { type FolderDraft, folderDraft, readRecords } from "../folder/folder-draft.ts";
import { readFolder } from "../folder/read-folder.ts";
import type { DraftSource } from "../publish/outcome.ts";
import type { Store } from "../store/store.ts";
import { withStore } from "../store/with-store.ts";
import type { Draft } from "../workspace/draft.ts";
import { UsageError } from "../workspace/errors.ts";
import type { WorkspaceOptions } from "./command.ts";
import type { Output } from "./output/output.ts";
import { programFingerprint } from "./program/program-fingerprint.ts";
import type { TimeOptions } from "./time-option.ts";

/** The argument of a command that runs on a draft. */
export const FOLDER_ARGUMENT =
  "a workspace folder (with --store, imported into that store); default: the store's draft";

/** How the draft is rendered. */
export type HowRendered = ReturnType<typeof renderingOptions>;

type Work<T> = (source: DraftSource, how: HowRendered) => T | Promise<T>;

/**
 * Runs `work` on the store's draft; or on that of a folder, which is imported first if --store names a
 * store.
 *
 * @throws SvcError as `readFolder` and those of the store; UsageError for --workspace with a folder.
 */
export async function withDraft<T>(
  output: Output,
  options: WorkspaceOptions & TimeOptions,
  folder: string | undefined,
  work: Work<T>,
): Promise<T> {
  const how = renderingOptions(output, options);
  const onStore = (store: Store, id?: string) =>
    work({ kind: "store", store, workspace: store.workspace(id) }, how);
  if (folder === undefined) {
    return await withStore(options.store, (store) => onStore(store, options.workspace));
  }
  assertNoWorkspace(options);
  if (!options.namesStore) return await work({ kind: "folder", draft: readDraft(folder) }, how);
  const imported = (store: Store) => store.import(readFolder(folder), new Date());
  const { workspaceId } = await withStore(options.store, imported, { create: true });
  return await withStore(options.store, (store) => onStore(store, workspaceId));
}

/** The draft of a workspace folder, in memory. */
export function readDraft(folder: string): FolderDraft {
  return folderDraft(readRecords(readFolder(folder)));
}

/** Runs `work` on the draft of a source; that of a store in one read transaction. */
export function reading<T>(source: DraftSource, work: (draft: Draft) => T): T {
  if (source.kind === "folder") return work(source.draft);
  const { store, workspace } = source;
  return store.read(() => work(store.draft(workspace)));
}

/** A folder is one workspace. */
export function assertNoWorkspace({ workspace }: WorkspaceOptions): void {
  if (workspace === undefined) return;
  throw new UsageError(
    "--workspace chooses a workspace of a store, and a folder is one workspace",
    "leave --workspace out",
  );
}

export function renderingOptions(output: Output, { at = Date.now() }: TimeOptions) {
  return { onProgress: output.progress, at, program: programFingerprint() };
}
