import { existsSync } from "node:fs";
import type { Rendering } from "../../documents/rendering.ts";
import { FollowedFolder } from "../../follow/followed-folder.ts";
import { renderingSnapshot, versionSnapshot } from "../../publish/snapshots.ts";
import { onlyAllowedHosts } from "../../server/allowed-hosts.ts";
import { apiHandler } from "../../server/api-handler.ts";
import { DraftRenderings } from "../../server/draft-renderings.ts";
import { LiveStore } from "../../server/live-store.ts";
import { AccessKey } from "../../server/page/access-key.ts";
import { pageHandler } from "../../server/page/page-handler.ts";
import { Preview } from "../../server/preview.ts";
import { PublishedFiles } from "../../server/published-files.ts";
import { openStore } from "../../store/store.ts";
import type { WorkspaceRow } from "../../workspace/workspace-row.ts";
import { action, command, type SharedOptions, withOut } from "../command.ts";
import {
  type ListenOptions,
  onDefect,
  serveUntilStopped,
  withAllowedHosts,
  withListening,
} from "../listen-options.ts";
import type { Output } from "../output/output.ts";
import { tellFailure } from "../output/report-error.ts";
import { programFingerprint } from "../program-fingerprint.ts";
import { storeFiles, withStore } from "../with-store.ts";

interface PreviewOptions extends SharedOptions, ListenOptions {
  readonly out: string;
  readonly allowHost: readonly string[];
}

export const previewCommand = withAllowedHosts(
  withListening(
    withOut(
      command("preview", [
        "svc preview shop",
        'curl "http://127.0.0.1:4400/api/v1/projects/site?preview_token=$TOKEN"',
      ]),
    ),
  ),
)
  .argument("[folder]", "a workspace folder to import now and at every change")
  .action(
    action<PreviewOptions>(async (output, options, folder) => {
      const followed = folder === undefined ? undefined : await follow(folder, options, output);
      try {
        // A folder with faults at its first import has made none.
        if (followed && !existsSync(options.store))
          openStore(options.store, { create: true }).close();
        await withStore(options.store, async (store) => {
          const live = new LiveStore(store, (failure) =>
            tellFailure(failure, { json: output.json, debug: false }),
          );
          live.poll(followed?.faults, followed?.workspaceId);
          followed?.keepTo(store.identity);
          followed?.onTry((faults) => live.poll(faults, followed.workspaceId));
          const published = new PublishedFiles(options.out);
          const renderings = new DraftRenderings(store, programFingerprint());
          const api = apiHandler(published, new Preview(store, renderings), onDefect);
          const key = new AccessKey();
          const snapshots = {
            draft: (row: WorkspaceRow, rendering: Rendering) =>
              renderingSnapshot(store, row, rendering),
            version: (row: WorkspaceRow, id: string) => versionSnapshot(store, row, id),
          };
          const page = pageHandler({ store, renderings, snapshots, live, key, onDefect }, api);
          const handler = onlyAllowedHosts(page, [options.host, ...options.allowHost]);
          const projectIds = store.read(() =>
            store.workspaces().flatMap((row) => store.draft(row).projects.map(({ id }) => id)),
          );
          const remark =
            "open the first link to see the draft; programs add ?preview_token=<token> to the others (svc token create makes one)";
          const end = () => live.close();
          // Beside others, the folder's workspace is what its author wants to see.
          const isAlone = store.workspaces().length === 1;
          const pagePath = key.pagePath(isAlone ? undefined : followed?.workspaceId);
          const more = { pagePath, beforeStop: end };
          await serveUntilStopped(handler, options, output, projectIds, remark, more).finally(end);
        });
      } finally {
        await followed?.close();
      }
      return 0;
    }),
  );

/** The folder, imported for the first time. With faults in it, what the store has is served. */
function follow(folder: string, { store, out }: PreviewOptions, output: Output) {
  // A folder that has the store in it, or out/, does not change when these do.
  const task = { folder, store, except: [...storeFiles(store), out] };
  return FollowedFolder.start(task, output);
}
