import { describe, expect, it } from "vitest";
import { CliBed, STOREFRONT } from "../support/cli.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is looked for
const COLOUR = /\u001b\[\d+m/;

describe("cli.md: colour and progress bars only on a terminal", { timeout: 60_000 }, () => {
  it("an error is coloured on a terminal, unless NO_COLOR says otherwise", () => {
    const bed = new CliBed();
    expect(bed.runOnTerminal("check")).toMatch(COLOUR);
    bed.env = { NO_COLOR: "1" };
    const plain = bed.runOnTerminal("check");
    expect(plain).toContain("error: there is no store");
    expect(plain).not.toMatch(COLOUR);
  });

  it("there are no escape codes where there is no terminal", () => {
    const bed = new CliBed(STOREFRONT);
    for (const args of [["check"], ["publish"], ["verify"], ["token", "x"]]) {
      const { stdout, stderr } = bed.run(...args);
      expect(stdout + stderr).not.toContain("\u001b");
    }
  });
});
