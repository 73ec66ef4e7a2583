import { describe, expect, it } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { inStore } from "../support/publish/draft-source.ts";
import {
  current,
  journal,
  listed,
  publishEach,
  query,
  titled,
} from "../support/publish/published-versions.ts";
import { storedDocuments } from "../support/publish/stored-documents.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const FAULTY = smallWorkspace({ entries: [{ id: "home", modelId: "m-page", data: {} }] });

function publishAt(bed: TestBed, title: string, at: string): string {
  bed.import(titled(title));
  const how = { strict: false, keep: 20, now: new Date(at), onProgress: () => {} };
  return publish(inStore(bed.store, "w"), bed.out, how).versionId;
}

describe("cli.md: the versions of a workspace", () => {
  it("are listed newest first, each with the time at which it was published, and by which", () => {
    const bed = new TestBed();
    const one = publishAt(bed, "One", "2026-01-01T10:00:00Z");
    const two = publishAt(bed, "Two", "2026-01-01T11:30:00.250Z");
    expect(bed.store.history.list(bed.store.workspace("w").number)).toEqual([
      {
        versionId: two,
        publishedAt: "2026-01-01T11:30:00.250Z",
        clock: "2026-01-01T11:30:00.250Z",
      },
      {
        versionId: one,
        publishedAt: "2026-01-01T10:00:00.000Z",
        clock: "2026-01-01T10:00:00.000Z",
      },
    ]);
    expect(current(bed)).toBe(two);
  });

  it("keep the order of publishing when the clock goes backwards", () => {
    const bed = new TestBed();
    const ids = ["2026-01-03T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"].map((at) =>
      publishAt(bed, `Title ${at}`, at),
    );
    expect(listed(bed)).toEqual(ids.toReversed());
    expect(journal(bed).map(({ to }) => to)).toEqual(ids.toReversed());
  });

  it("keep their order when one is rolled back to and becomes current", () => {
    const bed = new TestBed();
    const [one = "", two, three] = publishEach(bed, "One", "Two", "Three");
    bed.rollback(one);
    expect(listed(bed)).toEqual([three, two, one]);
    expect(current(bed)).toBe(one);
  });

  it("are the newest again, and not duplicated, when their content is published again", () => {
    const bed = new TestBed();
    const [one, two] = publishEach(bed, "One", "Two");
    expect(publishAt(bed, "One", "2030-01-01T00:00:00Z")).toBe(one);
    expect(listed(bed)).toEqual([one, two]);
    const [newest] = bed.store.history.list(bed.store.workspace("w").number);
    expect(newest?.publishedAt).toBe("2030-01-01T00:00:00.000Z");
  });

  it("are each workspace's own, as is the journal", () => {
    const bed = new TestBed();
    const neighbour = { id: "neighbour", projects: [projectOf("other", "home")] };
    const [one, other, two] = publishEach(bed, "One", smallWorkspace(neighbour), "Two");
    expect([listed(bed), current(bed)]).toEqual([[two, one], two]);
    expect([listed(bed, "neighbour"), current(bed, "neighbour")]).toEqual([[other], other]);
    expect(journal(bed, "neighbour")).toMatchObject([{ action: "publish", from: null, to: other }]);
    expect(journal(bed)).toHaveLength(2);
  });
});

describe("R7: the journal", () => {
  it("lists time, action, from and to of each publish, republish and rollback, newest first", () => {
    const bed = new TestBed();
    const began = new Date().toISOString();
    const [one = "", two] = publishEach(bed, "One", "Two");
    bed.rollback(one);
    bed.publish();
    const entries = journal(bed);
    expect(entries.map(({ at, ...what }) => what)).toEqual([
      { action: "republish", from: one, to: two },
      { action: "rollback", from: two, to: one },
      { action: "publish", from: one, to: two },
      { action: "publish", from: null, to: one },
    ]);
    const times = entries.map(({ at }) => at);
    const ended = new Date().toISOString();
    expect([ended, ...times, began].toSorted().toReversed()).toEqual([ended, ...times, began]);
    for (const at of times) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("has the given time, and no user", () => {
    const bed = new TestBed();
    const to = publishAt(bed, "One", "2026-03-04T05:06:07.089Z");
    const entry = { at: "2026-03-04T05:06:07.089Z", action: "publish", from: null, to };
    expect(journal(bed)).toEqual([entry]);
    const held = JSON.parse(storeRows(bed.store.file).journal?.[0] ?? "null");
    const { number } = bed.store.workspace("w");
    expect(held).toEqual([expect.any(Number), number, ...Object.values(entry)]);
  });

  it.each<[what: string, work: (bed: TestBed, id: string) => unknown]>([
    ["a publish that changes nothing", (bed) => bed.publish()],
    ["a publish that only prunes", (bed) => bed.publish({ keep: 1 })],
    ["a rollback to the current version", (bed, id) => bed.rollback(id)],
    ["a write", (bed) => bed.write()],
    ["an import", (bed) => bed.import(titled("Three"))],
    ["a dry run", (bed) => [bed.import(titled("Three")), bed.publish({ dryRun: true })]],
    ["a refused publish", (bed) => [bed.import(FAULTY), tried(() => bed.publish())]],
    ["a refused rollback", (bed) => tried(() => bed.rollback("none"))],
  ])("R2: gets no entry from %s", (_what, work) => {
    const bed = new TestBed();
    const [, two = ""] = publishEach(bed, "One", "Two");
    const before = journal(bed);
    expect(before).toHaveLength(2);
    work(bed, two);
    expect(journal(bed)).toEqual(before);
    expect(current(bed)).toBe(two);
  });

  it("keeps its entries of pruned versions", () => {
    const bed = new TestBed();
    const [one, two] = publishEach(bed, "One", "Two");
    expect(bed.publish({ keep: 1 }).pruned).toEqual([one]);
    expect(journal(bed).map(({ from, to }) => [from, to])).toEqual([
      [one, two],
      [null, one],
    ]);
  });
});

describe("R5: documents shared by versions", () => {
  it("are stored once: a version adds only those that differ from every other", () => {
    const bed = new TestBed();
    const rows = () => query<number>(bed, "SELECT count(*) FROM documents")[0];
    const counts = ["One", "Two", "Three", "One"].map((title) => {
      publishEach(bed, title);
      return rows();
    });
    // Each has a config, a schema and a content, of which only the content shows the title.
    expect(counts).toEqual([3, 4, 5, 5]);
    expect(new Set(storedDocuments(bed.store.file)).size).toBe(5);
  });
});

function tried(work: () => unknown): void {
  expect(work).toThrow(expect.objectContaining({ name: "SvcError" }));
}
