import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** What stands in the way, and the file that makes it stand there. */
const OBSTRUCTIONS = [
  ["a file stands where out/ should be", "out"],
  ["a file stands where api/ should be", "out/api"],
  ["a folder stands where a document should be", "out/api/v1/projects/site/index.json/file"],
  ["a folder stands where 404.json should be", "out/404.json/file"],
  ["a folder stands where manifest.json should be", "out/manifest.json/file"],
] as const;

function obstructedBed(path: string) {
  const bed = new TestBed(smallWorkspace());
  mkdirSync(dirname(join(bed.folder, path)), { recursive: true });
  writeFileSync(join(bed.folder, path), "in the way");
  const state = () => {
    const files = pathsBelow(bed.folder).filter((file) => !file.startsWith("workspace.db"));
    return { files, rows: storeRows(bed.store.file) };
  };
  return { bed, state };
}

describe("cli.md: nothing is half done after an error", () => {
  it.each(OBSTRUCTIONS)("publish refuses and changes nothing when %s", (_what, path) => {
    const { bed, state } = obstructedBed(path);
    const before = state();
    expect(() => bed.publish()).toThrow();
    expect(state().files).toEqual(before.files);
    expect(state().rows).toEqual(before.rows);
  });

  it.each(OBSTRUCTIONS)("publish --dry-run refuses what publish refuses: %s", (_what, path) => {
    const { bed, state } = obstructedBed(path);
    const before = state();
    expect(() => bed.publish({ dryRun: true })).toThrow();
    expect(state()).toEqual(before);
  });
});
