import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteHolder } from "../../src/documents/held-bytes.ts";
import { hiddenEntries } from "../../src/documents/hidden-entries.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { afterChange, changeBetween, entriesChange } from "../../src/folder/folder-change.ts";
import { folderDraft, readRecords } from "../../src/folder/folder-draft.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { changedMap, maybeChanged } from "../../src/workspace/changed-map.ts";
import { randomRuns } from "../support/random-runs.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const changes = fc.array(
  fc.record({
    put: fc.uniqueArray(fc.tuple(fc.nat(9), fc.nat(99)), {
      selector: ([key]) => key,
      maxLength: 4,
    }),
    removed: fc.uniqueArray(fc.nat(9), { maxLength: 4 }),
    copies: fc.boolean(),
  }),
  { maxLength: 8 },
);

describe("a map that is changed without a copy", () => {
  it("is as a copy with the changes, and knows all keys that may differ", () => {
    const many = new Map(Array.from({ length: 1100 }, (_, at) => [100 + at, at]));
    fc.assert(
      fc.property(changes, (all) => {
        let map: ReadonlyMap<number, number> = new Map([
          [0, 0],
          [1, 1],
        ]);
        const copy = new Map(map);
        for (const { put, removed, copies } of all) {
          const before = map;
          const added = new Map([...put, ...(copies ? many : [])]);
          map = changedMap(map, { put: added, removed: removed.filter((key) => !added.has(key)) });
          for (const key of removed) copy.delete(key);
          for (const [key, value] of added) copy.set(key, value);
          expect(new Map(map)).toEqual(copy);
          expect([map.size, new Map(map.entries()).size]).toEqual([copy.size, copy.size]);
          expect([...map.keys()]).toEqual(Array.from(map, ([key]) => key));
          expect([...map.values()]).toEqual(Array.from(map, ([, value]) => value));
          const keys = maybeChanged(before, map);
          for (let key = 0; key < 10; key += 1) {
            expect([map.get(key), map.has(key)]).toEqual([copy.get(key), copy.has(key)]);
            if (before.get(key) !== map.get(key) && keys) expect(keys).toContain(key);
          }
        }
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it("R10, A1: a rendering that takes over an earlier one has the same hidden entries as a new one", () => {
    const holder = new ByteHolder();
    const heads = (draft: boolean | undefined, title: string) =>
      ({ ...page("a", title), ...(draft !== undefined && { draft }) }) as object;
    const folder = workspaceFolder({
      "models.json": [PAGE_MODEL],
      "projects.json": [projectOf("site", "a", "b")],
      "entries.json": [page("a", "A"), page("b", "B", { next: { contentEntryId: "a" } })],
    });
    let records = readRecords(readFolder(folder), undefined, holder);
    let rendering = new Rendering(folderDraft(records));
    for (const record of [
      heads(undefined, "B"),
      heads(true, "B"),
      heads(true, "C"),
      heads(false, "C"),
    ]) {
      const after = readRecords(
        [...readFolder(folder)].map((item) =>
          item.kind === "entries" && item.record.id === "a"
            ? ({ kind: "entries", record } as typeof item)
            : item,
        ),
        records,
        holder,
      );
      const { entries } = changeBetween(records, after);
      records = afterChange(records, entriesChange(entries));
      const draft = folderDraft(records);
      rendering = new Rendering(draft, { earlier: rendering });
      expect(rendering.hidden).toEqual(hiddenEntries(draft, Number.NEGATIVE_INFINITY));
      const [own, fresh] = [rendering, new Rendering(draft)].map((one) =>
        Array.from(one.all(), ({ entry }) => [entry.head.id, entry.problems, entry.size]),
      );
      expect(own).toEqual(fresh);
    }
  });
});
