// The worker thread of `draft-thread.ts`.
import { existsSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { received } from "../../folder/posted-change.ts";
import { DraftData } from "../../page/draft-data.ts";
import { threadOfQuery } from "../../page/queries.ts";
import { DraftRenderings } from "../../server/draft-renderings.ts";
import type { PreviewedDrafts } from "../../server/previewed-drafts.ts";
import { postedError } from "../../workspace/posted-error.ts";
import { ComparedVersions } from "../preview/compared-with.ts";
import { draftFiles } from "../preview/draft-files.ts";
import { FolderDrafts } from "../preview/folder-drafts.ts";
import type {
  DraftChange,
  DraftReply,
  DraftRequest,
  DraftThreadData,
  DraftThreadReady,
} from "./draft-thread.ts";

const folder = new FolderDrafts();
let drafts: PreviewedDrafts = folder;
const given = workerData as DraftThreadData;
const compared = await comparedVersions();
const data = await draftData();

async function draftData(): Promise<DraftData> {
  if ("folder" in given) return answering(folder);
  const { checkIdentity, openStore } = await import("../../store/store.ts");
  // Without it a store that was moved away would be reported as one that never existed.
  checkIdentity(given.store, given.identity);
  return answering(openStore(given.store));
}

/** SQLite is loaded only where there is a store. */
async function comparedVersions(): Promise<ComparedVersions> {
  const comparedWith = given.comparedWith ?? ("store" in given ? { store: given.store } : {});
  const open = comparedWith.store && (await import("../../store/store.ts")).openStore;
  if (open && existsSync(comparedWith.store))
    (await import("../../store/open-database.ts")).loadSqlite();
  return new ComparedVersions(comparedWith, open || undefined);
}

function answering(shown: PreviewedDrafts): DraftData {
  drafts = shown;
  const renderings = new DraftRenderings(shown, undefined, given.severity);
  const files = given.files && draftFiles(given.files.folder, given.files.editor);
  return new DraftData(shown, renderings, compared, files);
}

async function reply({ name, query }: DraftRequest): Promise<DraftReply> {
  try {
    const asked = new URLSearchParams(query);
    if (threadOfQuery(name, asked) === "check") await compared.fetch(drafts);
    return { body: data.answer(name, asked) };
  } catch (error) {
    return { failure: postedError(error) };
  }
}

parentPort?.on("message", async (message: DraftRequest | DraftChange) => {
  if ("change" in message) folder.change(received(message.change));
  else parentPort?.postMessage(await reply(message));
});
parentPort?.postMessage({ isReady: true } satisfies DraftThreadReady);
