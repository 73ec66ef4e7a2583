import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffSnapshots } from "../../src/diff/diff.ts";
import type { Snapshot } from "../../src/diff/snapshot.ts";
import { draftSnapshot } from "../support/publish/draft-source.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { NEIGHBOUR, randomWorkspace } from "../support/workspaces/random-workspace.ts";
import { directionless, whole } from "./diff-two-ways.ts";
import { extended } from "./extended-workspace.ts";

/** All documents of the draft, parsed before it changes. */
function snapshotOf(bed: TestBed, parts: Parts): Snapshot {
  bed.import(parts);
  return bed.store.read(() => whole(draftSnapshot(bed.store, "w")));
}

/** Two similar workspaces, faulty ones too. */
function forAnyTwo(law: (before: Snapshot, after: Snapshot) => void): void {
  const bed = new TestBed(NEIGHBOUR);
  const two = fc.tuple(randomWorkspace({ faulty: true }), randomWorkspace({ faulty: true }));
  fc.assert(
    fc.property(two, ([before, after]) => {
      law(snapshotOf(bed, before), snapshotOf(bed, after));
    }),
    { numRuns: randomRuns(20) },
  );
}

describe("D3: laws of the difference of two workspaces", { timeout: 60_000 }, () => {
  it("a workspace does not differ from itself", () => {
    forAnyTwo((one) => {
      const { summary, ...lists } = diffSnapshots(one, one);
      expect(lists).toMatchObject({ schema: [], config: [], entries: [], documents: [] });
      const documents = { added: 0, removed: 0, changed: 0, unchanged: one.documents.size };
      expect(summary).toEqual({ documents, entriesChanged: 0, breaking: 0, safe: 0 });
    });
  });

  it("the documents reported are those whose bytes differ, and the summary counts what is listed", () => {
    forAnyTwo((before, after) => {
      const { summary, schema, entries, documents } = diffSnapshots(before, after);
      const all = [...new Set([...before.documents.keys(), ...after.documents.keys()])];
      const differing = all.filter(
        (path) => before.documents.get(path) !== after.documents.get(path),
      );
      expect(documents.map(({ path }) => path)).toEqual(differing.sort());
      const count = (change: string) => documents.filter((one) => one.change === change).length;
      expect(summary).toEqual({
        documents: {
          added: count("added"),
          removed: count("removed"),
          changed: count("changed"),
          unchanged: all.length - differing.length,
        },
        entriesChanged: entries.length,
        breaking: schema.filter(({ verdict }) => verdict === "breaking").length,
        safe: schema.filter(({ verdict }) => verdict === "safe").length,
      });
    });
  });

  it("every changed document is reported with its changes, each of them once", () => {
    forAnyTwo((before, after) => {
      const { schema, entries, documents, config } = diffSnapshots(before, after);
      for (const { path, change, address, content } of documents) {
        if (change !== "changed") continue;
        const { projectId, kind } = address;
        if (kind === "schema") expect(schema.flatMap((one) => one.projects)).toContain(projectId);
        if (kind === "project") expect(config.map((one) => one.projectId)).toContain(projectId);
        if (kind !== "content" || content === undefined) continue;
        const { reordered, ...lists } = content;
        expect(reordered || Object.values(lists).flat().length > 0, path).toBe(true);
        for (const id of content.entriesChanged) {
          expect(entries.find((one) => one.id === id)?.documents).toContain(path);
        }
      }
      const unique = (all: readonly unknown[]) =>
        new Set(all.map((one) => JSON.stringify(one))).size;
      expect(unique(entries.map(({ id }) => id))).toBe(entries.length);
      expect(unique(schema)).toBe(schema.length);
      for (const { fields, contentModelKeyBefore } of entries) {
        expect(fields.length > 0 || contentModelKeyBefore !== undefined).toBe(true);
      }
    });
  });

  it("the reverse diff is the same with added and removed swapped", () => {
    forAnyTwo((before, after) => {
      const [forth, back] = [diffSnapshots(before, after), diffSnapshots(after, before)];
      expect(directionless(back, true)).toEqual(directionless(forth, false));
    });
  });

  it("additions break nothing", () => {
    const bed = new TestBed(NEIGHBOUR);
    fc.assert(
      fc.property(randomWorkspace({ faulty: true }), (parts) => {
        const { schema } = diffSnapshots(snapshotOf(bed, parts), snapshotOf(bed, extended(parts)));
        expect(schema.length).toBeGreaterThan(0);
        expect(schema.filter(({ verdict }) => verdict !== "safe")).toEqual([]);
      }),
      { numRuns: randomRuns(20) },
    );
  });
});
