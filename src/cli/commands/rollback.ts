import { rollback } from "../../publish/publish.ts";
import { withStore } from "../../store/with-store.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { filesText } from "../output/counted.ts";
import { withWrittenOut } from "../with-written-out.ts";

interface RollbackOptions extends WorkspaceOptions {
  readonly out: string;
}

export const rollbackCommand = withWrittenOut(
  withWorkspace(command("rollback", ["svc rollback e0a33f65"])),
)
  .argument("<versionId>", "the version's id, or a unique prefix of it")
  .action(
    action<RollbackOptions>(async (output, options, prefix = "") => {
      const { store: file, workspace, out } = options;
      const { workspaceId, versionId, from, rolledBack, files } = await withStore(file, (store) =>
        rollback(store, store.workspace(workspace), prefix, out, {
          now: new Date(),
          onProgress: output.progress,
        }),
      );
      const text = rolledBack
        ? `rolled "${workspaceId}" back from version ${from} to ${versionId}`
        : `version ${versionId} of "${workspaceId}" is already current`;
      output.result(
        { workspaceId, versionId, from, rolledBack, files },
        `${text}\n${out}: ${filesText(files)}`,
      );
      if (rolledBack) output.note("the draft is unchanged; svc publish publishes it");
      return 0;
    }),
  );
