import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Diff, diffSnapshots } from "../../src/diff/diff.ts";
import type { SchemaChangeCode } from "../../src/diff/schema-change.ts";
import { entriesIn, type Snapshot } from "../../src/diff/snapshot.ts";
import { readOut } from "../../src/publish/read-out.ts";
import { type JsonObject, jsonPointer } from "../../src/workspace/json.ts";
import { draftSnapshot, versionSnapshot } from "../support/publish/draft-source.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  NEIGHBOUR,
  type RandomWorkspace,
  randomWorkspace,
} from "../support/workspaces/random-workspace.ts";

/** The workspace with one more of all that a schema describes. */
function extended({ projects, ...parts }: RandomWorkspace): Parts {
  const fields = [{ key: "oneMore", type: "text", required: true }];
  const more = { id: "more", key: "more", name: "More", fields };
  const layout = { layoutName: "Plain", layoutContentId: "more" };
  return {
    ...parts,
    fields: [...parts.fields, ...fields],
    models: [
      ...parts.models.map((model) => ({ ...model, fields: [...model.fields, ...fields] })),
      more,
    ],
    blocks: [
      ...parts.blocks.map((block) => ({ ...block, fields: [...block.fields, ...fields] })),
      { ...more, category: "wide" },
    ],
    features: [...parts.features, { id: "more", key: "more", name: "More", type: "text" }],
    entries: [...parts.entries, { id: "more", modelId: "more", data: {} }],
    projects: [
      ...projects.map((project) => ({
        ...project,
        steps: [...project.steps, { id: "more", key: "more", name: "More", ...layout }],
        experiences: [...project.experiences, { id: "more", key: "more", name: "", stepIds: [] }],
      })),
      { id: "more", name: "More", steps: [], experiences: [] },
    ],
  };
}

const REVERSE: Partial<Record<SchemaChangeCode, SchemaChangeCode>> = {
  added: "removed",
  "field-added": "field-removed",
  "field-required": "field-optional",
  "value-added": "value-removed",
  "target-added": "target-removed",
  "block-accepted": "block-refused",
  "step-model-added": "step-model-removed",
};
const SWAPPED = new Map(
  Object.entries(REVERSE).flatMap(
    ([a, b]) =>
      [
        [a, b],
        [b, a],
      ] as const,
  ),
);

/** A diff without the parts that have a direction; `isBack`: of the reverse diff. */
function directionless({ schema, entries, documents, config }: Diff, isBack: boolean) {
  const swapped = { added: "removed", removed: "added", changed: "changed" } as const;
  const change = (one: keyof typeof swapped) => (isBack ? swapped[one] : one);
  return {
    schema: schema
      .map(({ code, at, projects }) => {
        const there = isBack ? (SWAPPED.get(code) ?? code) : code;
        return JSON.stringify([there, at.kind, at.key, at.field, projects]);
      })
      .sort(),
    entries: new Set(
      entries.map((one) => JSON.stringify([one.id, change(one.change), one.documents])),
    ),
    documents: documents.map(({ path, content, ...document }) => {
      const lists = [content?.entriesAdded, content?.entriesRemoved];
      const [added, removed] = isBack ? lists.reverse() : lists;
      return { path, change: change(document.change), added, removed };
    }),
    config: new Set(config.map(({ at, projectId }) => `${projectId} ${at.kind} ${at.id}`)),
  };
}

/** The same documents, parsed now: the draft may change. */
function whole({ documents, document }: Snapshot): Snapshot {
  const parsed = new Map(Array.from(documents.keys(), (path) => [path, document(path)]));
  return { documents, document: (path) => parsed.get(path) ?? document(path) };
}

/** All documents of the draft, parsed before it changes. */
function snapshotOf(bed: TestBed, parts: Parts): Snapshot {
  bed.import(parts);
  return bed.store.read(() => whole(draftSnapshot(bed.store, "w")));
}

type Shown = ReadonlyMap<string, JsonObject>;

/** The data of all entries that documents show, by id. */
function shownIn({ documents, document }: Snapshot): Shown {
  const contents = [...documents.keys()].filter((path) => path.endsWith("/content.json"));
  const entries = contents.flatMap((path) => entriesIn(document(path)));
  return new Map(entries.map(({ id, data }) => [String(id), data as JsonObject]));
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

describe("D3: laws of the difference of two workspaces", () => {
  it("a workspace does not differ from itself", () => {
    forAnyTwo((one) => {
      const { summary, ...lists } = diffSnapshots(one, one);
      expect(lists).toMatchObject({ schema: [], config: [], entries: [], documents: [] });
      const documents = { added: 0, removed: 0, changed: 0, unchanged: one.documents.size };
      const entries = { entriesAdded: 0, entriesRemoved: 0, entriesChanged: 0 };
      expect(summary).toEqual({ documents, ...entries, breaking: 0, safe: 0 });
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
      const count = (change: string, all: readonly { change: string }[] = documents) =>
        all.filter((one) => one.change === change).length;
      expect(summary).toEqual({
        documents: {
          added: count("added"),
          removed: count("removed"),
          changed: count("changed"),
          unchanged: all.length - differing.length,
        },
        entriesAdded: count("added", entries),
        entriesRemoved: count("removed", entries),
        entriesChanged: count("changed", entries),
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
      for (const { change, fields, contentModelKeyBefore } of entries) {
        if (change !== "changed") continue;
        expect(fields.length > 0 || contentModelKeyBefore !== undefined).toBe(true);
      }
    });
  });

  it("D1d: an entry came if any document shows it after and none before, with all its values", () => {
    forAnyTwo((before, after) => {
      const { entries } = diffSnapshots(before, after);
      const [had, has] = [before, after].map(shownIn) as [Shown, Shown];
      const come = [...has.keys()].filter((id) => !had.has(id));
      const added = entries.filter(({ change }) => change === "added");
      expect(added.map(({ id }) => id)).toEqual(come.sort());
      for (const { id, fields } of added) {
        const values = fields.map(({ path, after: value }) => [path, value]);
        const data = Object.entries(has.get(id) as JsonObject);
        const expected = data.map(([key, value]) => [jsonPointer([key]), value]);
        expect(new Map(values as [string, unknown][])).toEqual(new Map(expected as []));
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

describe("D4a: documents that were read from published files", () => {
  it("compare with a version of a store, and with each other, as versions of the store do", () => {
    const two = fc.tuple(randomWorkspace({ faulty: false }), randomWorkspace({ faulty: false }));
    fc.assert(
      fc.property(two, (parts) => {
        const bed = new TestBed();
        const sides = parts.map((one) => {
          bed.import(one);
          const { versionId } = bed.publish();
          const { snapshot: read, ...side } = readOut(bed.out, "w");
          expect(side).toMatchObject({ workspaceId: "w", versionId });
          return { versionId, read };
        });
        const [before, after] = sides as [(typeof sides)[0], (typeof sides)[0]];
        bed.store.read(() => {
          const stored = ({ versionId }: typeof before) =>
            versionSnapshot(bed.store, "w", versionId);
          const expected = diffSnapshots(stored(before), stored(after));
          expect(diffSnapshots(before.read, stored(after))).toEqual(expected);
          expect(diffSnapshots(stored(before), after.read)).toEqual(expected);
          expect(diffSnapshots(before.read, after.read)).toEqual(expected);
        });
      }),
      { numRuns: randomRuns(15) },
    );
  });
});
