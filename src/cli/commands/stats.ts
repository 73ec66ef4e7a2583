import { draftStats } from "../../documents/draft-stats.ts";
import { checkStored } from "../../publish/check-stored.ts";
import { openRendering } from "../../publish/open-rendering.ts";
import { withStore } from "../../store/with-store.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { statsLines } from "../output/stats-lines.ts";
import { programFingerprint } from "../program/program-fingerprint.ts";
import { servingThread } from "../threads/serving-thread.ts";

export const statsCommand = withWorkspace(
  command("stats", ["svc stats", "svc stats --json"]),
).action(
  action<WorkspaceOptions>(async (output, { store: file, workspace: id }) => {
    const program = programFingerprint();
    const { workspaceId, stats } = await withStore(file, (store) =>
      store.writeOrRead((canWrite) => {
        const workspace = store.workspace(id);
        const serving = { onProgress: output.progress, startThread: servingThread(store.file) };
        // Renders what is stale, and caches it.
        if (canWrite) checkStored(store, workspace, { canWrite, program, ...serving });
        const rendering = openRendering(store, workspace, program);
        return { workspaceId: workspace.id, stats: draftStats(rendering, serving) };
      }),
    );
    const lines = output.json ? [] : statsLines(workspaceId, stats, process.stdout);
    output.result({ workspaceId, ...stats }, lines.join("\n"));
    return 0;
  }),
);
