// The worker thread of `draft-thread.ts`.
import { existsSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { FollowedFolder } from "../../follow/followed-folder.ts";
import type { Actions } from "../../page/actions.ts";
import type { DraftStates } from "../../page/draft-state.ts";
import type { OlderSource } from "../../page/older-values.ts";
import { OwnedDraft } from "../../page/owned-draft.ts";
import type { DraftFiles } from "../../page/problem-list.ts";
import { LiveDrafts } from "../../server/live-drafts.ts";
import type { PreviewedDrafts } from "../../server/previewed-drafts.ts";
import type { Store } from "../../store/store.ts";
import { countsOf } from "../../workspace/draft.ts";
import { postedError } from "../../workspace/posted-error.ts";
import { renamedLines } from "../output/diff-lines.ts";
import { countsText } from "../output/words.ts";
import { ComparedVersions, watchPublished } from "../preview/compared-with.ts";
import { draftFiles, linked } from "../preview/draft-files.ts";
import { FolderDrafts } from "../preview/folder-drafts.ts";
import { OlderTranslations } from "../preview/older-translations.ts";
import type { Call, OwnedSource, OwnerListener, Reply, ThreadOwner } from "./draft-thread.ts";

const source = workerData as OwnedSource;
const { comparedWith, severity } = source;
const post = (reply: Reply) => parentPort?.postMessage(reply);

function tell<Name extends keyof OwnerListener>(
  told: Name,
  ...args: Parameters<OwnerListener[Name]>
): void {
  post({ told, args: args as never });
}

/** What it owns once that is opened. */
let owned: OwnedDraft | undefined;
let live: LiveDrafts | undefined;

/** SQLite is loaded only where there is a store. */
const openStore = comparedWith.store && (await import("../../store/store.ts")).openStore;
if ("store" in source || (comparedWith.store && existsSync(comparedWith.store))) {
  (await import("../../store/open-database.ts")).loadSqlite();
}

function own(
  drafts: PreviewedDrafts,
  more: {
    files?: DraftFiles;
    older?: OlderSource;
    actions?: (states: DraftStates) => Actions;
  } = {},
): LiveDrafts {
  const shown = new LiveDrafts(drafts, (error) => tell("failed", postedError(error)));
  const snapshots = new ComparedVersions(comparedWith, drafts, openStore || undefined);
  owned = new OwnedDraft(drafts, { live: shown, snapshots, severity, ...more });
  live = shown;
  shown.onChange((state) => tell("live", state));
  watchPublished(comparedWith, () => shown.touch());
  return shown;
}

async function openedStore(file: string): Promise<Store> {
  const { withStore } = await import("../../store/with-store.ts");
  // It is open as long as the thread runs.
  return new Promise((resolve, reject) => {
    withStore(file, (store) => new Promise(() => resolve(store))).catch(reject);
  });
}

async function openFolder({ folder, except, editor, isEdited }: FolderSource): Promise<void> {
  const drafts = new FolderDrafts();
  const { folderEdits } = isEdited ? await import("../preview/folder-edits.ts") : {};
  let followed: FollowedFolder | undefined;
  const read = (files: readonly string[]) => followed?.read(files);
  const shown = own(drafts, {
    files: draftFiles(folder, editor),
    older: new OlderTranslations(folder),
    actions: (states) => ({ ...folderEdits?.(folder, drafts, states, read) }),
  });
  followed = await FollowedFolder.start(
    { folder, except },
    {
      changed(records) {
        for (const line of renamedLines(drafts.change(records), folder)) tell("note", line);
      },
      read(faults) {
        const isUsable = shown.poll(faults.map((fault) => linked(folder, editor, fault)));
        const [row] = drafts.workspaces();
        if (isUsable && faults.length === 0 && row !== undefined) tell("updated", row.id);
        return isUsable;
      },
      updated: (records) => {
        tell("note", `read "${records.workspace.id}": ${countsText(countsOf(records))}`);
      },
      failed: (error) => tell("failed", postedError(error)),
    },
  );
}

type FolderSource = Extract<OwnedSource, { folder: string }>;

const OPENING: Pick<ThreadOwner, "open" | "touch"> = {
  async open() {
    if ("store" in source) own(await openedStore(source.store));
    else await openFolder(source);
    const state = live?.state();
    if (state !== undefined) tell("live", state);
  },
  async touch() {
    live?.touch();
  },
};

/** Of the calls that are not answered yet. */
const signals = new Map<number, AbortController>();

parentPort?.on("message", async (call: Call) => {
  if ("aborted" in call) return signals.get(call.aborted)?.abort();
  const { id, name, args, signalAt } = call;
  try {
    if (signalAt >= 0) {
      const controller = new AbortController();
      signals.set(id, controller);
      args[signalAt] = controller.signal;
    }
    const owner = name in OPENING ? OPENING : owned;
    const method = owner?.[name as never] as unknown as (...given: unknown[]) => Promise<unknown>;
    post({ id, result: await method.apply(owner, args) });
  } catch (error) {
    post({ id, failure: postedError(error) });
  } finally {
    signals.delete(id);
  }
});
post({ isReady: true });
