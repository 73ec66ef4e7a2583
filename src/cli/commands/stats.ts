import { type DueEntry, dueEntries } from "../../documents/hidden-entries.ts";
import { type DraftSource, publishedRendering } from "../../publish/outcome.ts";
import { draftStats } from "../../stats/draft-stats.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import type { Output } from "../output/output.ts";
import { dueLines, statsLines } from "../output/stats-lines.ts";
import { type TimeOptions, withTime } from "../time-option.ts";
import { FOLDER_ARGUMENT, type HowRendered, reading, withDraft } from "../with-draft.ts";

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
      const { workspaceId, stats } = await withDraft(output, options, folder, (source, how) =>
        reading(source, (draft) => ({
          workspaceId: draft.workspace.id,
          stats: draftStats(publishedRendering(draft, how), how.onProgress),
        })),
      );
      const lines = output.json ? [] : statsLines(workspaceId, stats, process.stdout);
      output.result({ workspaceId, ...stats }, lines.join("\n"));
      return 0;
    }),
  );

function dueOf(source: DraftSource, { at }: HowRendered): Due {
  const clock = source.kind === "store" ? clockOf(source) : null;
  return reading(source, (draft) => {
    const since = clock === null ? at : Date.parse(clock);
    const due = dueEntries(draft, since, at);
    return {
      workspaceId: draft.workspace.id,
      at: new Date(at).toISOString(),
      since: clock,
      due,
    };
  });
}

/** The reading of the clock of the current version; null: there is none, or it is not known. */
function clockOf({ store, workspace }: Extract<DraftSource, { kind: "store" }>): string | null {
  return store.read(() => {
    const versionId = store.history.current(workspace.number);
    return versionId === undefined ? null : store.history.clock(workspace.number, versionId);
  });
}

function printDue(output: Output, found: Due): number {
  output.result({ ...found }, dueLines(found.workspaceId, found.due).join("\n"));
  return 0;
}
