import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.ts";
import { mutatedText } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

describe("the list of mutants", () => {
  it("has edits whose text is in the file once", () => {
    const faults = MUTANTS.flatMap((mutant) => {
      try {
        const isSame = mutatedText(ROOT, mutant) === readFileSync(join(ROOT, mutant.file), "utf8");
        return isSame ? `${mutant.rule}: nothing is changed` : [];
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(faults).toEqual([]);
  });

  it("breaks every rule of decisions.md", () => {
    const text = readFileSync(join(ROOT, "docs/spec/decisions.md"), "utf8");
    const rules = [...text.matchAll(/^- ([A-Z]\d+[a-z]?)\. /gm)].map(([, rule]) => rule);
    const broken = new Set(MUTANTS.map(({ rule }) => rule.split(":")[0]));
    // Rules that only a browser shows.
    for (const rule of ["H13", "H14"]) broken.add(rule);
    expect(rules.length).toBeGreaterThan(70);
    expect(rules.filter((rule) => !broken.has(rule ?? ""))).toEqual([]);
  });

  it("names tests that exist, and each rule once", () => {
    const tests = new Set(MUTANTS.flatMap((mutant) => mutant.tests));
    expect([...tests].filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
    const rules = MUTANTS.map(({ rule }) => rule);
    expect(rules.filter((rule, at) => rules.indexOf(rule) !== at)).toEqual([]);
  });
});
