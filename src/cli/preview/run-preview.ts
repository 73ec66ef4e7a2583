import { existsSync } from "node:fs";
import type { Command } from "commander";
import { FollowedFolder, type FollowReporter } from "../../follow/followed-folder.ts";
import { onlyAllowedHosts } from "../../server/allowed-hosts.ts";
import { apiHandler } from "../../server/api-handler.ts";
import { DraftRenderings } from "../../server/draft-renderings.ts";
import { assertCanListen } from "../../server/listen.ts";
import { LiveDrafts } from "../../server/live-drafts.ts";
import { AccessKey } from "../../server/page/access-key.ts";
import type { DraftAnswers } from "../../server/page/draft-data.ts";
import { pageHandler } from "../../server/page/page-handler.ts";
import { Preview } from "../../server/preview.ts";
import type { PreviewedDrafts } from "../../server/previewed-drafts.ts";
import { PublishedFiles } from "../../server/published-files.ts";
import { type SharedOptions, withOut } from "../command.ts";
import { type ListenOptions, withAllowedHosts, withListening } from "../listen-options.ts";
import { countsText } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { reportError } from "../output/report-error.ts";
import { reportDefect, serveUntilStopped } from "../serve-until-stopped.ts";
import { DraftThread } from "../threads/draft-thread.ts";
import { FolderDrafts } from "./folder-drafts.ts";

export interface PreviewOptions extends SharedOptions, ListenOptions {
  readonly out: string;
  readonly allowHost?: readonly string[];
}

export function withPreviewOptions(to: Command): Command {
  return withAllowedHosts(withListening(withOut(to)));
}

/** What a preview lets others use of the draft that it shows. */
export interface ShownDraft {
  readonly drafts: PreviewedDrafts;
  readonly renderings: DraftRenderings;
  /** Answers beside the server (H12). */
  readonly thread: DraftAnswers;
  /** The workspace of the folder that is followed. */
  readonly workspaceId: string;
}

/** Goes with a preview of a folder. */
export interface Companion {
  /** Called once, with the link of the page. */
  readonly listening: (page: string) => void;
  /** Called when the server listens, and after each further update of the folder that succeeded. */
  readonly updated: (draft: ShownDraft) => void;
  /** Called after each failure that was reported. */
  readonly failed: () => void;
  /** Printed when the server listens. */
  readonly note: string;
}

const NOTE =
  "open the first link to see the draft; API clients add ?preview_token=<token> to the others (create one with svc token create)";

/**
 * Serves the preview of the store, into which it imports the folder whenever that changes, until it is
 * stopped.
 *
 * @throws SvcError for an address that cannot be used, a missing folder, an unusable store.
 */
export async function previewStore(
  folder: string | undefined,
  options: PreviewOptions,
  output: Output,
  companion?: Companion,
): Promise<void> {
  await assertCanListen(options);
  const { store: file, out } = options;
  // SQLite is loaded only where there is a store.
  const { openStore } = await import("../../store/store.ts");
  const { storeFiles, withStore } = await import("../../store/with-store.ts");
  // The store and out/ may be inside the folder: writing them is not a change of the workspace.
  const task = folder && { folder, store: file, except: [...storeFiles(file), out] };
  // If the first import fails, the store's draft is served as it is.
  const followed = task
    ? await FollowedFolder.start(task, reporter("imported", output, companion))
    : undefined;
  try {
    // A first import that failed has created no store.
    if (followed && !existsSync(file)) openStore(file, { create: true }).close();
    await withStore(file, async (store) => {
      followed?.requireStore(store.identity);
      const thread = new DraftThread(() => ({ store: file, identity: store.identity }));
      await servePreview({ drafts: store, thread, followed }, options, output, companion);
    });
  } finally {
    await followed?.close();
  }
}

/**
 * H19: the same of a folder without a store.
 *
 * @throws SvcError for an address that cannot be used, a missing folder.
 */
export async function previewFolder(
  folder: string,
  options: PreviewOptions,
  output: Output,
  companion: Companion,
): Promise<void> {
  await assertCanListen(options);
  const drafts = new FolderDrafts();
  const thread = new DraftThread(() => ({ folder: drafts.everything }));
  const followed = await FollowedFolder.start(
    { folder, except: [options.out] },
    {
      ...reporter("read", output, companion),
      changed(change) {
        drafts.change(change);
        thread.change(change);
      },
    },
  );
  try {
    await servePreview({ drafts, thread, followed }, options, output, companion);
  } finally {
    await followed.close();
  }
}

function reporter(
  done: "imported" | "read",
  output: Output,
  companion: Companion | undefined,
): FollowReporter {
  return {
    updated: (id, counts) => output.note(`${done} "${id}": ${countsText(counts)}`),
    failed: (error) => reportFailure(error, output, companion),
  };
}

function reportFailure(error: Error, output: Output, companion: Companion | undefined): void {
  reportError(error, { json: output.json, debug: false });
  companion?.failed();
}

interface Previewed {
  readonly drafts: PreviewedDrafts;
  readonly thread: DraftThread;
  readonly followed: FollowedFolder | undefined;
}

async function servePreview(
  { drafts, thread, followed }: Previewed,
  options: PreviewOptions,
  output: Output,
  companion: Companion | undefined,
): Promise<void> {
  const live = new LiveDrafts(drafts, (error) => reportFailure(error, output, companion));
  live.poll(followed?.faults, followed?.workspaceId);
  const renderings = new DraftRenderings(drafts);
  const published = new PublishedFiles(options.out);
  const api = apiHandler(published, new Preview(drafts, renderings), reportDefect);
  const key = new AccessKey();
  const page = pageHandler({ drafts, renderings, thread, live, key, onDefect: reportDefect }, api);
  const handler = onlyAllowedHosts(page, [options.host, ...(options.allowHost ?? [])]);
  const projectIds = drafts.read(() =>
    drafts.workspaces().flatMap((row) => drafts.draft(row).projects.map(({ id }) => id)),
  );
  let hasStarted = false;
  const updated = () => {
    const workspaceId = followed?.workspaceId;
    if (!hasStarted || workspaceId === undefined || followed?.faults.length !== 0) return;
    companion?.updated({ drafts, renderings, thread, workspaceId });
  };
  followed?.onUpdate((faults) => {
    const isUsable = live.poll(faults, followed.workspaceId);
    if (isUsable) updated();
    return isUsable;
  });
  const afterStart = (page: string) => {
    companion?.listening(page);
    hasStarted = true;
    updated();
  };
  const beforeStop = () => {
    live.close();
    void thread.close();
  };
  // With several workspaces in the store, the page opens on the folder's.
  const isOnly = drafts.workspaces().length === 1;
  const pagePath = key.pagePath(isOnly ? undefined : followed?.workspaceId);
  const more = { pagePath, afterStart, beforeStop };
  const note = companion?.note ?? NOTE;
  await serveUntilStopped(handler, options, output, projectIds, note, more).finally(beforeStop);
}
