import { writeFolder } from "../../folder/write-folder.ts";
import { withStore } from "../../store/with-store.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { countsText } from "../output/counted.ts";

export const exportCommand = withWorkspace(command("export", ["svc export copy-of-shop"]))
  .argument("<folder>", "the folder to write; must be empty or missing", notEmpty)
  .action(
    action<WorkspaceOptions>(async (output, { store: file, workspace }, folder = "") => {
      const { workspaceId, counts } = await withStore(file, (store) =>
        store.read(() => {
          const row = store.workspace(workspace);
          return { workspaceId: row.id, counts: writeFolder(store.draft(row), folder) };
        }),
      );
      output.result(
        { workspaceId, folder, counts },
        `exported "${workspaceId}" to ${folder}: ${countsText(counts)}`,
      );
      output.note("preview tokens are not exported: the store holds only their hashes");
      return 0;
    }),
  );
