import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renamedEntries } from "../../diff/renamed-entries.ts";
import { FollowedFolder } from "../../follow/followed-folder.ts";
import { AccessKey } from "../../page/access-key.ts";
import { type Actions, isLoopback } from "../../page/actions.ts";
import { keptImageHosts } from "../../page/image-hosts.ts";
import { mintTokens } from "../../page/minted-tokens.ts";
import { pageHandler } from "../../page/page-handler.ts";
import { publishActions } from "../../page/publisher.ts";
import { type SideName, sideNamed } from "../../publish/sides.ts";
import { onlyAllowedHosts } from "../../server/allowed-hosts.ts";
import { apiHandler } from "../../server/api-handler.ts";
import { draftEvents } from "../../server/draft-events.ts";
import { DraftRenderings } from "../../server/draft-renderings.ts";
import { assertCanListen } from "../../server/listen.ts";
import { LiveDrafts } from "../../server/live-drafts.ts";
import { Preview } from "../../server/preview.ts";
import type { PreviewedDrafts } from "../../server/previewed-drafts.ts";
import { PublishedFiles } from "../../server/published-files.ts";
import { type FolderFault, UsageError } from "../../workspace/errors.ts";
import { renamedLines } from "../output/diff-lines.ts";
import type { Output, Remarks } from "../output/output.ts";
import { reportError } from "../output/report-error.ts";
import { countsText, shellWord } from "../output/words.ts";
import {
  assertComparable,
  assertCompared,
  type ComparedWith,
  watchPublished,
} from "../preview/compared-with.ts";
import { linked } from "../preview/draft-files.ts";
import { type DraftReports, draftReports } from "../preview/draft-reports.ts";
import { editorTemplate } from "../preview/editor-link.ts";
import { FolderDrafts } from "../preview/folder-drafts.ts";
import { KeptState } from "../preview/kept-state.ts";
import { type HandOut, siteAccess } from "../preview/site-access.ts";
import type { Results } from "../results.ts";
import { reportDefect, serveUntilStopped } from "../serve-until-stopped.ts";
import type { Given, PREVIEW } from "../table/options.ts";
import type { Run, SharedOptions } from "../table/table.ts";
import { DraftThreads } from "../threads/draft-threads.ts";
import { assertLoopback, type PublishedOptions, Publishing } from "../threads/publish-thread.ts";
import { listOptions } from "../with-draft.ts";

export const preview: Run<"preview"> = async (output, options) => {
  const { excess: folder, store: file, severity } = options;
  if (folder !== undefined) {
    throw new UsageError(
      `svc preview shows the drafts of a store, and "${folder}" is an argument too many`,
      `svc dev ${shellWord(folder)} shows a workspace folder, and follows it`,
    );
  }
  const against = comparedSide(options);
  await assertCanListen(options);
  // SQLite is loaded only where there is a store.
  const { withStore } = await import("../../store/with-store.ts");
  await withStore(file, async (store) => {
    const { identity } = store;
    const comparedWith = { against, store: file, out: options.out };
    const thread = new DraftThreads(() => ({ store: file, identity, severity, comparedWith }));
    const published = { ...options, folder: undefined };
    const previewed = { path: file, drafts: store, thread, published, comparedWith };
    await servePreview(previewed, options, output, {
      note: "open the first link to see the draft; API clients add ?preview_token=<token> to the others (create one with svc token create)",
    });
  });
};

