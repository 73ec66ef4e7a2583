import type { PatternGraph, PatternGraphs } from "./pattern-graph.ts";

/**
 * Whether a backtracking engine takes at most `limit` steps for a text, whatever choices it makes.
 * Takes linear time.
 */
export function isWithin(limit: number, graphs: PatternGraphs, text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) as number);
  const { main, behind, emptyWays } = graphs;
  let steps = stepsOf(main, codes, limit) * emptyWays;
  if (behind.length > 0) codes.reverse();
  for (const graph of behind) steps *= 1 + stepsOf(graph, codes, limit);
  return steps <= limit;
}

/** A text of at most this many characters takes at most `limit` steps, whatever it says. */
export function lengthWithin(limit: number, graphs: PatternGraphs): number {
  const walks = [graphs.main, ...graphs.behind].map((graph) => new Walk(graph));
  for (let length = 0; length < LONGEST; length += 1) {
    for (const walk of walks) walk.read(ANY);
    const steps = walks.reduce((product, { steps }) => product * (1 + steps), graphs.emptyWays);
    if (steps > limit) return length - 1;
    if (walks.reduce((total, { visits }) => total + visits, 0) > MAX_VISITS) return length;
  }
  return LONGEST;
}

/** Longer texts are counted one by one. */
const LONGEST = 2000;
const MAX_VISITS = 100_000;

function stepsOf(graph: PatternGraph, codes: readonly number[], limit: number): number {
  const walk = new Walk(graph);
  for (const code of codes) {
    walk.read(code);
    if (walk.steps > limit) return Number.POSITIVE_INFINITY;
  }
  // What is tried at the end of the text.
  walk.read(ANY);
  return walk.steps;
}

/** A character that is in every set. */
const ANY = -1;

/** All paths through a graph at once. */
class Walk {
  readonly #graph: PatternGraph;
  /** How many paths lead to each active state. */
  #active = new Map([[0, 1]]);
  /** How often an engine that tries every path goes from one state to the next. */
  steps = 0;
  visits = 0;

  constructor(graph: PatternGraph) {
    this.#graph = graph;
  }

  read(code: number): void {
    const { sets, next, isSearched } = this.#graph;
    const reached = new Map<number, number>(isSearched ? [[0, 1]] : []);
    for (const [state, paths] of this.#active) {
      const ways = next[state] as readonly number[];
      this.visits += ways.length;
      for (let at = 0; at < ways.length; at += 2) {
        const target = ways[at] as number;
        const count = paths * (ways[at + 1] as number);
        this.steps += count;
        if (code !== ANY && !sets[target]?.matches(code)) continue;
        reached.set(target, (reached.get(target) ?? 0) + count);
      }
    }
    this.#active = reached;
  }
}
