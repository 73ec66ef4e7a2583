import { dueEntries } from "../../documents/hidden-entries.ts";
import { type DraftSource, publishedRendering } from "../../publish/outcome.ts";
import { draftStats } from "../../stats/draft-stats.ts";
import { dueLines, statsLines } from "../output/stats-lines.ts";
import type { Due } from "../results.ts";
import type { Run } from "../table/table.ts";
import { type HowRendered, reading, withDraft } from "../with-draft.ts";

export const stats: Run<"stats"> = async (output, options) => {
  const { folder } = options;
  if (options.due) {
    const found = await withDraft(output, options, folder, dueOf);
    output.result(found, () => dueLines(found.workspaceId, found.due));
    return;
  }
  const { workspaceId, stats } = await withDraft(output, options, folder, (source, how) =>
    reading(source, (draft) => ({
      workspaceId: draft.workspace.id,
      stats: draftStats(publishedRendering(draft, how), how.onProgress),
    })),
  );
  output.result({ workspaceId, ...stats }, () => statsLines(workspaceId, stats, process.stdout));
};

function dueOf(source: DraftSource, { at }: HowRendered): Due {
  const clock = source.kind === "store" ? clockOf(source) : null;
  return reading(source, (draft) => ({
    workspaceId: draft.workspace.id,
    at: new Date(at).toISOString(),
    since: clock,
    due: dueEntries(draft, clock === null ? at : Date.parse(clock), at),
  }));
}

/** The reading of the clock of the current version; null: there is none, or it is not known. */
function clockOf({ store, workspace }: Extract<DraftSource, { kind: "store" }>): string | null {
  return store.read(() => {
    const versionId = store.history.current(workspace.number);
    return versionId === undefined ? null : store.history.clock(workspace.number, versionId);
  });
}
