import { expect, it } from "vitest";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { recordsIn } from "../support/workspaces/workspace-folder.ts";

const entry = (more: object) => ({ id: "e", modelId: "m-page", ...more, data: {} });

const FROM = "2026-11-21T09:30:00Z";
const UNTIL = "2026-11-21T10:30:00.5+01:00";

it("A1, A4: an entry may say when it is published, and null says nothing", () => {
  const says = [{ draft: true }, { draft: false }, { publishAt: FROM, unpublishAt: UNTIL }];
  for (const more of says) {
    expect(recordsIn({ "entries.json": [entry(more)] })).toMatchObject([{ record: entry(more) }]);
  }
  const nothing = { draft: null, publishAt: null, unpublishAt: null };
  expect(recordsIn({ "entries.json": [entry(nothing)] })).toEqual([
    { kind: "entries", record: entry({}) },
  ]);
});

it("A1: an import that changes only whether an entry is a draft changes the draft's revision", () => {
  const bed = new TestBed(smallWorkspace({ entries: [entry({})] }));
  const revision = () => bed.store.workspace("w").revision;
  const before = revision();
  bed.import(smallWorkspace({ entries: [entry({ draft: true })] }));
  expect(revision()).toBe(before + 1);
  bed.import(smallWorkspace({ entries: [entry({ draft: true })] }));
  expect(revision()).toBe(before + 1);
});
