import { expect } from "vitest";
import { type Diff, diffSnapshots } from "../../src/diff/diff.ts";
import type { SchemaChange } from "../../src/diff/schema-change.ts";
import { NOTHING, type Snapshot } from "../../src/diff/snapshot.ts";
import { draftSnapshot, versionSnapshot } from "../../src/publish/snapshots.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { whole } from "./diff-two-ways.ts";

/** Runs `look` with a published workspace, and with its draft after the import of `after`. */
export function withSnapshots<T>(
  before: Parts | undefined,
  after: Parts,
  look: (before: Snapshot, after: Snapshot) => T,
): T {
  const bed = new TestBed(before ?? after);
  const version = before && bed.publish({ workspace: before.id ?? "w" }).versionId;
  if (before) bed.import(after);
  return bed.store.read(() => {
    const workspace = bed.store.workspace(after.id ?? "w");
    const draft = draftSnapshot(bed.store, workspace);
    return look(version ? versionSnapshot(bed.store, workspace, version) : NOTHING, draft);
  });
}

/** What publishing the second workspace over the first would change, and the way back. */
export function diffOf(before: Parts | undefined, after: Parts): { forth: Diff; back: Diff } {
  return withSnapshots(before, after, (was, is) => ({
    forth: difference(was, is),
    back: difference(is, was),
  }));
}

/** It is the same whether texts are compared by their numbers or not. */
function difference(before: Snapshot, after: Snapshot): Diff {
  const diff = diffSnapshots(before, after);
  expect(diffSnapshots(whole(before), whole(after))).toEqual(diff);
  return diff;
}

/** "breaking type-changed model page.title": verdict, code, and at what. */
export function told({ verdict, code, at }: SchemaChange): string {
  const key = at.key === undefined ? "" : ` ${at.key}`;
  const field = at.field === undefined ? "" : `.${at.field}`;
  return `${verdict} ${code} ${at.kind}${key}${field}`;
}
