import { describe, expect, it } from "vitest";
import { CliBed, STARTER, STOREFRONT } from "../support/cli-bed.ts";

// `CliBed.run` runs commands in a process that stays.
describe("a process of its own prints and ends as a command in a process that stays", () => {
  it.each<[status: number, ...args: string[]]>([
    [0, "--version"],
    [0, "token", "--help"],
    [0, "versions", "--json"],
    [0, "types", "--draft"],
    [0, "publish", "--dry-run"],
    [1, "check", "--strict"],
    [2, "check", "--store", "none.db", "--json"],
    [4, "verify"],
    [2, "publish", "--strickt"],
    [2],
  ])("with status %i: svc %s %s %s %s", (status, ...args) => {
    const bed = new CliBed(args[0] === "check" ? STOREFRONT : STARTER);
    const alone = bed.runAlone(...args);
    expect(alone.status).toBe(status);
    expect(alone.stdout + alone.stderr).not.toBe("");
    expect(bed.run(...args)).toEqual(alone);
    // Nothing of a command remains for the next one.
    expect(bed.run(...args)).toEqual(alone);
  });

  it("gets the environment and the working folder of its bed", () => {
    const [bed, other] = [new CliBed(STARTER), new CliBed()];
    bed.env = { SVC_STORE: bed.path("workspace.db") };
    expect(other.failure(2, "check")[0]).toContain("workspace.db");
    other.env = bed.env;
    expect(other.ok("check").stdout).toBe(bed.ok("check").stdout);
    other.env = {};
    expect(other.run("check")).toEqual(other.runAlone("check"));
  });
});
