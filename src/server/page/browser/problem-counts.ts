import { request } from "./access.ts";
import type { Counts } from "./parts.ts";

/** The minimum delay after a change, in milliseconds, so that the view is loaded first. */
const MINIMUM_DELAY = 150;
/** The delay is at least this many times the duration of the last count, to spare the server. */
const DELAY_FACTOR = 5;

const counts = new Map<string, Counts>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Of the last count, in milliseconds. */
let duration = 0;

/** The last problem counts of a workspace; undefined until counted. */
export function problemCountsOf(workspace: string) {
  return counts.get(workspace);
}

/**
 * Counts the problems of the complete draft after a delay: what the view itself asks of the draft
 * comes first.
 *
 * @param onNew called when the counts have changed
 */
export function countProblems(workspace: string, onNew: () => void) {
  clearTimeout(timer);
  timer = setTimeout(
    async () => {
      const started = performance.now();
      const asked = request<Counts>("data/problem-counts", { workspace });
      const found = await asked.catch(() => undefined);
      duration = performance.now() - started;
      const known = counts.get(workspace);
      if (found === undefined || JSON.stringify(found) === JSON.stringify(known)) return;
      counts.set(workspace, found);
      onNew();
    },
    Math.max(MINIMUM_DELAY, DELAY_FACTOR * duration),
  );
}
