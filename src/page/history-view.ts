import { SvcError } from "../workspace/errors.ts";
import type { SnapshotSource } from "./changes.ts";
import type { DraftState } from "./draft-state.ts";

export type HistoryView = ReturnType<typeof historyView>;

const LISTED = 200;

/** H33: the versions that a store has of the workspace, newest first, each with how it became current last. */
export function historyView({ workspace }: DraftState, snapshots: SnapshotSource) {
  const nothing = { current: null, hold: null, versions: [], total: 0, problem: undefined };
  try {
    const history = snapshots.history(workspace);
    if (history === undefined) return { hasStore: false, ...nothing };
    const { current, hold, versions, journal } = history;
    const shown = versions.slice(0, LISTED).map(({ versionId, publishedAt }, at) => {
      const last = journal.find(({ to }) => to === versionId);
      return {
        versionId,
        publishedAt,
        isCurrent: versionId === current,
        last: last ? { at: last.at, action: last.action } : null,
        /** The version before it; empty: there is none. */
        before: versions[at + 1]?.versionId ?? "",
      };
    });
    const known = { current, hold, versions: shown, total: versions.length };
    return { ...nothing, ...known, hasStore: true };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { message, hint = "" } = error;
    return { ...nothing, hasStore: true, problem: { message, hint } };
  }
}
