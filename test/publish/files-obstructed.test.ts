import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** What is in the way, and a file that puts it there. */
const OBSTRUCTIONS = [
  ["out/ is a file", "out"],
  ["api/ is a file", "out/api"],
  ["a document is a folder", "out/api/v1/projects/site/index.json/file"],
  ["404.json is a folder", "out/404.json/file"],
  ["manifest.json is a folder", "out/manifest.json/file"],
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
