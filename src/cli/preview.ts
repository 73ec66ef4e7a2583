import { readFolder } from "../folder/read-folder.ts";
import { apiHandler } from "../server/handler.ts";
import { Preview } from "../server/preview.ts";
import { PublishedFiles } from "../server/published.ts";
import { action, command, type SharedOptions, withOut } from "./command.ts";
import {
  type ListenOptions,
  onDefect,
  serveUntilStopped,
  withListening,
} from "./listen-options.ts";
import { countsText } from "./output.ts";
import { withStore, withStoreMade } from "./with-store.ts";

interface PreviewOptions extends SharedOptions, ListenOptions {
  readonly out: string;
}

export const previewCommand = withListening(
  withOut(
    command("preview", [
      "svc preview shop",
      'curl "http://127.0.0.1:4400/api/v1/projects/site?preview_token=$TOKEN"',
    ]),
  ),
)
  .argument("[folder]", "a workspace folder to import first")
  .action(
    action<PreviewOptions>(async (output, options, folder) => {
      if (folder !== undefined) {
        const notice = (text: string) => output.note(`warning: ${text}`);
        const { workspaceId, counts } = await withStoreMade(options.store, (store) =>
          store.import(readFolder(folder, notice), new Date()),
        );
        output.note(`imported "${workspaceId}": ${countsText(counts)}`);
      }
      await withStore(options.store, async (store) => {
        const published = new PublishedFiles(options.out);
        const handler = apiHandler(published, new Preview(store), onDefect);
        const projectIds = store.read(() =>
          store.workspaces().flatMap((row) => store.draft(row).projects.map(({ id }) => id)),
        );
        const remark = "add ?preview_token=<token> for the draft; svc token create makes one";
        await serveUntilStopped(handler, options, output, projectIds, remark);
      });
      return 0;
    }),
  );