/** H19: serves the preview of a folder in memory, and reports on it, until it is stopped. */
export const dev: Run<"dev"> = async (output, options) => {
  const { folder } = options;
  const { types: file, project, const: constants = false, open, severity } = options;
  const { experienceIds = false } = options;
  if (file === undefined && (project !== undefined || constants || experienceIds)) {
    const words = "--project, --const and --experience-ids are of the types";
    throw new UsageError(words, "add --types <file>");
  }
  if (folder === undefined) {
    throw new UsageError("a workspace folder is missing", "name it: svc dev <folder>");
  }
  if (options.storeFrom === "cli") {
    throw new UsageError(
      "svc dev follows the folder in memory, without a store",
      "leave --store out; svc preview shows the drafts of a store, whatever imports into it",
    );
  }
  if (options.edit && !isLoopback(options.host)) {
    throw new UsageError(
      `--edit writes files, and --host ${options.host} may be reached by others`,
      "leave out --host, or --edit",
    );
  }
  const against = comparedSide(options);
  await assertCanListen(options);
  const isForSite = options.env !== undefined || options.site !== undefined;
  const handOut = isForSite ? siteAccess(output, options.env) : undefined;
  const types = file === undefined ? undefined : { file, project, constants, experienceIds };
  const reports = draftReports(output, listOptions(options, folder), types);
  const drafts = new FolderDrafts();
  const store = options.storeFrom === "default" ? undefined : options.store;
  const comparedWith = { against, store, out: options.out };
  const files = { folder, editor: options.editor ?? editorTemplate("vscode") };
  const how = { severity, comparedWith, files };
  const thread = new DraftThreads(() => ({ folder: drafts.everything, ...how }));
  const followed = await FollowedFolder.start(
    { folder, except: [options.out] },
    {
      changed(change, posted) {
        const gone = drafts.entriesOf(change.entries.removed);
        const known = (id: string) => drafts.entriesOf([id]).length > 0;
        const come =
          gone.length === 0 ? [] : [...change.entries.put.keys()].filter((id) => !known(id));
        if (drafts.everything === undefined) thread.start();
        drafts.change(change);
        thread.change(posted);
        const renamed = renamedEntries(gone, drafts.entriesOf(come));
        for (const line of renamedLines(renamed, folder)) output.note(line);
      },
      updated: (id, counts) => output.note(`read "${id}": ${countsText(counts)}`),
      failed: (error) => reportFailure(error, output, reports),
    },
  );
  let opened: { remove: () => void } | undefined;
  try {
    const actions = async (renderings: DraftRenderings): Promise<Actions> => {
      if (!options.edit) return {};
      // It locks the folder by SQLite.
      const { folderEdits } = await import("../preview/folder-edits.ts");
      return folderEdits(folder, drafts, renderings, (files) => followed.read(files));
    };
    const published = { ...options, folder };
    const followedFolder = { path: folder, drafts, followed, files, reports, handOut, actions };
    await servePreview({ ...followedFolder, thread, published, comparedWith }, options, output, {
      note: "open the first link to see the draft; a button there makes a token for API clients (press Ctrl-C to stop)",
      listening(page) {
        if (!open) return;
        opened = openInBrowser(page, (why) =>
          output.note(`warning: cannot open the browser: ${why}; open the link yourself`),
        );
      },
    });
  } finally {
    opened?.remove();
    await Promise.all([followed.close(), thread.close()]);
  }
};

function reportFailure(error: Error, { json }: Remarks, reports: DraftReports | undefined): void {
  reportError(error, { json, debug: false });
  reports?.failed();
}

/** H30, H33. */
function comparedSide({
  against: name,
  allowPublish,
  host,
}: Given<typeof PREVIEW>): SideName | undefined {
  if (allowPublish) assertLoopback("--allow-publish", host);
  const side = name === undefined ? undefined : sideNamed(name);
  if (side !== undefined) assertComparable(side);
  return side;
}

interface Previewed {
  /** Of the store's file or the folder. */
  readonly path: string;
  readonly drafts: PreviewedDrafts;
  readonly thread: DraftThreads;
  readonly published: PublishedOptions;
  readonly comparedWith: ComparedWith;
  /** Of a folder. */
  readonly followed?: FollowedFolder;
  readonly files?: { readonly folder: string; readonly editor: string };
  readonly reports?: DraftReports;
  /** To the developers of a site. */
  readonly handOut?: HandOut | undefined;
  /** What the page may do. */
  readonly actions?: (renderings: DraftRenderings) => Promise<Actions>;
}

