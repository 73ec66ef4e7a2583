import { createContext, Script } from "node:vm";
import type { UnboundedReason } from "../../workspace/problem.ts";
import { isAmbiguous, isExponential } from "./ambiguity.ts";
import { type PatternGraph, patternGraph, TooLarge } from "./pattern-graph.ts";

/** P4: a pattern as JavaScript runs it (`u` flag, not anchored), in bounded time. */
export class Pattern {
  readonly unbounded: UnboundedReason | undefined;
  readonly #expression: RegExp;
  /** Shorter texts are sure to be tested in some 10 ms; others are tested under a timeout. */
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
    const { unbounded, quickLength } = analysed(source);
    this.unbounded = unbounded;
    this.#quickLength = quickLength;
    // V8 compiles a regular expression completely when it first runs.
    this.test("");
  }

  /** Whether it matches the text; "too-slow" when that was given up. */
  test(text: string): boolean | "too-slow" {
    return this.isQuick(text) ? this.#expression.test(text) : timedTest(this.#expression, text);
  }

  isQuick(text: string): boolean {
    return text.length < this.#quickLength;
  }
}

const known = new Map<string, Pattern>();
const MAX_KNOWN = 1000;

function analysed(source: string): { unbounded?: UnboundedReason; quickLength: number } {
  try {
    const graph = patternGraph(source);
    if (!isAmbiguous(graph)) return { quickLength: Number.POSITIVE_INFINITY };
    const quickLength = quickLengthOf(graph);
    return isExponential(graph) ? { unbounded: "exponential", quickLength } : { quickLength };
  } catch (error) {
    // The parser may know less than V8, and patterns nested too deeply overflow its stack.
    const isExpected = [TooLarge, SyntaxError, RangeError].some((type) => error instanceof type);
    if (!isExpected) throw error;
    return { unbounded: "not-analysed", quickLength: 0 };
  }
}

/** They take about 10 ms. */
const QUICK_STEPS = 1_000_000;
const LONGEST = 2000;

/**
 * How many characters a backtracking engine reads in `QUICK_STEPS`, whatever the text is and whatever
 * choices it makes: all paths through the graph at once.
 */
function quickLengthOf({ next, isSearched }: PatternGraph): number {
  let steps = 0;
  /** How many paths lead to each state. */
  let active = new Map([[0, 1]]);
  for (let length = 0; length < LONGEST; length += 1) {
    const reached = new Map<number, number>(isSearched ? [[0, 1]] : []);
    for (const [state, paths] of active) {
      for (const target of next[state] ?? []) {
        steps += paths;
        reached.set(target, (reached.get(target) ?? 0) + paths);
      }
    }
    if (steps >= QUICK_STEPS) return length;
    active = reached;
  }
  return LONGEST;
}

/** What a test may take that counts for nothing: a timeout costs about 0.2 ms itself. */
const FREE = 1;
/** The part of the time since the last test that is given back, so that a server can test again. */
const REGAINED = 1 / 20;

/** The longest test of one value, and of all values of this thread, in milliseconds. */
export const timeLimits = { one: 1000, all: 5000 };

let [spent, spentAt] = [0, 0];
let context: { expression?: RegExp | undefined; text: string } | undefined;
const script = new Script("expression.test(text)");

function timedTest(expression: RegExp, text: string): boolean | "too-slow" {
  const start = performance.now();
  spent = Math.max(0, spent - (start - spentAt) * REGAINED);
  const timeout = Math.min(timeLimits.one, Math.ceil(timeLimits.all - spent));
  if (timeout <= 0) return "too-slow";
  context ??= createContext({ text: "" }) as { text: string };
  Object.assign(context, { expression, text });
  try {
    return script.runInContext(context, { timeout }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return "too-slow";
  } finally {
    Object.assign(context, { expression: undefined, text: "" });
    spentAt = performance.now();
    spent += Math.max(0, spentAt - start - FREE);
  }
}
