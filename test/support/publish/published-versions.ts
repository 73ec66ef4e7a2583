import Database from "better-sqlite3";
import { expect } from "vitest";
import { SvcError } from "../../../src/workspace/errors.ts";
import { pathsBelow, statesBelow } from "../file-tree.ts";
import { storeRows } from "../store/store-rows.ts";
import type { Parts, TestBed } from "../test-bed.ts";
import { page, smallWorkspace } from "../workspaces/small-workspace.ts";

/** The small workspace with this title on its page: each title is another version. */
export function titled(title: string, changes: Parts = {}): Parts {
  return smallWorkspace({ entries: [page("home", title)], ...changes });
}

/** Publishes each of these drafts, and returns the ids of the versions. */
export function publishEach(bed: TestBed, ...drafts: readonly (string | Parts)[]): string[] {
  return drafts.map((draft) => {
    const parts = typeof draft === "string" ? titled(draft) : draft;
    bed.import(parts);
    return bed.publish({ workspace: parts.id ?? "w", keep: 100 }).versionId;
  });
}

export function listed(bed: TestBed, workspace = "w"): string[] {
  const { history } = bed.store;
  return history.list(bed.store.workspace(workspace).number).map(({ versionId }) => versionId);
}

export function current(bed: TestBed, workspace = "w"): string | undefined {
  return bed.store.history.current(bed.store.workspace(workspace).number);
}

export function journal(bed: TestBed, workspace = "w") {
  return bed.store.history.journal(bed.store.workspace(workspace).number);
}

/** The error of work that must fail without a change of the store or a file. */
export function refusal(bed: TestBed, work: () => unknown): SvcError {
  const state = () => [storeRows(bed.store.file), statesBelow(bed.out), pathsBelow(bed.folder)];
  const before = state();
  let refused: unknown;
  try {
    work();
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(SvcError);
  expect((refused as SvcError).hint, "an error says what to do").toMatch(/\w/);
  expect(state()).toEqual(before);
  return refused as SvcError;
}

/** Runs a query on the store through another connection. */
export function query<T>(bed: TestBed, sql: string): T[] {
  const database = new Database(bed.store.file, { readonly: true });
  try {
    return database.prepare<unknown[], T>(sql).pluck().all();
  } finally {
    database.close();
  }
}
