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
  /** Shorter texts are quick. */
  readonly #quickLength: number;

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
    const { unbounded, graph, quickLength } = analysed(source);
    this.unbounded = unbounded;
    this.#graph = graph;
    this.#quickLength = quickLength;
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
    if (text.length < this.#quickLength) return true;
    if (this.#graph === undefined) return false;
    // Something is tried at the end of the text, too.
    const characters = [...text, ANY];
    return quickLength(this.#graph, characters) === characters.length;
  }
}

const known = new Map<string, Pattern>();
const MAX_KNOWN = 1000;

interface Analysis {
  readonly unbounded?: UnboundedReason;
  readonly graph?: PatternGraph;
  readonly quickLength: number;
}

function analysed(source: string): Analysis {
  try {
    const graph = patternGraph(source);
    const { emptyWays, repeatsEmpty, readsBack } = graph;
    if (emptyWays === 1 && !readsBack && !isAmbiguous(graph)) {
      return { quickLength: Number.POSITIVE_INFINITY };
    }
    const isUnbounded = repeatsEmpty || isExponential(graph);
    return {
      ...(isUnbounded && { unbounded: "exponential" }),
      ...(readsBack
        ? { quickLength: 0 }
        : { graph, quickLength: quickLength(graph, LONGEST, MAX_VISITS) }),
    };
  } catch (error) {
    // The parser may know less than V8, and patterns nested too deeply overflow its stack.
    const isExpected = [TooLarge, SyntaxError, RangeError].some((type) => error instanceof type);
    if (!isExpected) throw error;
    return { unbounded: "not-analysed", quickLength: 0 };
  }
}

/** A character that is in every set. */
const ANY = undefined;
/** Texts that are longer are counted one by one. */
const LONGEST: readonly undefined[] = new Array(2000).fill(ANY);
const MAX_VISITS = 100_000;

/**
 * How many characters of a text a backtracking engine reads in `QUICK_STEPS`, whatever choices it makes:
 * all paths through the graph at once, in linear time.
 */
function quickLength(
  { sets, next, isSearched, emptyWays, characters }: PatternGraph,
  text: readonly (string | undefined)[],
  maxVisits = Number.POSITIVE_INFINITY,
): number {
  let [steps, visits] = [0, 0];
  /** How many paths lead to each active state. */
  let active = new Map([[0, 1]]);
  for (const [length, character] of text.entries()) {
    const reached = new Map<number, number>(isSearched ? [[0, 1]] : []);
    for (const [state, paths] of active) {
      for (const [target, ways] of next[state] ?? []) {
        const count = paths * ways;
        steps += count;
        visits += 1;
        if (character === ANY || characters.matches(sets[target] ?? "", character)) {
          reached.set(target, (reached.get(target) ?? 0) + count);
        }
      }
    }
    if ((steps + 1) * emptyWays > QUICK_STEPS || visits > maxVisits) return length;
    active = reached;
  }
  return text.length;
}
