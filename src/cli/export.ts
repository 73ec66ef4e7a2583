import { action, command, type WorkspaceOptions, withWorkspace } from "./command.ts";
import { countsText } from "./import.ts";

export const exportFolder = withWorkspace(
  command("export", "Write the draft back as a workspace folder.", ["svc export copy-of-shop"]),
)
  .argument("<folder>", "a folder that is empty or does not exist yet")
  .action(
    action<WorkspaceOptions>(async (output, { store: file, workspace }, folder = "") => {
      const { writeFolder } = await import("../folder/write-folder.ts");
      const { withStore } = await import("./with-store.ts");
      const { workspaceId, counts } = await withStore(file, {}, (store) =>
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
