import { action, command } from "../command.ts";
import { type PreviewOptions, previewStore, withPreviewOptions } from "../preview/run-preview.ts";

export const previewCommand = withPreviewOptions(
  command("preview", [
    "svc preview shop",
    'curl "http://127.0.0.1:4400/api/v1/projects/site?preview_token=$TOKEN"',
  ]),
)
  .argument("[folder]", "a workspace folder to import, now and whenever it changes")
  .action(
    action<PreviewOptions>(async (output, options, folder) => {
      await previewStore(folder, options, output);
      return 0;
    }),
  );
