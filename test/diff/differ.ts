import { type Diff, diffSnapshots } from "../../src/diff/diff.ts";
import type { SchemaChange } from "../../src/diff/schema-change.ts";
import { NOTHING, type Snapshot } from "../../src/diff/snapshot.ts";
import { draftSnapshot, versionSnapshot } from "../support/publish/draft-source.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";

/** Runs `look` with a published workspace, and with its draft after the import of `after`. */
function withSnapshots<T>(
  before: Parts | undefined,
  after: Parts,
  look: (before: Snapshot, after: Snapshot) => T,
): T {
  const bed = new TestBed(before ?? after);
  const version = before && bed.publish({ workspace: before.id ?? "w" }).versionId;
  if (before) bed.import(after);
  return bed.store.read(() => {
    const id = after.id ?? "w";
    const draft = draftSnapshot(bed.store, id);
    return look(version ? versionSnapshot(bed.store, id, version) : NOTHING, draft);
  });
}

/** What publishing the second workspace over the first would change, and the reverse. */
export function diffOf(before: Parts | undefined, after: Parts): { forth: Diff; back: Diff } {
  return withSnapshots(before, after, (was, is) => ({
    forth: diffSnapshots(was, is),
    back: diffSnapshots(is, was),
  }));
}

/** "breaking type-changed model page.title": verdict, code, and at what. */
export function changeSummary({ verdict, code, at }: SchemaChange): string {
  const key = at.key === undefined ? "" : ` ${at.key}`;
  const field = at.field === undefined ? "" : `.${at.field}`;
  return `${verdict} ${code} ${at.kind}${key}${field}`;
}
