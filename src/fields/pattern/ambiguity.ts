import type { CharacterSets } from "./character-sets.ts";
import { type PatternGraph, TooLarge } from "./pattern-graph.ts";

/** Whether a state may be reached by one text in several ways. If not, it takes linear time. */
export function isAmbiguous(graph: PatternGraph, characters: CharacterSets): boolean {
  return meetAgain(graph, characters, [0], () => true) !== false;
}

/**
 * Whether a loop is passed in several ways by one text, so that each round doubles the time.
 *
 * @throws TooLarge.
 */
export function isExponential(graph: PatternGraph, characters: CharacterSets): boolean {
  const component = components(graph);
  const members = Map.groupBy(component.keys(), (state) => component[state] as number);
  members.delete(UNREACHED);
  return [...members].some(([number, states]) => {
    const isWithin = (state: number) => state > 0 && component[state] === number;
    const meet = meetAgain(graph, characters, states, isWithin);
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
  graph: PatternGraph,
  characters: CharacterSets,
  starts: readonly number[],
  isWithin: (state: number) => boolean,
): boolean | undefined {
  const { sets } = graph;
  const size = sets.length;
  const pairs = starts.map((state) => state * size + state);
  const seen = new Set(pairs);
  for (const pair of pairs) {
    const [a, b] = [Math.floor(pair / size), pair % size];
    const toA = successors(graph, a);
    const toB = successors(graph, b);
    for (let i = 0; i < toA.length; i += 2) {
      const nextA = toA[i] as number;
      if (!isWithin(nextA)) continue;
      if (a === b && (toA[i + 1] as number) > 1) return true;
      for (let j = a === b ? i : 0; j < toB.length; j += 2) {
        const nextB = toB[j] as number;
        if (!isWithin(nextB)) continue;
        const next = Math.min(nextA, nextB) * size + Math.max(nextA, nextB);
        if (nextA === nextB ? a === b && seen.has(next) : seen.has(next)) continue;
        const [setA, setB] = [sets[nextA], sets[nextB]];
        if (setA && setB && !characters.overlap(setA, setB)) continue;
        if (nextA === nextB && a !== b) return true;
        seen.add(next);
        pairs.push(next);
        if (pairs.length > MAX_PAIRS) return undefined;
      }
    }
  }
  return false;
}

/** A search may start at any place: state 0 reads any character. */
function successors({ next, isSearched }: PatternGraph, state: number): readonly number[] {
  const known = next[state] as readonly number[];
  return state === 0 && isSearched ? [0, 1, ...known] : known;
}

const UNREACHED = -1;

/** The number of each state's strongly connected component (Tarjan's algorithm, iterative). */
function components({ next }: PatternGraph): number[] {
  const index: number[] = [];
  const low: number[] = [];
  const component: number[] = new Array(next.length).fill(UNREACHED);
  const open: number[] = [];
  let count = 0;
  const walk = [{ state: 0, at: 0 }];
  index[0] = 0;
  low[0] = 0;
  open.push(0);
  let met = 1;
  for (let top = walk.at(-1); top !== undefined; top = walk.at(-1)) {
    const { state } = top;
    const ways = next[state] as readonly number[];
    if (top.at < ways.length) {
      const target = ways[top.at] as number;
      top.at += 2;
      if (index[target] === undefined) {
        index[target] = met;
        low[target] = met;
        met += 1;
        open.push(target);
        walk.push({ state: target, at: 0 });
      } else if (component[target] === UNREACHED) {
        low[state] = Math.min(low[state] as number, index[target]);
      }
      continue;
    }
    walk.pop();
    const parent = walk.at(-1);
    if (parent) low[parent.state] = Math.min(low[parent.state] as number, low[state] as number);
    if (low[state] !== index[state]) continue;
    for (let member = -1; member !== state; ) {
      member = open.pop() as number;
      component[member] = count;
    }
    count += 1;
  }
  return component;
}
