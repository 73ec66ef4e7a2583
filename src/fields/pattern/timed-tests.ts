import { createContext, Script } from "node:vm";

/** The longest test of one value, and of all values, in milliseconds. */
interface TimeLimits {
  readonly one: number;
  readonly all: number;
}

/** What a test may take that counts for nothing: a timeout costs about 0.2 ms itself. */
const FREE = 1;
/** The part of the time since the last test that is given back, so that a server can test again. */
const REGAINED = 1 / 20;

const watched: { expression: RegExp | undefined; text: string } = {
  expression: undefined,
  text: "",
};
let context: typeof watched | undefined;
const script = new Script("expression.test(text)");

/** Tests under a timeout. */
class TimedTests {
  limits: TimeLimits;
  #spent = 0;
  #spentAt = 0;

  constructor(limits: TimeLimits) {
    this.limits = limits;
  }

  test(expression: RegExp, text: string): boolean | "too-slow" {
    const start = performance.now();
    this.#spent = Math.max(0, this.#spent - (start - this.#spentAt) * REGAINED);
    const { one, all } = this.limits;
    const timeout = Math.min(one, Math.ceil(all - this.#spent));
    if (timeout <= 0) return "too-slow";
    context ??= createContext(watched) as typeof watched;
    context.expression = expression;
    context.text = text;
    try {
      return script.runInContext(context, { timeout }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      return "too-slow";
    } finally {
      context.expression = undefined;
      context.text = "";
      this.#spentAt = performance.now();
      this.#spent += Math.max(0, this.#spentAt - start - FREE);
    }
  }
}

/** Those of this thread. */
export const timedTests = new TimedTests({ one: 1000, all: 5000 });
