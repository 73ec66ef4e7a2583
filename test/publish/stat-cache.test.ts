import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openOut, readManifestFile } from "../../src/publish/manifest.ts";
import { openStatCache } from "../../src/publish/stat-cache.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

const SCHEMA = "api/v1/projects/site/schema.json";

let bed: TestBed;
beforeEach(() => {
  bed = new TestBed(smallWorkspace());
  bed.publish();
  expect(readdirSync(bed.out)).toContain("manifest.json");
});

/** Whether a file that last changed at `ctimeMs` counts as unchanged when it was seen at `seenAt`. */
function isFound(ctimeMs: number, seenAt: number, storedCtimeMs = ctimeMs): boolean {
  const workspace = bed.store.workspace("w");
  const folder = resolve(bed.out);
  const state = bed.store.outStates.find(workspace.number, folder);
  const manifest = readManifestFile(bed.out);
  if (state === undefined || manifest === undefined) throw new Error("nothing is published");
  const stats = Object.assign(statSync(join(bed.out, SCHEMA)), { ctimeMs });
  const numbers = [stats.ino, stats.size, stats.mtimeMs, storedCtimeMs];
  const paths = Object.keys(manifest.manifest.workspaces.w?.files ?? {});
  const files = Float64Array.from(paths.flatMap(() => numbers));
  bed.store.write(() =>
    bed.store.outStates.save(workspace.number, folder, { ...state, seenAt, files }),
  );
  const cache = openStatCache(bed.store, workspace, openOut(bed.out), manifest);
  return cache.find(SCHEMA, stats) !== undefined;
}

describe("F3: the stat cache of out/", () => {
  const time = Date.parse("2026-01-31T12:00:00Z");

  it("does not know a file that may have changed again in the same tick of the file system's clock", () => {
    const ctime = time + 0.5;
    expect([0, 10, 20].map((later) => isFound(ctime, ctime + later))).toEqual([
      false,
      false,
      false,
    ]);
    expect(isFound(ctime, ctime + 21)).toBe(true);
    expect(isFound(ctime, ctime - 1000)).toBe(false);
  });

  it("does not know a file whose size and mtime are the same, but not its ctime", () => {
    expect(isFound(time + 0.5, time + 9_000, time + 0.5)).toBe(true);
    expect(isFound(time + 0.5, time + 9_000, time + 0.25)).toBe(false);
  });

  it("takes ticks of two seconds where times have no fractions", () => {
    expect([0, 1000, 2100].map((later) => isFound(time, time + later))).toEqual([
      false,
      false,
      false,
    ]);
    expect(isFound(time, time + 2101)).toBe(true);
  });
});