async function servePreview(
  previewed: Previewed,
  options: Given<typeof PREVIEW> & Pick<SharedOptions, "severity">,
  output: Output<Results["preview"]>,
  { note, listening }: { readonly note: string; readonly listening?: (page: string) => void },
): Promise<void> {
  const { path, drafts, thread, published: toPublish, comparedWith } = previewed;
  const { followed, reports, handOut, files, actions: actionsOf } = previewed;
  const live = new LiveDrafts(drafts, (error) => reportFailure(error, output, reports));
  const shownFaults = (faults: readonly FolderFault[] = []) =>
    files ? faults.map((fault) => linked(files.folder, files.editor, fault)) : faults;
  live.poll(shownFaults(followed?.faults));
  await assertCompared(comparedWith, drafts, thread).catch(async (error) => {
    await thread.close();
    throw error;
  });
  const publisher = new Publishing(toPublish, output, () => live.touch());
  const unwatch = watchPublished(comparedWith, () => live.touch());
  const renderings = new DraftRenderings(drafts, undefined, options.severity);
  const published = new PublishedFiles(options.out);
  const events = draftEvents(drafts, live, thread, reportDefect);
  const api = apiHandler(published, new Preview(drafts, renderings), reportDefect, events);
  const kept = new KeptState(path, output.note);
  if (options.newKey) kept.changeKey();
  const key = new AccessKey(kept.key);
  const images = keptImageHosts([...kept.imageHosts, ...(options.images ?? [])], (imageHosts) =>
    kept.change({ imageHosts }),
  );
  const mintToken = mintTokens(drafts);
  const shown = { drafts, renderings, thread, live, key, images, mintToken, sites: options.site };
  const actions = {
    ...(await actionsOf?.(renderings)),
    ...(options.allowPublish && publishActions(publisher)),
  };
  const page = pageHandler({ ...shown, actions, onDefect: reportDefect }, api);
  const handler = onlyAllowedHosts(page, [options.host, ...(options.allowHost ?? [])]);
  const projectIds = drafts.read(() =>
    drafts.workspaces().flatMap((row) => drafts.draft(row).projects.map(({ id }) => id)),
  );
  for (const id of options.site?.keys() ?? []) {
    if (id === "" || projectIds.length === 0 || projectIds.includes(id)) continue;
    output.note(`warning: "site" names the project "${id}", which does not exist`);
  }
  /** Once it listens. */
  let baseUrl: string | undefined;
  const updated = () => {
    const workspaceId = followed?.workspaceId;
    if (baseUrl === undefined || workspaceId === undefined || followed?.faults.length !== 0) return;
    handOut?.(workspaceId, baseUrl, mintToken);
    reports?.report({ drafts, renderings, thread, workspaceId });
  };
  followed?.onUpdate((faults) => {
    const isUsable = live.poll(shownFaults(faults));
    if (isUsable) updated();
    return isUsable;
  });
  const beforeStop = () => {
    unwatch();
    live.close();
    void thread.close();
  };
  const started = (where: Results["serve"], lines: readonly string[]) => {
    const link = where.listening + key.pagePath(undefined);
    const { listening: address, ...addresses } = where;
    output.result({ listening: address, page: link, ...addresses }, [link, ...lines]);
    output.note(note);
    listening?.(link);
    ({ baseUrl } = where);
    updated();
  };
  await serveUntilStopped(handler, options, output, projectIds, started, beforeStop).finally(
    beforeStop,
  );
}

/** What opens a link, by platform; others have xdg-open. */
const COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  // `start` would need a shell, to which parts of the link are syntax.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** H3a: by a file that leads to the link, as arguments of a process can be seen by all users. */
function openInBrowser(link: string, failed: (message: string) => void): { remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "svc-open-"));
  const file = join(folder, "preview.html");
  const url = link.replaceAll("&", "&amp;");
  const head = `<!doctype html><meta name="referrer" content="no-referrer">`;
  writeFileSync(file, `${head}<meta http-equiv="refresh" content="0;url=${url}">\n`, {
    mode: 0o600,
  });
  const [command, ...args] = COMMANDS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, file], { stdio: "ignore", detached: true });
  child.on("error", ({ message }) => failed(message));
  child.on("exit", (status) => {
    if (status !== 0) failed(`${command} ended with status ${status}`);
  });
  child.unref();
  return { remove: () => rmSync(folder, { recursive: true, force: true }) };
}
