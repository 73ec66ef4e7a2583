import { type PatternGraph, TooLarge } from "./pattern-graph.ts";

/** Whether a state may be reached by one text in several ways. If not, it takes linear time. */
export function isAmbiguous(graph: PatternGraph): boolean {
  return meetAgain(graph, [0], () => true) !== false;
}

/**
 * Whether a loop is passed in several ways by one text, so that each round doubles the time.
 *
 * @throws TooLarge.
 */
export function isExponential(graph: PatternGraph): boolean {
  const loops = loopsOf(graph);
  const members = Map.groupBy(loops.keys(), (state) => loops[state] as number);
  return [...members].some(([loop, states]) => {
    const meet = meetAgain(graph, states, (state) => state > 0 && loops[state] === loop);
    if (meet === undefined) throw new TooLarge("pairs");
    return meet;
  });
}

const MAX_PAIRS = 50_000;

/**
 * Whether two paths from one state, of one text and within these states, part and meet again;
 * undefined when there are too many to find out.
 */
function meetAgain(
  { sets, next, isSearched, characters }: PatternGraph,
  starts: readonly number[],
  isWithin: (state: number) => boolean,
): boolean | undefined {
  // A search may start at any place: state 0 reads any character.
  const waysFrom = (state: number) =>
    [...(state === 0 && isSearched ? [[0, 1] as const] : []), ...(next[state] ?? [])].filter(
      ([target]) => isWithin(target),
    );
  const size = sets.length;
  const pairs = starts.map((state) => state * size + state);
  const seen = new Set(pairs);
  for (const one of pairs) {
    const [a, b] = [Math.floor(one / size), one % size];
    const [toA, toB] = [waysFrom(a), waysFrom(b)];
    for (const [at, [nextA, ways]] of toA.entries()) {
      if (a === b && ways > 1) return true;
      for (const [nextB] of a === b ? toB.slice(at) : toB) {
        const pair = Math.min(nextA, nextB) * size + Math.max(nextA, nextB);
        if (nextA === nextB ? a === b && seen.has(pair) : seen.has(pair)) continue;
        const [setA, setB] = [sets[nextA], sets[nextB]];
        if (setA && setB && !characters.overlap(setA, setB)) continue;
        if (nextA === nextB && a !== b) return true;
        seen.add(pair);
        pairs.push(pair);
        if (pairs.length > MAX_PAIRS) return undefined;
      }
    }
  }
  return false;
}

/** By state the first state that is met of its strongly connected component (Tarjan's algorithm). */
function loopsOf({ next }: PatternGraph): number[] {
  const met: number[] = [];
  const low: number[] = [];
  const loops: number[] = [];
  const open: number[] = [];
  let count = 0;
  const visit = (state: number) => {
    met[state] = low[state] = count++;
    open.push(state);
    for (const [target] of next[state] ?? []) {
      if (met[target] === undefined) visit(target);
      if (loops[target] === undefined) {
        low[state] = Math.min(low[state] as number, low[target] as number);
      }
    }
    if (low[state] !== met[state]) return;
    for (const member of open.splice(open.indexOf(state))) loops[member] = state;
  };
  visit(0);
  return loops;
}
