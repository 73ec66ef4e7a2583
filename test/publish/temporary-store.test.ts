import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planPublish } from "../../src/publish/plan-publish.ts";
import { publish } from "../../src/publish/publish.ts";
import type { Published } from "../../src/publish/published.ts";
import { openTemporaryStore, type Store } from "../../src/store/store.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, source, TestBed, temporaryFolder } from "../support/test-bed.ts";
import { randomWorkspace } from "../support/workspaces/random-workspace.ts";
import { changesBelow } from "./file-changes.ts";
import { bytesOf, NEW, OLD, stopping } from "./stopped-bed.ts";

type Publish = typeof publish;

/** Publishes from a store of its own, which is closed afterwards. */
function publishAlone(parts: Parts, out: string, stopAfter?: number, how: Publish = publish) {
  const store = openTemporaryStore();
  try {
    return publishFrom(store, parts, out, stopAfter, how);
  } finally {
    store.close();
  }
}

function publishFrom(
  store: Store,
  parts: Parts,
  out: string,
  stopAfter?: number,
  how: Publish = publish,
): Published {
  store.import(source(parts), new Date());
  return how(store, store.workspace(parts.id ?? "w"), out, stopping(stopAfter));
}

/** What a publish returns and changes. */
function outcomeOf(out: string, work: () => Published) {
  let result: unknown;
  const changes = changesBelow(out, () => {
    try {
      result = work();
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      result = { code: error.code, problems: error.problems };
    }
  });
  return { result, changes, bytes: bytesBelow(out) };
}

describe("R11: a draft that is published from a temporary store", { timeout: 120_000 }, () => {
  it("gives the results, the files and the changes of files that a kept store gives", () => {
    const runs = randomRuns(10);
    let published = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(randomWorkspace({ faulty: false }), fc.integer({ min: 1, max: 2 })), {
          minLength: 2,
          maxLength: 3,
        }),
        (drafts) => {
          const bed = new TestBed();
          const alone = join(temporaryFolder(), "out");
          for (const [parts, times] of drafts) {
            for (let time = 0; time < times; time += 1) {
              const kept = outcomeOf(bed.out, () => publishFrom(bed.store, parts, bed.out));
              expect(outcomeOf(alone, () => publishAlone(parts, alone))).toEqual(kept);
              const [plan, dry] = [bed.out, alone].map((out) =>
                outcomeOf(out, () =>
                  out === alone
                    ? publishAlone(parts, out, undefined, planPublish)
                    : publishFrom(bed.store, parts, out, undefined, planPublish),
                ),
              );
              expect(dry).toEqual(plan);
              if ("versionId" in (kept.result as object)) published += 1;
            }
          }
        },
      ),
      { numRuns: runs },
    );
    expect(published).toBeGreaterThan(1.5 * runs);
  });

  it("F5: completes what an earlier one was killed in, though its store is gone", () => {
    const [old, done] = [bytesOf(OLD), bytesOf(NEW)];
    for (let stops = 1; ; stops += 1) {
      const out = join(temporaryFolder(), "out");
      publishAlone(OLD, out);
      let isStopped = false;
      try {
        publishAlone(NEW, out, stops);
      } catch (error) {
        expect((error as Error).message).toBe("stopped");
        isStopped = true;
      }
      publishAlone(stops % 2 === 0 ? OLD : NEW, out);
      expect(bytesBelow(out)).toEqual(stops % 2 === 0 ? old : done);
      if (!isStopped) {
        expect(stops).toBeGreaterThan(Object.keys(done).length);
        break;
      }
    }
  });
});
