import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffSnapshots } from "../../src/diff/diff.ts";
import { PublishedDocuments } from "../../src/diff/published-documents.ts";
import { readOut } from "../../src/publish/read-out.ts";
import { versionSnapshot } from "../support/publish/draft-source.ts";
import { randomRuns } from "../support/random-runs.ts";
import { TestBed } from "../support/test-bed.ts";
import { randomWorkspace } from "../support/workspaces/random-workspace.ts";

describe("D4: documents that were read from published files", { timeout: 60_000 }, () => {
  it("compare with a version of a store, and with each other, as versions of the store do", () => {
    const two = fc.tuple(randomWorkspace({ faulty: false }), randomWorkspace({ faulty: false }));
    fc.assert(
      fc.property(two, (parts) => {
        const bed = new TestBed();
        const sides = parts.map((one) => {
          bed.import(one);
          const { versionId } = bed.publish();
          const documents = new PublishedDocuments();
          expect(readOut(bed.out, "w", documents)).toEqual({ workspaceId: "w", versionId });
          return { versionId, read: documents.snapshot() };
        });
        const [before, after] = sides as [(typeof sides)[0], (typeof sides)[0]];
        bed.store.read(() => {
          const stored = ({ versionId }: typeof before) =>
            versionSnapshot(bed.store, "w", versionId);
          const expected = diffSnapshots(stored(before), stored(after));
          expect(diffSnapshots(before.read, stored(after))).toEqual(expected);
          expect(diffSnapshots(stored(before), after.read)).toEqual(expected);
          expect(diffSnapshots(before.read, after.read)).toEqual(expected);
        });
      }),
      { numRuns: randomRuns(15) },
    );
  });
});
