import { expect } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

export const PHOTO = heldAsset("photo", "photo.png", "a photo");
const LOGO = heldAsset("logo", "a-logo.png", "a logo");
const files = new Map([PHOTO.file, LOGO.file]);

/** A page with a logo. */
export const OLD = smallWorkspace({
  entries: [page("home", "Home", { picture: { assetId: "logo" } })],
  assets: [LOGO.asset],
  files,
});
/** Has a project, two experiences and an asset more, and the page is changed. */
export const NEW = smallWorkspace({
  projects: [projectOf("site", "home", "more"), projectOf("added", "more")],
  entries: [
    page("home", "New home", { picture: { assetId: "logo" } }),
    page("more", "More", { picture: { assetId: "photo" } }),
  ],
  assets: [LOGO.asset, PHOTO.asset],
  files,
});

/** Stops a write as a kill would: after so many files of its plan. */
function stopAfter(count: number) {
  return (done: number, _total: number, what: string) => {
    if (what === "files written" && done === count) throw new Error("stopped");
  };
}

/** How a version is published whose write stops after so many files; never: undefined. */
export function stopping(count: number | undefined) {
  const onProgress = count === undefined ? () => {} : stopAfter(count);
  return { strict: false, keep: 20, now: new Date("2026-11-21T09:30:00Z"), onProgress };
}

/** Publishes the draft, stopping after so many files. False: there were no more, so it was done. */
export function publishStopped(bed: TestBed, count: number, id = "w"): boolean {
  try {
    publish(bed.store, bed.store.workspace(id), bed.out, stopping(count));
    return false;
  } catch (error) {
    expect((error as Error).message).toBe("stopped");
    return true;
  }
}

/** A bed whose `out/` was `from`, and where publishing `to` was stopped after so many files. */
export function stoppedBed(from: Parts, to: Parts, count: number) {
  const bed = new TestBed(from);
  const { versionId: old } = bed.publish();
  bed.import(to);
  const isStopped = publishStopped(bed, count);
  const current = bed.store.history.current(bed.store.workspace("w").number) as string;
  return { bed, old, current, isStopped };
}

/** What is in `out/` when these workspaces are published and nothing is stopped. */
export function bytesOf(...workspaces: readonly Parts[]): Record<string, string> {
  const bed = new TestBed(...workspaces);
  for (const { id = "w" } of workspaces) bed.publish({ workspace: id });
  return bytesBelow(bed.out);
}
