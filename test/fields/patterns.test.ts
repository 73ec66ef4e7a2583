import { createContext, Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Pattern, timeLimits } from "../../src/fields/pattern/pattern.ts";
import { allowPatterns } from "../support/allow-patterns.ts";
import { randomRuns } from "../support/random-runs.ts";
import { randomPattern, repetitiveText } from "./random-patterns.ts";

const HARMLESS = [
  "^[a-z0-9]+(?:-[a-z0-9]+)*$",
  "^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$",
  "^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$",
  "^\\w[\\w.-]*@([\\w-]+\\.)+[\\w-]+$",
  "^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}$",
  "^https?://[^\\s/$.?#].[^\\s]*$",
  "^https?://[\\w.-]+(?:/[^\\s]*)?$",
  "^(ftp|http|https):\\/\\/(\\w+:{0,1}\\w*@)?(\\S+)(:[0-9]+)?(\\/|\\/([\\w#!:.?+=&%@!\\-/]))?$",
  "^#(?:[0-9a-f]{3}){1,2}$",
  "^\\+?[0-9 ()-]{7,20}$",
  "^\\+?\\d{1,3}[-. ]?\\(?\\d{1,4}\\)?(?:[-. ]?\\d{1,4}){1,4}$",
  "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^(0?[1-9]|[12][0-9]|3[01])[- /.](0?[1-9]|1[012])[- /.](19|20)?\\d\\d$",
  "^([01]\\d|2[0-3]):[0-5]\\d$",
  "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
  "^((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.|$)){4}$",
  "\\S",
  "^\\S(.*\\S)?$",
  "^\\S+(\\s+\\S+)*$",
  "^[^<>]*$",
  "^\\d+(,\\d{3})*(\\.\\d{2})?$",
  "^(/[\\w.-]+)+/?$",
  "^[a-z]{2}(-[A-Z]{2})?$",
  "^(?=.*[A-Z])(?=.*\\d).{8,}$",
  "^(?!test).*$",
  "\\.(jpg|png|gif)$",
  "^\\w+( \\w+)*$",
  "^\\p{L}+(?:[ '-]\\p{L}+)*$",
  "^\\p{L}+(?:\\p{N}\\p{L}+)*$",
  "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$",
  "(?:youtube\\.com/watch\\?v=|youtu\\.be/)([\\w-]{11})",
  "(?<!\\.)$",
  "^(?:a|ab|cb)+$",
  "^(?:GET|PUT|[A-Z]{9})(?:,(?:GET|PUT))*$",
  "^.*foo.*bar.*$",
];

/** Each with a text that takes a backtracking engine thousands of years. */
const UNBOUNDED: readonly [pattern: string, slow: string][] = [
  ["^(a+)+$", `${"a".repeat(80)}!`],
  ["(x+x+)+y", "x".repeat(80)],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(80)],
  ["^(?=(a+)+$)b", `${"a".repeat(80)}!`],
  ["^(\\w+\\s?)*$", `${"word ".repeat(40)}!`],
  ["^[^,]+(,\\s*[^,]+)*$", `a${",  b".repeat(80)},`],
  ["(.*a){20}", "a".repeat(60).replace(/a$/, "")],
  ["(a|aa)+$", `${"a".repeat(200)}!`],
  ["^(a|a)*b", "a".repeat(80)],
  ["^(?!(?:a|a)*$)", `${"a".repeat(80)}!`],
  ["^(?:[ab]c|b|[ac]b)+$", `${"bcb".repeat(80)}!`],
];

/** These too, but not for certain: as many harmless ones, they are tested in limited time, and no more. */
const SLOW: readonly [pattern: string, slow: string][] = [
  ["^(\\p{sc=Hangul}+[\\p{sc=Hangul}x]+)+$", `${"\uac00".repeat(80)}!`],
];

describe("P4a: which patterns have no bound", () => {
  it.each(HARMLESS)("P4a: %s has one", (pattern) => {
    expect(Pattern.of(pattern).unbounded).toBeUndefined();
  });

  it.each(UNBOUNDED)("P4a: %s has none", (pattern) => {
    expect(Pattern.of(pattern).unbounded).toBe("exponential");
  });

  it("P4a: what cannot be analysed has none either", () => {
    allowPatterns({ one: 30_000, all: 60_000 });
    for (const pattern of [
      `${"(".repeat(2000)}a${")".repeat(2000)}`,
      `^(?:${"(a|b)?".repeat(900)}){2,}$`,
      "^(a*)*b",
      "b(?<=^b(a|aa)+b)",
      "^((a+)\\2?)+$",
    ]) {
      expect(Pattern.of(pattern).unbounded).toBe("not-analysed");
      expect(Pattern.of(pattern).test("aab")).toBe(new RegExp(pattern, "u").test("aab"));
    }
  });

  it("P4: a pattern that is no expression is refused", () => {
    expect(() => Pattern.of("(")).toThrow(SyntaxError);
  });
});

const native = createContext({ expression: /a/, text: "" });
const script = new Script("expression.test(text)");

/** The answer of the engine itself; it throws after three seconds. */
function nativeTest(pattern: string, text: string): boolean {
  Object.assign(native, { expression: new RegExp(pattern, "u"), text });
  return script.runInContext(native, { timeout: 3000 });
}

describe("P4: values", () => {
  it("P4: are tested quickly with every harmless pattern, as JavaScript does", () => {
    const texts = ["", "a-b-c", "someone.else@example.com", "1.2.3-rc.1+b", "#fff", "été", "😀"];
    for (const pattern of HARMLESS) {
      for (const text of [...texts, "a".repeat(500)]) {
        expect(Pattern.of(pattern).test(text)).toBe(new RegExp(pattern, "u").test(text));
      }
    }
  });

  it("P4: are tested as JavaScript does, and those that are quick are so", () => {
    const law = fc.property(
      randomPattern,
      fc.array(repetitiveText, { maxLength: 3 }),
      (...given) => {
        const [source, texts] = given;
        let pattern: Pattern;
        try {
          new RegExp(source, "u");
          pattern = Pattern.of(source);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
          return;
        }
        for (const text of texts) {
          if (pattern.isQuick(text)) expect(pattern.test(text)).toBe(nativeTest(source, text));
        }
      },
    );
    fc.assert(law, { numRuns: randomRuns(200) });
  });

  it("P4: that are not quick are given up, one after a second and all after five", () => {
    expect(timeLimits).toEqual({ one: 1000, all: 5000 });
    allowPatterns({ one: 50, all: 250 });
    const slow = [...UNBOUNDED, ...SLOW];
    for (const [pattern] of slow) Pattern.of(pattern);
    const start = process.cpuUsage();
    const answers = slow.map(([pattern, text]) => Pattern.of(pattern).test(text));
    expect(answers.filter((answer) => answer !== "too-slow").length).toBeLessThan(3);
    for (let at = 0; at < 1000; at += 1) {
      expect(Pattern.of("^(a+)+$").test(`${"a".repeat(100 + at)}!`)).toBe("too-slow");
    }
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(2);
    expect(Pattern.of("^(a+)+$").test("aaa")).toBe(true);
    expect(Pattern.of("^(a+)+$").test("aab")).toBe(false);
  });

  it("P4: are given up after the time for one value, however much is left for all", () => {
    allowPatterns({ one: 50, all: 60_000 });
    const start = process.cpuUsage();
    expect(Pattern.of("^(a+)+$").test(`${"a".repeat(100)}!`)).toBe("too-slow");
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(2);
  });
});
