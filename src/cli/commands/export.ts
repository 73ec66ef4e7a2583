import { writeFolder } from "../../folder/write-folder.ts";
import { withStore } from "../../store/with-store.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { counted, countsText, filesText } from "../output/counted.ts";
import { printable } from "../output/printable.ts";

interface ExportOptions extends WorkspaceOptions {
  readonly ndjson?: boolean;
}

export const exportCommand = withWorkspace(command("export", ["svc export copy-of-shop"]))
  .argument("<folder>", "the folder to write: empty, missing, or of an earlier export", notEmpty)
  .option("--ndjson", "write one file for each kind of record")
  .action(
    action<ExportOptions>(async (output, options, folder = "") => {
      const { store: file, workspace, ndjson = false } = options;
      const { workspaceId, counts, files, left } = await withStore(file, (store) =>
        store.read(() => {
          const row = store.workspace(workspace);
          return { workspaceId: row.id, ...writeFolder(store.draft(row), folder, { ndjson }) };
        }),
      );
      const [other] = left;
      if (other !== undefined) {
        const files = counted(left.length, "record file");
        output.note(
          `warning: ${files} left that svc export did not write and the draft does not have, e.g. ${printable(other)}`,
        );
      }
      output.result(
        { workspaceId, folder, counts, files, left },
        `exported "${workspaceId}" to ${folder}: ${countsText(counts)}\n${folder}: ${filesText(files)}`,
      );
      output.note("preview tokens are not exported: the store holds only their hashes");
      return 0;
    }),
  );
