import { expect, it } from "vitest";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { faultsIn, recordsIn } from "../support/workspaces/workspace-folder.ts";

const entry = (more: object) => ({ id: "e", modelId: "m-page", ...more, data: {} });
const faultsOf = (more: object) => faultsIn({ "entries.json": [entry(more)] });

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

it.each([
  [{ draft: "yes" }, '"draft" must be true or false'],
  [{ publishAt: 7 }, '"publishAt" must be a text'],
  [{ publishAt: "2026-11-21" }, '"publishAt" is not a date and time'],
  [{ unpublishAt: "2026-11-21T09:30:00" }, '"unpublishAt" is not a date and time'],
  [{ publishAt: "2026-02-30T09:30:00Z" }, '"publishAt" is not a date and time'],
  [{ publishAt: "2016-12-31T23:59:60Z" }, '"publishAt" is not a date and time'],
  [{ publishAt: FROM, unpublishAt: FROM }, '"unpublishAt" is not after "publishAt"'],
  [{ publishAt: UNTIL, unpublishAt: FROM }, '"unpublishAt" is not after "publishAt"'],
])("A4: %o is a fault of the folder", (more, message) => {
  expect(faultsOf(more)).toEqual([expect.stringContaining(message)]);
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
