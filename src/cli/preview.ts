import { action, command, type SharedOptions, withOut } from "./command.ts";
import { countsText } from "./import.ts";
import {
  type ListenOptions,
  onDefect,
  serveUntilStopped,
  withListening,
} from "./listen-options.ts";

interface PreviewOptions extends SharedOptions, ListenOptions {
  readonly out: string;
}

export const preview = withListening(
  withOut(
    command("preview", "Serve the published files, and drafts to whoever holds a preview token.", [
      "svc preview shop",
      'curl "http://127.0.0.1:4400/api/v1/projects/site?preview_token=$TOKEN"',
    ]),
  ),
)
  .argument("[folder]", "a workspace folder to import first")
  .action(
    action<PreviewOptions>(async (output, options, folder) => {
      const { readFolder } = await import("../folder/read-folder.ts");
      const { apiHandler } = await import("../server/handler.ts");
      const { Preview } = await import("../server/preview.ts");
      const { PublishedFiles } = await import("../server/published.ts");
      const { withStore } = await import("./with-store.ts");
      await withStore(options.store, { create: folder !== undefined }, async (store) => {
        if (folder !== undefined) {
          const notice = (text: string) => output.note(`warning: ${text}`);
          const { workspaceId, counts } = store.import(readFolder(folder, notice), new Date());
          output.note(`imported "${workspaceId}": ${countsText(counts)}`);
        }
        const published = new PublishedFiles(options.out);
        const handler = apiHandler(published, new Preview(store), onDefect);
        await serveUntilStopped(handler, options, output, (baseUrl) =>
          [
            `published: ${baseUrl}/projects/<projectId>`,
            `preview:   ${baseUrl}/projects/<projectId>?preview_token=<token>`,
          ].join("\n"),
        );
      });
      return 0;
    }),
  );
