import type { UnboundedReason } from "../../workspace/problem.ts";
import { isAmbiguous, isExponential } from "./ambiguity.ts";
import { isWithin, lengthWithin } from "./count-steps.ts";
import { type PatternGraph, type PatternGraphs, patternGraphs, TooLarge } from "./pattern-graph.ts";
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
  /** Texts of at most this length are quick. */
  readonly #quickLength: number;
  /** To count the steps of longer texts. */
  readonly #graphs: PatternGraphs | undefined;

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
    const { unbounded, quickLength, graphs } = analysed(source);
    this.unbounded = unbounded;
    this.#quickLength = quickLength;
    this.#graphs = graphs;
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
    if (text.length <= this.#quickLength) return true;
    return this.#graphs !== undefined && isWithin(QUICK_STEPS, this.#graphs, text);
  }
}

const known = new Map<string, Pattern>();
const MAX_KNOWN = 1000;

interface Analysis {
  readonly unbounded: UnboundedReason | undefined;
  readonly quickLength: number;
  readonly graphs: PatternGraphs | undefined;
}

function analysed(source: string): Analysis {
  try {
    const graphs = patternGraphs(source);
    const { main, behind, characters, emptyWays } = graphs;
    if (emptyWays === 1 && behind.every(isChoiceOfTexts) && !isAmbiguous(main, characters)) {
      return { unbounded: undefined, quickLength: Number.POSITIVE_INFINITY, graphs: undefined };
    }
    const isUnbounded =
      graphs.repeatsEmpty || [main, ...behind].some((graph) => isExponential(graph, characters));
    const quickLength = lengthWithin(QUICK_STEPS, graphs);
    return { unbounded: isUnbounded ? "exponential" : undefined, quickLength, graphs };
  } catch (error) {
    // The parser may know less than V8, and patterns nested too deeply overflow its stack.
    const isExpected = [TooLarge, SyntaxError, RangeError].some((type) => error instanceof type);
    if (!isExpected) throw error;
    return { unbounded: "not-analysed", quickLength: -1, graphs: undefined };
  }
}

/** A few texts of a fixed length, as most lookbehinds are. */
function isChoiceOfTexts({ next }: PatternGraph): boolean {
  // Such a lookbehind is read backwards: only loops lead to a later state.
  const isOneWay = ([target = 0, count = 1, ...others]: readonly number[], state: number) =>
    others.length === 0 && count === 1 && target < state;
  return next.length <= 50 && next.every((ways, state) => state === 0 || isOneWay(ways, state));
}
