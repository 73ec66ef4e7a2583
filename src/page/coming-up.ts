import { turnsOfEntries } from "../documents/clock-span.ts";
import { dueEntries } from "../documents/hidden-entries.ts";
import { entryOf } from "../workspace/draft.ts";
import type { Entry } from "../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";
import { summaryOf } from "./entry-summary.ts";

/** How many are listed, the next ones. */
const MOST = 500;

/** H56: what falls due after the reading of the clock, the earliest first (A6). */
export function comingUp(state: DraftState) {
  const { draft, view, values } = state.rendering;
  const due = dueEntries(draft, view.at, view.at, turnsOfEntries(values));
  return {
    total: due.length,
    changes: due.slice(0, MOST).map(({ id, change, at }) => {
      return { change, at, entry: summaryOf(state, entryOf(draft, id) as Entry) };
    }),
  };
}
