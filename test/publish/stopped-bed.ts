import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { MEANT, type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const PHOTO = heldAsset("photo", "photo.png", "a photo");
const LOGO = heldAsset("logo", "a-logo.png", "a logo");
const files = new Map([PHOTO.file, LOGO.file]);

/** A page with a logo. */
export const OLD = smallWorkspace({
  entries: [page("home", "Home", { picture: { assetId: "logo" } })],
  assets: [LOGO.asset],
  files,
});
/** Adds a project, two experiences and an asset, and changes the page. */
export const NEW = smallWorkspace({
  projects: [projectOf("site", "home", "more"), projectOf("added", "more")],
  entries: [
    page("home", "New home", { picture: { assetId: "logo" } }),
    page("more", "More", { picture: { assetId: "photo" } }),
  ],
  assets: [LOGO.asset, PHOTO.asset],
  files,
});

/** Stops a write after this number of changed files, as a kill would. */
function stopAfter(count: number) {
  let changed = 0;
  return (_done: number, _total: number, what: string) => {
    if (what === "files written" && ++changed === count) throw new Error("stopped");
  };
}

/** Options to publish with a write that stops after this number of files; undefined: never. */
export function stopping(count: number | undefined) {
  const onProgress = count === undefined ? () => {} : stopAfter(count);
  return {
    strict: false,
    severity: MEANT,
    keep: 20,
    now: new Date("2026-11-21T09:30:00Z"),
    onProgress,
  };
}

/** Publishes the draft and stops after this number of files. False: it finished before. */
export function publishStopped(bed: TestBed, count: number, id = "w"): boolean {
  try {
    publish(inStore(bed.store, id), bed.out, stopping(count));
    return false;
  } catch (error) {
    expect((error as Error).message).toBe("stopped");
    return true;
  }
}

/** A bed with `from` in `out/` where publishing `to` was stopped after this number of files. */
export function stoppedBed(from: Parts, to: Parts, count: number) {
  const bed = new TestBed(from);
  const { versionId: old } = bed.publish();
  bed.import(to);
  const isStopped = publishStopped(bed, count);
  const current = bed.store.history.current(bed.store.workspace("w").number) as string;
  return { bed, old, current, isStopped };
}

/** The files of `out/` when these workspaces are published without a stop. */
export function bytesOf(...workspaces: readonly Parts[]): Record<string, string> {
  const bed = new TestBed(...workspaces);
  for (const { id = "w" } of workspaces) bed.publish({ workspace: id });
  return bytesBelow(bed.out);
}

const FOREIGN = ["robots.txt", "assets/mine/photo.png", "api/v1/notes.txt", "api/v1/.svc-x.tmp"];

/** Puts files there that are not svc's; returns their texts. */
export function putForeign(out: string): Readonly<Record<string, string>> {
  for (const path of FOREIGN) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), path);
  }
  return Object.fromEntries(FOREIGN.map((path) => [path, path]));
}
