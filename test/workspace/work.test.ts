import { describe, expect, it } from "vitest";
import { doneAtOnce, Work } from "../../src/workspace/work.ts";

/** Work in three parts, which notes what it has done. */
function noting(done: string[], failsAt?: string) {
  return new Work(function* () {
    for (const part of ["a", "b", "c"]) {
      if (part === failsAt && done.filter((one) => one === part).length === 0) {
        done.push(part);
        throw new Error("the disk is full");
      }
      done.push(part);
      yield;
    }
    return done.join("");
  });
}

describe("H12: work in parts", () => {
  it("H12: goes on where it was, until the time, and is done once for all who ask", () => {
    const done: string[] = [];
    const work = noting(done);
    expect([work.isDoneBy(0), done]).toEqual([false, []]);
    const whole = new Work(function* () {
      return `${yield* work.rest()}!`;
    });
    expect(whole.isDoneBy(0)).toBe(false);
    const parts = work.rest();
    parts.next();
    expect(done).toEqual(["a"]);
    expect(whole.made).toBe("abc!");
    expect(work.isDoneBy(0)).toBe(true);
    expect([work.made, done]).toEqual(["abc", ["a", "b", "c"]]);
  });

  it("H12: begins anew after a failure", () => {
    const done: string[] = [];
    const work = noting(done, "b");
    expect(() => work.isDoneBy(Number.POSITIVE_INFINITY)).toThrow("full");
    expect(work.made).toBe("ababc");
  });

  it("H12: is done at once where nobody else waits", () => {
    const parts = function* () {
      yield;
      return 7;
    };
    expect(doneAtOnce(parts())).toBe(7);
  });
});
