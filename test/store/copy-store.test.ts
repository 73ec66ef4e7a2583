import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { copyStore, markOf, replaceStore } from "../../src/store/copy-store.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const HOME = smallWorkspace({ entries: [page("home", "Home")] });
const OTHER = smallWorkspace({ entries: [page("home", "Other")] });

it("R14: the content mark changes with each change of content, and with no cache", () => {
  const bed = new TestBed(HOME);
  const { file, tokens } = bed.store;
  const marks = [markOf(file)];
  const changes = [
    () => bed.import(OTHER),
    () => bed.import({ ...OTHER, name: "Renamed" }),
    () => bed.import({ ...OTHER, name: "Renamed", features: [] }),
    () => bed.publish(),
    () => bed.import({ ...HOME, name: "Renamed", features: [] }),
    () => bed.publish(),
    () => bed.rollback(bed.store.history.list(1)[1]?.versionId ?? ""),
    () => tokens.create(1, { name: "alice", expiresAt: null, now: new Date() }),
    () => tokens.revoke(1, tokens.list(1)[0]?.id ?? ""),
  ];
  for (const change of changes) {
    change();
    expect(marks, String(change)).not.toContain(markOf(file));
    marks.push(markOf(file));
  }
});
