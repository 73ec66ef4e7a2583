import { UsageError } from "../../workspace/errors.ts";
import { action, command, notEmpty } from "../command.ts";
import { listOptions } from "../list-options.ts";
import { DraftReports } from "../preview/draft-reports.ts";
import { openInBrowser } from "../preview/open-in-browser.ts";
import {
  type PreviewOptions,
  previewFolder,
  previewStore,
  withPreviewOptions,
} from "../preview/run-preview.ts";

interface DevOptions extends PreviewOptions {
  readonly open?: boolean;
  readonly types?: string;
  readonly project?: string;
  readonly const?: boolean;
}

export const devCommand = withPreviewOptions(
  command("dev", ["svc dev content", "svc dev content --open --types src/content.ts"]),
)
  .argument("[folder]", "the workspace folder; needed if the config file names none", notEmpty)
  .option("--open", "open the preview page in the browser")
  .option("--types <file>", "write the types to this file, whenever they change", notEmpty)
  .option("--project <id>", "the project of the types; required if the workspace has several")
  .option("--const", "with the types, also generate constants with the lists of keys")
  .action(
    action<DevOptions>(async (output, options, folder) => {
      const { types: file, project, const: constants = false, namesStore = false } = options;
      if (file === undefined && (project !== undefined || constants)) {
        throw new UsageError("--project and --const are of the types", "add --types <file>");
      }
      if (folder === undefined) {
        throw new UsageError("a workspace folder is missing", "name it: svc dev <folder>");
      }
      const types = file === undefined ? undefined : { file, project, constants };
      const reports = new DraftReports(
        output,
        listOptions(options, folder),
        types,
        options.severity,
      );
      const preview = namesStore ? previewStore : previewFolder;
      await preview(folder, options, output, {
        note: `open the first link to see the draft${namesStore ? "" : "; a button there makes a token for API clients"} (press Ctrl-C to stop)`,
        listening(page) {
          if (!options.open) return;
          openInBrowser(page, (why) =>
            output.note(`warning: cannot open the browser: ${why}; open the link yourself`),
          );
        },
        updated: (draft) => reports.report(draft),
        failed: () => reports.failed(),
      });
      return 0;
    }),
  );
