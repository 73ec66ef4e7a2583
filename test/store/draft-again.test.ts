import { expect, it } from "vitest";
import type { StoredDraft } from "../../src/store/draft-reader.ts";
import type { Draft } from "../../src/workspace/draft.ts";
import { PAGE_MODEL, page, projectOf, smallWorkspace } from "../support/small-workspace.ts";
import { TestBed } from "../support/test-bed.ts";

const BLOCK = { id: "m-page", key: "note", name: "Note", fields: [] };

/** All that a draft has at hand. */
const recordsOf = ({ workspace, models, blocks, features, projects }: Draft) => ({
  ...{ workspace, models, blocks, features, projects },
});

it("a draft that is read with an earlier state of it is the draft as it is now", () => {
  const bed = new TestBed(smallWorkspace({ name: "Before" }));
  const read = (earlier?: StoredDraft) =>
    bed.store.read(() => bed.store.draft(bed.store.workspace(undefined), { earlier }));
  let earlier = read();
  for (const change of [
    { name: "After" },
    { models: [{ ...PAGE_MODEL, name: "Changed" }] },
    // The ids of models and of blocks have nothing to do with each other.
    { models: [], blocks: [BLOCK] },
    { projects: [projectOf("site", "home", "second"), projectOf("other", "home")] },
    { entries: [page("home", "Changed")], projects: [] },
  ]) {
    bed.import(smallWorkspace(change));
    const now = read(earlier);
    expect(recordsOf(now)).toEqual(recordsOf(read()));
    expect(now.entry("home")).toEqual(read().entry("home"));
    earlier = now;
  }
});

it("a draft takes the records over that have not changed since an earlier state", () => {
  const projects = [projectOf("site", "home"), projectOf("other", "home")];
  const bed = new TestBed(smallWorkspace({ projects }));
  const read = (earlier?: StoredDraft) =>
    bed.store.read(() => bed.store.draft(bed.store.workspace(undefined), { earlier }));
  const earlier = read();
  bed.import(
    smallWorkspace({ projects: [projectOf("site", "home", "new"), projectOf("other", "home")] }),
  );
  const now = read(earlier);
  const [first, second] = now.projects;
  expect(first).toBe(earlier.projects[0]);
  expect(second).not.toBe(earlier.projects[1]);
  expect(second?.experiences).toHaveLength(2);
});
