import { isOfFormat } from "../fields/formatted.ts";
import { findPlaces } from "../folder/find-places.ts";
import { type FolderDraft, folderDraft, readRecords } from "../folder/folder-draft.ts";
import { readFolder } from "../folder/read-folder.ts";
import type { DraftSource, RenderOptions } from "../publish/draft-source.ts";
import { FolderSource } from "../publish/folder-source.ts";
import { UsageError } from "../workspace/errors.ts";
import type { Severities } from "../workspace/severity.ts";
import { type ListOptions, pathFrom } from "./output/findings.ts";
import type { Remarks } from "./output/output.ts";
import { shellWord } from "./output/words.ts";

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

export type HowRendered = ReturnType<typeof renderingOptions> & Pick<RenderOptions, "program">;

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
  if (folder !== undefined) {
    assertNoWorkspace(options);
    if (options.storeFrom === "default") {
      return await work(new FolderSource(readDraft(folder)), how);
    }
  }
  // Loaded only where there is a store: its modules take 20 ms.
  const { withStoredDraft } = await import("./with-stored-draft.ts");
  return await withStoredDraft(options, folder, (source, program) =>
    work(source, { ...how, program }),
  );
}

export function readDraft(folder: string): FolderDraft {
  return folderDraft(readRecords(readFolder(folder)));
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
  return { onProgress: output.progress, at: time, severity };
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
