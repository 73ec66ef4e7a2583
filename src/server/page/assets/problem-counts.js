import { ask } from "./access.js";

/** How long after a change all problems are counted, in milliseconds: what is looked at comes first. */
const LEAST_WAIT = 150;
/** How many times longer than counting takes the page waits for it. */
const RARELY = 5;

/** @typedef {{ errors: number, warnings: number }} Counts */

/** @type {Map<string, Counts>} */
const counts = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
/** How long counting took the last time, in milliseconds. */
let took = 0;

/**
 * How many problems a workspace had when they were counted last; undefined: not known yet.
 *
 * @param {string} workspace
 */
export function problemCountsOf(workspace) {
  return counts.get(workspace);
}

/**
 * Counts the problems of a whole draft once the reader sees what changed, and some time after that
 * where it takes long: the server does nothing else meanwhile.
 *
 * @param {string} workspace
 * @param {() => void} onNew called when there are others than before
 */
export function countProblems(workspace, onNew) {
  clearTimeout(waiting);
  waiting = setTimeout(
    async () => {
      const started = performance.now();
      /** @type {Counts | undefined} */
      const found = await ask("data/problem-counts", { workspace }).catch(() => undefined);
      took = performance.now() - started;
      const known = counts.get(workspace);
      if (found === undefined || JSON.stringify(found) === JSON.stringify(known)) return;
      counts.set(workspace, found);
      onNew();
    },
    Math.max(LEAST_WAIT, RARELY * took),
  );
}
