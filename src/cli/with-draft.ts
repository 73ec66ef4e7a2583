import { openTemporaryStore, type Store } from "../store/store.ts";
import { withStore } from "../store/with-store.ts";
import { UsageError } from "../workspace/errors.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import type { WorkspaceOptions } from "./command.ts";
import { importFolder } from "./import-folder.ts";
import type { Output } from "./output/output.ts";
import { programFingerprint } from "./program/program-fingerprint.ts";
import { servingThread } from "./threads/serving-thread.ts";
import type { TimeOptions } from "./time-option.ts";

/** The argument of a command that runs on a draft. */
export const FOLDER_ARGUMENT =
  "a workspace folder, imported into a temporary store (or that of --store); default: the store's draft";

/** A workspace of a store, and how its draft is rendered. */
export interface OpenDraft {
  readonly store: Store;
  readonly workspace: WorkspaceRow;
  readonly how: ReturnType<typeof renderingOptions>;
}

type Work<T> = (draft: OpenDraft) => T | Promise<T>;

/**
 * Runs `work` on the store's draft; or on that of a folder, which is imported first: into the store
 * that --store names, else into a temporary one.
 *
 * @throws SvcError as `importFolder` and those of the store; UsageError for --workspace with a folder.
 */
export async function withDraft<T>(
  output: Output,
  options: WorkspaceOptions & TimeOptions,
  folder: string | undefined,
  work: Work<T>,
): Promise<T> {
  const run = (store: Store, id?: string) =>
    work({ store, workspace: store.workspace(id), how: renderingOptions(store, output, options) });
  if (folder === undefined) {
    return await withStore(options.store, (store) => run(store, options.workspace));
  }
  assertNoWorkspace(options);
  if (!options.namesStore) {
    const store = openTemporaryStore();
    try {
      const { workspaceId } = importFolder(store, folder);
      return await run(store, workspaceId);
    } finally {
      store.close();
    }
  }
  const imported = (store: Store) => importFolder(store, folder);
  const { workspaceId } = await withStore(options.store, imported, { create: true });
  return await withStore(options.store, (store) => run(store, workspaceId));
}

/** A folder is one workspace. */
export function assertNoWorkspace({ workspace }: WorkspaceOptions): void {
  if (workspace === undefined) return;
  throw new UsageError(
    "--workspace chooses a workspace of a store, and a folder is one workspace",
    "leave --workspace out",
  );
}

/** What renders a draft of a store: nothing is cached in a temporary one, and no thread can open it. */
export function renderingOptions(store: Store, output: Output, { at = Date.now() }: TimeOptions) {
  const onProgress = output.progress;
  return store.isTemporary
    ? { onProgress, at }
    : { onProgress, at, program: programFingerprint(), startThread: servingThread(store.file) };
}
