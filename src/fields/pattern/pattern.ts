import { createContext, Script } from "node:vm";
import type { UnboundedReason } from "../../workspace/problem-catalogue.ts";
import { Choices, NotAnalysed } from "./choices.ts";

/** P4: a pattern as JavaScript runs it (`u` flag, not anchored), in bounded time. */
export class Pattern {
  readonly #expression: RegExp;
  readonly #choices: Choices | undefined;

  /** The pattern of this source, analysed once. @throws SyntaxError. */
  static of(source: string): Pattern {
    let pattern = analysed.get(source);
    if (pattern === undefined) {
      pattern = new Pattern(source);
      if (analysed.size >= MAX_ANALYSED) analysed.clear();
      analysed.set(source, pattern);
    }
    return pattern;
  }

  private constructor(source: string) {
    this.#expression = new RegExp(source, "u");
    this.#choices = choicesOf(source);
    // V8 compiles a regular expression completely when it first runs.
    this.test("");
  }

  /** Whether it matches the text; "too-slow" when that was given up. */
  test(text: string): boolean | "too-slow" {
    return this.isQuick(text) ? this.#expression.test(text) : timedTest(this.#expression, text);
  }

  get unbounded(): UnboundedReason | undefined {
    if (this.#choices === undefined) return "not-analysed";
    return this.#choices.areNested ? "exponential" : undefined;
  }

  /** Whether it is sure to be tested in some 10 ms; others are tested under a timeout. */
  isQuick({ length }: string): boolean {
    return this.#choices !== undefined && this.#choices.steps(length) < QUICK_STEPS;
  }
}

const analysed = new Map<string, Pattern>();
const MAX_ANALYSED = 1000;

/** They take about 10 ms. */
const QUICK_STEPS = 1_000_000;

/** Undefined: it cannot be analysed. */
function choicesOf(source: string): Choices | undefined {
  try {
    return new Choices(source);
  } catch (error) {
    // The parser may know less than V8, and patterns nested too deeply overflow its stack.
    const isExpected = [NotAnalysed, SyntaxError, RangeError].some((type) => error instanceof type);
    if (!isExpected) throw error;
    return undefined;
  }
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
