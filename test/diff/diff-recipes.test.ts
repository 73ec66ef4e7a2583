import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Diff, diffSnapshots } from "../../src/diff/diff.ts";
import type { Snapshot } from "../../src/diff/snapshot.ts";
import { randomRuns } from "../support/random-runs.ts";
import { TestBed } from "../support/test-bed.ts";
import { NEIGHBOUR, randomWorkspace } from "../support/workspaces/random-workspace.ts";
import { freezeWhole, publishAll, sidesOf } from "./diff-sides.ts";
import { whole } from "./diff-two-ways.ts";

type Compare = (before: Snapshot, after: Snapshot) => Diff;

/** The diffs of every two sides. */
function differences(sides: readonly Snapshot[], compare: Compare = diffSnapshots): Diff[] {
  return sides.flatMap((before) => sides.map((after) => compare(before, after)));
}

const [sound, any] = [randomWorkspace({ faulty: false }), randomWorkspace({ faulty: true })];

describe("documents are compared by the texts in their recipes", {
  timeout: 120_000,
}, () => {
  it("with the same result as comparing complete documents, of versions and of the draft", () => {
    const bed = new TestBed(NEIGHBOUR);
    fc.assert(
      fc.property(fc.tuple(sound, sound, any), (states) => {
        const sides = sidesOf(bed, publishAll(bed, states));
        const expected = differences(sides.map(whole));
        expect(differences(sides)).toEqual(expected);
        const half = differences(sides, (was, is) => diffSnapshots(whole(was), is));
        expect(half).toEqual(expected);
      }),
      { numRuns: randomRuns(20) },
    );
  });

  it("also where some are complete, as in stores of an older schema version", () => {
    const bed = new TestBed(NEIGHBOUR);
    fc.assert(
      fc.property(fc.tuple(sound, sound, any), fc.boolean(), (states, areAll) => {
        const versions = publishAll(bed, states);
        const expected = differences(sidesOf(bed, versions));
        freezeWhole(bed, (row) => areAll || row % 2 === 1);
        expect(differences(sidesOf(bed, versions))).toEqual(expected);
      }),
      { numRuns: randomRuns(10) },
    );
  });
});
