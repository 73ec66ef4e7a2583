import { isOfFormat } from "../fields/formatted.ts";
import { findPlaces } from "../folder/find-places.ts";
import { type FolderDraft, folderDraft, readRecords } from "../folder/folder-draft.ts";
import { readFolder } from "../folder/read-folder.ts";
import type { DraftSource } from "../publish/outcome.ts";
import type { Store } from "../store/store.ts";
import { withStore } from "../store/with-store.ts";
import type { Draft } from "../workspace/draft.ts";
import { UsageError } from "../workspace/errors.ts";
import type { Severities } from "../workspace/severity.ts";
import { type ListOptions, pathFrom } from "./output/findings.ts";
import type { Remarks } from "./output/output.ts";
import { shellWord } from "./output/words.ts";
import { programFingerprint } from "./program/program-fingerprint.ts";

/** What chooses a draft, and how it is rendered. */
export interface DraftOptions {
  readonly store: string;
  readonly storeFrom: string;
  readonly workspace?: string;
  /** A4: the reading of the clock. RFC 3339. */
  readonly at?: string;
  /** N3. */
  readonly severity?: Severities;
}

export type HowRendered = ReturnType<typeof renderingOptions>;

type Work<T> = (source: DraftSource, how: HowRendered) => T | Promise<T>;

/**
 * R11: runs `work` on the store's draft; or on that of a folder, which is imported first if --store
 * names a store.
 *
 * @throws SvcError as `readFolder` and those of the store; UsageError for --workspace with a folder.
 */
export async function withDraft<T>(
  output: Remarks,
  options: DraftOptions,
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
  if (options.storeFrom === "default")
    return await work({ kind: "folder", draft: readDraft(folder) }, how);
  const imported = (store: Store) => store.import(readFolder(folder), new Date());
  const { workspaceId } = await withStore(options.store, imported, { create: true });
  return await withStore(options.store, (store) => onStore(store, workspaceId));
}

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
export function assertNoWorkspace({ workspace }: { readonly workspace?: string }): void {
  if (workspace === undefined) return;
  throw new UsageError(
    "--workspace chooses a workspace of a store, and a folder is one workspace",
    "leave --workspace out",
  );
}

export function renderingOptions(
  output: Remarks,
  { at, severity }: Pick<DraftOptions, "at" | "severity">,
) {
  const time = at === undefined ? Date.now() : timeOf(at);
  return { onProgress: output.progress, at: time, program: programFingerprint(), severity };
}

function timeOf(text: string): number {
  const time = isOfFormat("date-time", text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    `option '--at <time>' argument '${text}' is invalid: must be a time with zone by RFC 3339`,
    "give one such as 2026-11-21T09:30:00Z",
  );
}

/** How a command with these options lists problems: of a folder with their places in its files (P13a). */
export function listOptions(
  { store, workspace, format }: Pick<DraftOptions, "store" | "workspace"> & { format?: string },
  folder: string | undefined,
): ListOptions {
  const checkCommand = [
    "svc check",
    ...(folder === undefined ? [] : [shellWord(folder)]),
    ...(store === "workspace.db" ? [] : ["--store", shellWord(store)]),
    ...(workspace === undefined ? [] : ["--workspace", shellWord(workspace)]),
  ].join(" ");
  if (folder === undefined) return { checkCommand };
  // GitHub finds the files of annotations from the root of the repository.
  const root = (format === "github" && process.env.GITHUB_WORKSPACE) || process.cwd();
  return {
    checkCommand,
    root,
    findPlaces(wanted) {
      const find = findPlaces(folder, wanted);
      return (problem) => {
        const place = find(problem);
        return place && { ...place, file: pathFrom(folder, place.file, root) };
      };
    },
  };
}
