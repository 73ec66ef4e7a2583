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
  const reached = graph.next.map((_, state) => statesFrom(graph, state));
  const grouped = new Set<number>();
  for (const [state, from] of reached.entries()) {
    if (!from.has(state) || grouped.has(state)) continue;
    const loop = new Set([...from].filter((other) => reached[other]?.has(state)));
    for (const one of loop) grouped.add(one);
    const meet = meetAgain(graph, [...loop], (other) => loop.has(other));
    if (meet === undefined) throw new TooLarge("pairs");
    if (meet) return true;
  }
  return false;
}

function statesFrom({ next }: PatternGraph, state: number): Set<number> {
  const found = new Set(next[state]);
  for (const one of found) for (const target of next[one] ?? []) found.add(target);
  return found;
}

const MAX_PAIRS = 50_000;

/**
 * Whether two paths from one state, of one text and within these states, part and meet again;
 * undefined when there are too many to find out.
 */
function meetAgain(
  { sets, next, isSearched, overlap }: PatternGraph,
  starts: readonly number[],
  isWithin: (state: number) => boolean,
): boolean | undefined {
  // A search may start at any place: state 0 reads any character.
  const waysFrom = (state: number) =>
    [...(state === 0 && isSearched ? [0] : []), ...(next[state] ?? [])].filter(isWithin);
  const size = sets.length;
  const pairs = starts.map((state) => state * size + state);
  const seen = new Set(pairs);
  for (const one of pairs) {
    const [a, b] = [Math.floor(one / size), one % size];
    const [toA, toB] = [waysFrom(a), waysFrom(b)];
    for (const [wayA, nextA] of toA.entries()) {
      for (const [wayB, nextB] of toB.entries()) {
        if (a === b && wayB < wayA) continue;
        const [setA, setB] = [sets[nextA], sets[nextB]];
        if (setA && setB && !overlap(setA, setB)) continue;
        if (nextA === nextB && (a !== b || wayA !== wayB)) return true;
        const pair = Math.min(nextA, nextB) * size + Math.max(nextA, nextB);
        if (seen.has(pair)) continue;
        seen.add(pair);
        pairs.push(pair);
        if (pairs.length > MAX_PAIRS) return undefined;
      }
    }
  }
  return false;
}
