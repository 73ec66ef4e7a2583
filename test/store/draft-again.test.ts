import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredDraft } from "../../src/store/stored-draft.ts";
import { entryOf } from "../../src/workspace/draft.ts";
import { randomRuns } from "../support/random-runs.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

/** All records of a draft. */
function read(bed: TestBed, earlier?: StoredDraft) {
  return bed.store.read(() => {
    const draft = bed.store.draft(bed.store.workspace(undefined), earlier);
    const { workspace, models, blocks, features, projects } = draft;
    const home = entryOf(draft, "home");
    return { draft, records: { workspace, models, blocks, features, projects, home } };
  });
}

describe("a draft that is read with an earlier one", () => {
  it("is the current draft", () => {
    const bed = new TestBed(smallWorkspace({ name: "Before" }));
    let earlier = read(bed).draft;
    for (const change of [
      { name: "After" },
      { models: [{ ...PAGE_MODEL, name: "Changed" }] },
      // A model and a block with the same id.
      { models: [], blocks: [{ id: "m-page", key: "note", name: "Note", fields: [] }] },
      { projects: [projectOf("site", "home", "second"), projectOf("other", "home")] },
      { entries: [page("home", "Changed")], projects: [] },
    ]) {
      bed.import(smallWorkspace(change));
      const now = read(bed, earlier);
      expect(now.records).toEqual(read(bed).records);
      earlier = now.draft;
    }
  });

  it("reuses unchanged records", () => {
    const projects = [projectOf("site", "home"), projectOf("other", "home")];
    const bed = new TestBed(smallWorkspace({ projects }));
    const earlier = read(bed);
    bed.import(
      smallWorkspace({ projects: [projectOf("site", "home", "new"), projectOf("other", "home")] }),
    );
    const [first, second] = read(bed, earlier.draft).records.projects;
    expect(first).toBe(earlier.records.projects[0]);
    expect(second).not.toBe(earlier.records.projects[1]);
    expect(second?.experiences).toHaveLength(2);
  });
});

interface EntryRow {
  readonly id: string;
  readonly number: number;
  readonly revision: number;
  readonly text: string;
}

/** The row of the workspace `w`, and its entries by id. */
function rowsOf(bed: TestBed) {
  const database = new Database(bed.store.file, { readonly: true });
  const workspace = database.prepare("SELECT * FROM workspaces WHERE id = 'w'").get() as {
    [column in "number" | "revision"]: number;
  };
  const rows = database
    .prepare<unknown[], EntryRow>(
      "SELECT id, number, revision, model_id || data AS text FROM entries WHERE workspace = ?",
    )
    .all(workspace.number);
  database.close();
  return { ...workspace, entries: new Map(rows.map((row) => [row.id, row])) };
}

describe("an import over a draft", () => {
  const entry = fc.record({
    id: fc.constantFrom(..."abcdefgh"),
    modelId: fc.constantFrom("m-page", "m-page", "gone"),
    data: fc.record({ title: fc.constantFrom("One", "Two") }),
  });
  const entries = fc.uniqueArray(entry, { selector: ({ id }) => id });

  it("writes only rows that differ, with the next revision, in any order", () => {
    fc.assert(
      fc.property(fc.array(entries, { minLength: 2, maxLength: 6 }), (sources) => {
        const bed = new TestBed({ id: "other", entries: [page("a", "Of another")] });
        bed.import(smallWorkspace({ entries: [] }));
        for (const source of sources) {
          const before = rowsOf(bed);
          bed.import(smallWorkspace({ entries: source }));
          const after = rowsOf(bed);
          const used = new Set([...before.entries.values()].map(({ number }) => number));
          expect([...after.entries.keys()].sort()).toEqual(source.map(({ id }) => id).sort());
          for (const { id, modelId, data } of source) {
            const [old, now] = [before.entries.get(id), after.entries.get(id)];
            expect(now?.text).toBe(modelId + JSON.stringify(data));
            if (old?.text === now?.text) expect(now).toEqual(old);
            else expect(now?.revision).toBe(after.revision);
            if (old === undefined) expect(used).not.toContain(now?.number);
            else expect(now?.number).toBe(old.number);
          }
          const isSame = JSON.stringify([...before.entries]) === JSON.stringify([...after.entries]);
          expect(after.revision).toBe(before.revision + (isSame ? 0 : 1));
        }
      }),
      { numRuns: randomRuns(40) },
    );
  });

  it("writes no entry when assets change", () => {
    const [logo, photo] = [heldAsset("logo", "l.png", "logo"), heldAsset("photo", "p.png", "p")];
    const bed = new TestBed(smallWorkspace(), { id: "other" });
    const assetsOf = (...held: readonly (typeof logo)[]): Parts => ({
      assets: held.map(({ asset }) => asset),
      files: new Map(held.map(({ file }) => file)),
    });
    const renamed = { ...photo, asset: { ...photo.asset, fileName: "q.png" } };
    for (const parts of [assetsOf(logo, photo), assetsOf(logo, renamed), assetsOf(renamed)]) {
      const before = rowsOf(bed);
      const other = bed.store.workspace("other").revision;
      bed.import(smallWorkspace(parts));
      const after = rowsOf(bed);
      expect(after.revision).toBe(before.revision + 1);
      expect(after.entries).toEqual(before.entries);
      expect(bed.store.workspace("other").revision).toBe(other + 1);
      const rows = storeRows(bed.store.file);
      bed.import(smallWorkspace(parts));
      expect(storeRows(bed.store.file), "nothing is written the second time").toEqual(rows);
    }
  });

  it("replaces a damaged row", () => {
    const bed = new TestBed(smallWorkspace());
    const draft = read(bed).records;
    const database = new Database(bed.store.file);
    database.exec("UPDATE entries SET row_check = row_check + 1");
    database.close();
    expect(() => read(bed)).toThrow(expect.objectContaining({ code: "store-damaged" }));
    bed.import(smallWorkspace());
    expect(read(bed).records).toEqual(draft);
  });
});
