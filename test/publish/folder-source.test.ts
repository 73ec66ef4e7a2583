import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DraftSource } from "../../src/publish/draft-source.ts";
import { type Published, planPublish, publish } from "../../src/publish/publish.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { inFolder, inStore } from "../support/publish/draft-source.ts";
import { randomRuns } from "../support/random-runs.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";
import { randomWorkspace } from "../support/workspaces/random-workspace.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { changesBelow } from "./file-changes.ts";
import { bytesOf, NEW, OLD, stopping } from "./stopped-bed.ts";

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

describe("R11: a workspace folder, without a store", () => {
  it("R11: gives the results, the files and the changes of files that a store gives", () => {
    const drafts = fc.array(
      fc.tuple(randomWorkspace({ faulty: false }), fc.integer({ min: 1, max: 2 })),
      { minLength: 2, maxLength: 3 },
    );
    const property = fc.property(drafts, (drawn) => {
      const bed = new TestBed();
      const alone = join(temporaryFolder(), "out");
      const how = stopping(undefined);
      const both = <T>(
        work: (source: DraftSource, out: string) => T,
        parts: (typeof drawn)[0][0],
      ) => {
        const found = work(inStore(bed.store, "w"), bed.out);
        expect(work(inFolder(parts), alone)).toEqual(found);
        return found;
      };
      let isPublished = false;
      for (const [parts, times] of drawn) {
        bed.import(parts);
        for (let time = 0; time < times; time += 1) {
          both((source, out) => outcomeOf(out, () => planPublish(source, out, how)), parts);
          both((source) => source.check({ at: how.now.getTime() }), parts);
          const publishing = (source: DraftSource, out: string) =>
            outcomeOf(out, () => publish(source, out, how));
          if ("versionId" in (both(publishing, parts).result as object)) isPublished = true;
        }
      }
      fc.pre(isPublished);
    });
    fc.assert(property, { numRuns: randomRuns(10) });
  });

  it.each(["\ud800", "\u0000"])(
    "F2: a text with %j is written with an escape, of a folder, of a store and on preview",
    (odd) => {
      const text = `a${odd}b`;
      const data = { title: text, any: { [text]: [text] } };
      const fields = [
        { key: "title", type: "text", title: true },
        { key: "any", type: "json" },
      ];
      const parts = smallWorkspace({
        models: [{ id: "m-page", key: "page", name: text, fields }],
        entries: [{ id: "home", modelId: "m-page", data }],
      });
      const bed = new TestBed(parts);
      const { versionId } = bed.publish();
      const out = join(temporaryFolder(), "out");
      expect(publish(inFolder(parts), out, stopping(undefined))).toMatchObject({ versionId });
      expect(bytesBelow(out)).toEqual(bytesBelow(bed.out));
      const address = { kind: "content", projectId: "site", experienceId: "home" } as const;
      const escaped = JSON.stringify(data.any);
      expect(String(bed.render("published", address)?.bytes(null))).toContain(escaped);
      expect(String(bed.render("preview", address)?.bytes(null))).toContain(escaped);
      expect(bed.file(address).content[0].data).toEqual(data);
    },
  );

  it("F5, R11a: the same command completes an interrupted write", () => {
    const [old, done] = [bytesOf(OLD), bytesOf(NEW)];
    for (let stops = 1; ; stops += 1) {
      const out = join(temporaryFolder(), "out");
      publish(inFolder(OLD), out, stopping(undefined));
      let isStopped = false;
      try {
        publish(inFolder(NEW), out, stopping(stops));
      } catch (error) {
        expect((error as Error).message).toBe("stopped");
        isStopped = true;
      }
      publish(inFolder(stops % 2 === 0 ? OLD : NEW), out, stopping(undefined));
      expect(bytesBelow(out)).toEqual(stops % 2 === 0 ? old : done);
      if (isStopped) continue;
      expect(stops).toBeGreaterThan(8);
      break;
    }
  });
});
