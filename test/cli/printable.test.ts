import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grouped } from "../../src/workspace/listed.ts";
import { printable, withoutCommands } from "../../src/workspace/printable.ts";
import { CliBed } from "../support/cli-bed.ts";
import { randomRuns } from "../support/random-runs.ts";
import { anyText } from "../support/workspaces/random-scalars.ts";

/** Escape sequences that set the window's title, a line break, and a bidi override. */
const ODD = "a\u001b]0;owned\u0007\u009b31m\r\nerror: b\u202ec";

describe("printable()", () => {
  it("escapes line breaks, control characters and invisible characters", () => {
    fc.assert(
      fc.property(anyText({}), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: randomRuns(1000) },
    );
    expect(printable(ODD)).toBe("a\\u001b]0;owned\\u0007\\u009b31m\\r\\nerror: b\\u202ec");
  });

  it("keeps text of any language", () => {
    for (const text of ["Überblick — 概要", "日本語", "😀 ñ", 'a "b" \\ c']) {
      expect(printable(text)).toBe(text);
    }
  });
});

describe("P13b: what GitHub's log takes for a command", () => {
  it("P13b: is escaped, and an address by IPv6 is none", () => {
    expect(withoutCommands("::error::x ##[error]y")).toBe(
      "\\u003a:error\\u003a:x \\u0023#[error]y",
    );
    for (const text of ["http://[::1]:3000 and http://[fe80::1]/", "[::ffff:127.0.0.1] [::]"]) {
      expect(withoutCommands(text)).toBe(text);
    }
    expect(withoutCommands("[::1] ::x::")).toBe("[::1] \\u003a:x\\u003a:");
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is looked for
const COLOUR = /\u001b\[\d+m/;

describe("cli.md: colour only on a terminal", () => {
  it("errors are coloured on a terminal, unless NO_COLOR is set", () => {
    const bed = new CliBed();
    expect(bed.runOnTerminal("check")).toMatch(COLOUR);
    bed.env = { NO_COLOR: "1" };
    const plain = bed.runOnTerminal("check");
    expect(plain).toContain("error: there is no store");
    expect(plain).not.toMatch(COLOUR);
  });
});

it("counts are printed in groups of three digits", () => {
  const counts = [0, 999, 1000, 100_450, 1_000_000];
  expect(counts.map(grouped)).toEqual(["0", "999", "1,000", "100,450", "1,000,000"]);
});
