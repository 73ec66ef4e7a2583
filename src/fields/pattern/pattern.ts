import type { UnboundedReason } from "../../workspace/problem.ts";
import { isAmbiguous, isExponential } from "./ambiguity.ts";
import { type PatternGraph, patternGraph, TooLarge } from "./pattern-graph.ts";
import { timedTests } from "./timed-tests.ts";

/** A value of up to this many steps is tested without a timeout; it takes about 10 ms. */
const QUICK_STEPS = 1_000_000;

/**
 * A pattern as JavaScript runs it (`u` flag, not anchored), in bounded time. Nearly all patterns
 * read every text in linear time, and run as they are.
 */
export class Pattern {
  readonly unbounded: UnboundedReason | undefined;
  readonly #expression: RegExp;
  /** By which the steps of a text are counted; undefined: that is not possible. */
  readonly #graph: PatternGraph | undefined;
  readonly #isLinear: boolean;

  /** The pattern of this source, analysed once. @throws SyntaxError. */
  static of(source: string): Pattern {
    let pattern = known.get(source);
    if (pattern === undefined) {
      pattern = new Pattern(source);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(source, pattern);
    }
    return pattern;
  }

  private constructor(source: string) {
    this.#expression = new RegExp(source, "u");
    const { unbounded, graph, isLinear } = analysed(source);
    this.unbounded = unbounded;
    this.#graph = graph;
    this.#isLinear = isLinear;
    // V8 compiles a regular expression completely when it first runs.
    this.test("");
  }

  /** Whether it matches the text; "too-slow" when that was given up. */
  test(text: string): boolean | "too-slow" {
    return this.isQuick(text)
      ? this.#expression.test(text)
      : timedTests.test(this.#expression, text);
  }

  /** Whether the text is sure to be tested in a few milliseconds. */
  isQuick(text: string): boolean {
    return (
      this.#isLinear || (this.#graph !== undefined && isWithin(QUICK_STEPS, this.#graph, text))
    );
  }
}

const known = new Map<string, Pattern>();
const MAX_KNOWN = 1000;

interface Analysis {
  readonly unbounded: UnboundedReason | undefined;
  readonly graph?: PatternGraph | undefined;
  readonly isLinear: boolean;
}

function analysed(source: string): Analysis {
  try {
    const graph = patternGraph(source);
    const { emptyWays, repeatsEmpty, readsBack } = graph;
    const isLinear = emptyWays === 1 && !readsBack && !isAmbiguous(graph);
    const isUnbounded = repeatsEmpty || (!isLinear && isExponential(graph));
    const unbounded = isUnbounded ? "exponential" : undefined;
    return { unbounded, graph: readsBack ? undefined : graph, isLinear };
  } catch (error) {
    // The parser may know less than V8, and patterns nested too deeply overflow its stack.
    const isExpected = [TooLarge, SyntaxError, RangeError].some((type) => error instanceof type);
    if (!isExpected) throw error;
    return { unbounded: "not-analysed", isLinear: false };
  }
}

/**
 * Whether a backtracking engine takes at most `limit` steps for a text, whatever choices it makes: all
 * paths through the graph at once, in linear time.
 */
function isWithin(limit: number, graph: PatternGraph, text: string): boolean {
  const { sets, next, isSearched, emptyWays, characters } = graph;
  let steps = 0;
  /** How many paths lead to each active state. */
  let active = new Map([[0, 1]]);
  // The last round is what is tried at the end of the text.
  for (const character of [...text, undefined]) {
    const reached = new Map<number, number>(isSearched ? [[0, 1]] : []);
    for (const [state, paths] of active) {
      for (const [target, ways] of next[state] ?? []) {
        const count = paths * ways;
        steps += count;
        if (character !== undefined && characters.matches(sets[target] ?? "", character)) {
          reached.set(target, (reached.get(target) ?? 0) + count);
        }
      }
    }
    if (steps * emptyWays > limit) return false;
    active = reached;
  }
  return true;
}
