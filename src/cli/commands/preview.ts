import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccessKey } from "../../page/access-key.ts";
import { isLoopback } from "../../page/actions.ts";
import { EDITS, UPLOADS } from "../../page/edited.ts";
import { keptImageHosts } from "../../page/image-hosts.ts";
import type { MintedToken } from "../../page/minted-tokens.ts";
import { actionOf, pageHandler } from "../../page/page-handler.ts";
import { publishActions } from "../../page/publisher.ts";
import { type SideName, sideNamed } from "../../publish/sides.ts";
import { onlyAllowedHosts } from "../../server/allowed-hosts.ts";
import { apiHandler } from "../../server/api-handler.ts";
import { assertCanListen } from "../../server/listen.ts";
import { Live } from "../../server/live.ts";
import { PublishedFiles } from "../../server/published-files.ts";
import { UsageError } from "../../workspace/errors.ts";
import { errorFrom } from "../../workspace/posted-error.ts";
import type { Output } from "../output/output.ts";
import { reportError } from "../output/report-error.ts";
import { shellWord } from "../output/words.ts";
import { assertComparable, assertCompared } from "../preview/compared-with.ts";
import { type DraftReports, draftReports } from "../preview/draft-reports.ts";
import { editorTemplate } from "../preview/editor-link.ts";
import { KeptState } from "../preview/kept-state.ts";
import { type HandOut, siteAccess } from "../preview/site-access.ts";
import type { Results } from "../results.ts";
import { reportDefect, serveUntilStopped } from "../serve-until-stopped.ts";
import type { Given, PREVIEW } from "../table/options.ts";
import type { Run, SharedOptions } from "../table/table.ts";
import { DraftThread, type OwnedSource } from "../threads/draft-thread.ts";
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
  const comparedWith = { against, store: file, out: options.out };
  const previewed = { path: file, source: { store: file, severity, comparedWith } };
  await servePreview(
    { ...previewed, published: { ...options, folder: undefined } },
    options,
    output,
    {
      note: "open the first link to see the draft; API clients add ?preview_token=<token> to the others (create one with svc token create)",
    },
  );
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
  const store = options.storeFrom === "default" ? undefined : options.store;
  const source = {
    ...{ folder, severity, except: [options.out], isEdited: options.edit === true },
    comparedWith: { against, store, out: options.out },
    editor: options.editor ?? editorTemplate("vscode"),
  };
  let opened: { remove: () => void } | undefined;
  const published = { ...options, folder };
  await servePreview({ path: folder, source, published, reports, handOut }, options, output, {
    note: "open the first link to see the draft; a button there makes a token for API clients (press Ctrl-C to stop)",
    listening(page) {
      if (!open) return;
      opened = openInBrowser(page, (why) =>
        output.note(`warning: cannot open the browser: ${why}; open the link yourself`),
      );
    },
  }).finally(() => opened?.remove());
};

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
  readonly source: OwnedSource;
  readonly published: PublishedOptions;
  /** Of a folder. */
  readonly reports?: DraftReports;
  /** To the developers of a site. */
  readonly handOut?: HandOut | undefined;
}

async function servePreview(
  previewed: Previewed,
  options: Given<typeof PREVIEW> & Pick<SharedOptions, "severity">,
  output: Output<Results["preview"]>,
  { note, listening }: { readonly note: string; readonly listening?: (page: string) => void },
): Promise<void> {
  const { path, source, published: toPublish, reports, handOut } = previewed;
  const live = new Live();
  let workspaceId: string | undefined;
  /** Once it listens. */
  let baseUrl: string | undefined;
  const updated = () => {
    // The last reading of the folder found faults, or none has ended.
    if (baseUrl === undefined || workspaceId === undefined || live.state().faults.length > 0)
      return;
    const id = workspaceId;
    // It may have stopped when the next token is made.
    const mint = () => owner.act("token", id, {}).catch(() => undefined);
    void handOut?.(baseUrl, mint as () => Promise<MintedToken | undefined>);
    reports?.report({ owner, workspaceId });
  };
  const thread = new DraftThread(source, {
    live: (state) => live.show(state),
    note: output.note,
    failed(error) {
      reportError(errorFrom(error), { json: output.json, debug: false });
      reports?.failed();
    },
    updated(id) {
      workspaceId = id;
      updated();
    },
  });
  const { owner } = thread;
  try {
    const opened = owner.open().then(() => assertCompared(source.comparedWith, owner));
    await Promise.race([opened, thread.lost]);
    const publisher = new Publishing(toPublish, output, () => {
      // It may have stopped meanwhile.
      owner.touch().catch(() => {});
    });
    const api = apiHandler(new PublishedFiles(options.out), { owner, live }, reportDefect);
    const kept = new KeptState(path, output.note);
    if (options.newKey) kept.changeKey();
    const key = new AccessKey(kept.key);
    const images = keptImageHosts([...kept.imageHosts, ...(options.images ?? [])], (imageHosts) =>
      kept.change({ imageHosts }),
    );
    const edits = "folder" in source && source.isEdited ? EDITS : [];
    const edit = (name: string) => {
      const takesFile = UPLOADS.has(name);
      return [name, { isLoopbackOnly: true, takesFile, ...actionOf(owner, name) }];
    };
    const actions = {
      ...Object.fromEntries(edits.map(edit)),
      ...(options.allowPublish && publishActions(publisher)),
    };
    const shown = { owner, live, key, images, sites: options.site, actions };
    const page = pageHandler({ ...shown, onDefect: reportDefect }, api);
    const handler = onlyAllowedHosts(page, [options.host, ...(options.allowHost ?? [])]);
    const projectIds = (await owner.workspaces()).flatMap((one) => one.projectIds);
    for (const id of options.site?.keys() ?? []) {
      if (id === "" || projectIds.length === 0 || projectIds.includes(id)) continue;
      output.note(`warning: "site" names the project "${id}", which does not exist`);
    }
    const started = (where: Results["serve"], lines: readonly string[]) => {
      const link = where.listening + key.pagePath(undefined);
      const { listening: address, ...addresses } = where;
      output.result({ listening: address, page: link, ...addresses }, [link, ...lines]);
      output.note(note);
      listening?.(link);
      ({ baseUrl } = where);
      updated();
    };
    const beforeStop = () => {
      live.close();
      void thread.close();
    };
    const { lost } = thread;
    await serveUntilStopped(handler, options, output, projectIds, started, { beforeStop, lost });
  } finally {
    live.close();
    await thread.close();
  }
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
