import { describe, expect, it } from "vitest";
import { grouped } from "../../src/cli/output/words.ts";
import { CliBed, STOREFRONT } from "../support/cli-bed.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is looked for
const COLOUR = /\u001b\[\d+m/;

describe("cli.md: colour and progress bars only on a terminal", { timeout: 60_000 }, () => {
  it("errors are coloured on a terminal, unless NO_COLOR is set", () => {
    const bed = new CliBed();
    expect(bed.runOnTerminal("check")).toMatch(COLOUR);
    bed.env = { NO_COLOR: "1" };
    const plain = bed.runOnTerminal("check");
    expect(plain).toContain("error: there is no store");
    expect(plain).not.toMatch(COLOUR);
  });

  it("there are no escape codes without a terminal", () => {
    const bed = new CliBed(STOREFRONT);
    for (const args of [["check"], ["publish"], ["verify"], ["token", "x"]]) {
      const { stdout, stderr } = bed.run(...args);
      expect(stdout + stderr).not.toContain("\u001b");
    }
  });
});

describe("grouped()", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1,000"],
    [12_345, "12,345"],
    [100_450, "100,450"],
    [1_000_000, "1,000,000"],
    [Number.MAX_SAFE_INTEGER, "9,007,199,254,740,991"],
  ])("%d is printed as %s", (count, text) => {
    expect(grouped(count)).toBe(text);
  });
});
