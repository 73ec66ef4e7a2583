import { draftStats } from "../../documents/draft-stats.ts";
import { type DueEntry, dueEntries } from "../../documents/due-entries.ts";
import { checkStored } from "../../publish/check-stored.ts";
import { openRendering } from "../../publish/open-rendering.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import type { Output } from "../output/output.ts";
import { dueLines, statsLines } from "../output/stats-lines.ts";
import { type TimeOptions, withTime } from "../time-option.ts";
import { FOLDER_ARGUMENT, type OpenDraft, withDraft } from "../with-draft.ts";

interface StatsOptions extends WorkspaceOptions, TimeOptions {
  readonly due?: boolean;
}

/** A6. */
interface Due {
  readonly workspaceId: string;
  /** The reading of the clock. RFC 3339, UTC. */
  readonly at: string;
  /** That of the version that is published; null: there is none, or it is not known. */
  readonly since: string | null;
  readonly due: readonly DueEntry[];
}

export const statsCommand = withTime(
  withWorkspace(command("stats", ["svc stats content", "svc stats --due --json"])),
)
  .argument("[folder]", FOLDER_ARGUMENT, notEmpty)
  .option("--due", "print instead which entries publishAt and unpublishAt are about")
  .action(
    action<StatsOptions>(async (output, options, folder) => {
      if (options.due) return printDue(output, await withDraft(output, options, folder, dueOf));
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

function dueOf({ store, workspace, how }: OpenDraft): Due {
  return store.read(() => {
    const { number, id: workspaceId } = workspace;
    const versionId = store.history.current(number);
    const since = versionId === undefined ? null : store.history.clock(number, versionId);
    const from = since === null ? how.at : Date.parse(since);
    const due = dueEntries(store.draft(workspace), from, how.at);
    return { workspaceId, at: new Date(how.at).toISOString(), since, due };
  });
}

function printDue(output: Output, found: Due): number {
  output.result({ ...found }, dueLines(found.workspaceId, found.due).join("\n"));
  return 0;
}
