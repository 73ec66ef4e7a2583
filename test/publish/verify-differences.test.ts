import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Difference } from "../../src/publish/published-comparison.ts";
import { bytesBelow, statesBelow } from "../support/file-tree.ts";
import {
  HOME,
  INDEX,
  PHOTO,
  publishedPagesBed,
  SCHEMA,
} from "../support/publish/published-pages-bed.ts";
import type { TestBed } from "../support/test-bed.ts";

/** Puts something else in place of the file. */
function replace(bed: TestBed, path: string, make: (path: string) => void): void {
  rmSync(join(bed.out, path), { recursive: true });
  make(join(bed.out, path));
}

describe("F6: verify reports each file that is not as published", () => {
  type Case = [what: string, damage: (bed: TestBed) => void, finds: Partial<Difference>];
  const CASES: readonly Case[] = [
    [
      "an asset of other bytes of the same size",
      ({ out }) => writeFileSync(join(out, PHOTO.path), "b photo"),
      { path: PHOTO.path, reason: "changed", detail: expect.stringContaining("other bytes") },
    ],
    [
      "a truncated asset",
      ({ out }) => truncateSync(join(out, PHOTO.path), 3),
      { path: PHOTO.path, reason: "changed", detail: "has 3 bytes, published were 7" },
    ],
    [
      "a missing asset",
      ({ out }) => rmSync(join(out, PHOTO.path)),
      { path: PHOTO.path, reason: "missing", detail: "is not there" },
    ],
    [
      "an empty document",
      ({ out }) => truncateSync(join(out, HOME), 0),
      { path: HOME, reason: "changed", detail: expect.stringMatching(/^has 0 bytes, publ/) },
    ],
    [
      "a document with one changed bit",
      (bed) => {
        const bytes = Buffer.from(bytesBelow(bed.out)[SCHEMA] ?? "", "latin1");
        bytes[100] = (bytes[100] ?? 0) ^ 1;
        writeFileSync(join(bed.out, SCHEMA), bytes);
      },
      { path: SCHEMA, reason: "changed", detail: expect.stringContaining("other bytes") },
    ],
    [
      "a folder in place of a file",
      (bed) => replace(bed, INDEX, mkdirSync),
      { path: INDEX, reason: "changed", detail: expect.stringMatching(/^is a folder/) },
    ],
    [
      "a link to the same bytes in place of a file",
      ({ out, folder }) => {
        renameSync(join(out, INDEX), join(folder, "moved.json"));
        symlinkSync(join(folder, "moved.json"), join(out, INDEX));
      },
      { path: INDEX, reason: "changed", detail: expect.stringMatching(/^is a link/) },
    ],
    [
      "a pipe in place of a file",
      (bed) => replace(bed, INDEX, (path) => execFileSync("mkfifo", [path])),
      { path: INDEX, reason: "changed", detail: expect.not.stringContaining("link") },
    ],
    [
      "a file in place of a folder",
      (bed) =>
        replace(bed, `assets/${PHOTO.path.split("/")[1]}`, (path) => writeFileSync(path, "")),
      { path: PHOTO.path, reason: "missing" },
    ],
    [
      "a document of an unpublished project",
      ({ out }) => {
        mkdirSync(join(out, "api/v1/projects/old"));
        writeFileSync(join(out, "api/v1/projects/old/index.json"), "{}\n");
      },
      {
        path: "api/v1/projects/old/index.json",
        reason: "unexpected",
        detail: "not in the manifest",
      },
    ],
    [
      "a file beside an asset",
      ({ out }) => writeFileSync(join(out, `${PHOTO.path}.bak`), "a photo"),
      { path: `${PHOTO.path}.bak`, reason: "unexpected", detail: "not in the manifest" },
    ],
  ];

  it.each(CASES)("%s", (_what, damage, finds) => {
    const bed = publishedPagesBed();
    damage(bed);
    const { ok, files, differs } = bed.verify();
    expect({ ok, files }).toEqual({ ok: false, files: 6 });
    const [found, ...others] = differs.filter(({ reason }) => reason === finds.reason);
    expect({ found, others }).toMatchObject({ found: finds, others: [] });
  });

  it("all of them, sorted by path, each once", () => {
    const bed = publishedPagesBed();
    rmSync(join(bed.out, "api"), { recursive: true });
    truncateSync(join(bed.out, PHOTO.path), 1);
    const paths = bed.verify().differs.map(({ path }) => path);
    const manifest = bed.file("manifest.json");
    expect(paths).toEqual(Object.keys(manifest.workspaces.w.files).toSorted());
  });

  it("and touches nothing", () => {
    const bed = publishedPagesBed();
    const touch = [HOME, PHOTO.path];
    for (const path of touch) writeFileSync(join(bed.out, path), "damageed");
    rmSync(join(bed.out, INDEX));
    const states = statesBelow(bed.folder);
    expect(bed.verify().differs).toHaveLength(3);
    expect(statesBelow(bed.folder)).toEqual(states);
  });
});
