import { draftStats } from "../../documents/draft-stats.ts";
import { checkStored } from "../../publish/check-stored.ts";
import { openRendering } from "../../publish/open-rendering.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { statsLines } from "../output/stats-lines.ts";
import { FOLDER_ARGUMENT, withDraft } from "../with-draft.ts";

export const statsCommand = withWorkspace(
  command("stats", ["svc stats content", "svc stats --json"]),
)
  .argument("[folder]", FOLDER_ARGUMENT, notEmpty)
  .action(
    action<WorkspaceOptions>(async (output, options, folder) => {
      const { workspaceId, stats } = await withDraft(
        output,
        options,
        folder,
        ({ store, workspace, how }) =>
          store.writeOrRead((canWrite) => {
            // Renders what is stale, and caches it.
            if (canWrite && !store.isTemporary) checkStored(store, workspace, { ...how, canWrite });
            const rendering = openRendering(store, workspace, how);
            return { workspaceId: workspace.id, stats: draftStats(rendering, how) };
          }),
      );
      const lines = output.json ? [] : statsLines(workspaceId, stats, process.stdout);
      output.result({ workspaceId, ...stats }, lines.join("\n"));
      return 0;
    }),
  );
