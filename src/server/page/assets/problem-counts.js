import { request } from "./access.js";

/** The minimum delay after a change, in milliseconds, so that the view is loaded first. */
const MINIMUM_DELAY = 150;
/** The delay is at least this many times the duration of the last count, to spare the server. */
const DELAY_FACTOR = 5;

/** @typedef {{ errors: number, warnings: number }} Counts */

/** @type {Map<string, Counts>} */
const counts = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Of the last count, in milliseconds. */
let duration = 0;

/**
 * The last problem counts of a workspace; undefined until counted.
 *
 * @param {string} workspace
 */
export function problemCountsOf(workspace) {
  return counts.get(workspace);
}

/**
 * Counts the problems of the complete draft after a delay: what the view itself asks of the draft
 * comes first.
 *
 * @param {string} workspace
 * @param {() => void} onNew called when the counts have changed
 */
export function countProblems(workspace, onNew) {
  clearTimeout(timer);
  timer = setTimeout(
    async () => {
      const started = performance.now();
      /** @type {Counts | undefined} */
      const found = await request("data/problem-counts", { workspace }).catch(() => undefined);
      duration = performance.now() - started;
      const known = counts.get(workspace);
      if (found === undefined || JSON.stringify(found) === JSON.stringify(known)) return;
      counts.set(workspace, found);
      onNew();
    },
    Math.max(MINIMUM_DELAY, DELAY_FACTOR * duration),
  );
}
