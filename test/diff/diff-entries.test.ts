import { describe, expect, it } from "vitest";
import type { Parts } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { contentPath, entry, to, WORLD } from "./content-workspace.ts";
import { diffOf } from "./differ.ts";

describe("entries of documents", () => {
  const change = (before: Parts, after: Parts) =>
    diffOf({ ...WORLD, ...before }, { ...WORLD, ...after }).forth;

  it("an entry of many documents is reported once, with all of them", () => {
    const projects = [projectOf("p", "home", "a"), projectOf("q", "b")];
    const linked = ["home", "a", "b"].map((id) => entry(id, { next: to("shared") }));
    const before = { projects, entries: [...linked, entry("shared", { title: "A" })] };
    const after = { projects, entries: [...linked, entry("shared", { title: "B" })] };
    const { entries, documents, summary } = change(before, after);
    const all = [contentPath("a"), contentPath("home"), contentPath("b", "q")];
    expect(entries).toMatchObject([{ id: "shared", documents: all }]);
    expect(documents).toEqual(
      all.map((where) => ({
        path: where,
        change: "changed",
        address: expect.objectContaining({ kind: "content" }),
        content: {
          entriesAdded: [],
          entriesRemoved: [],
          entriesChanged: ["shared"],
          entriesMoved: [],
          reordered: false,
        },
      })),
    );
    expect(summary).toEqual({
      documents: { added: 0, removed: 0, changed: 3, unchanged: 4 },
      entriesAdded: 0,
      entriesRemoved: 0,
      entriesChanged: 1,
      breaking: 0,
      safe: 0,
    });
  });

  it("an entry whose model changed is reported with both models", () => {
    const { entries } = change(
      { entries: [entry("home", { title: "A" })] },
      { entries: [entry("home", { title: "A" }, "m-note")] },
    );
    expect(entries).toMatchObject([
      { id: "home", contentModelKey: "note", contentModelKeyBefore: "page" },
    ]);
    const gone = change(
      { entries: [entry("home")] },
      { entries: [entry("home", {}, "m-gone")] },
    ).entries;
    expect(gone).toMatchObject([{ contentModelKey: null, contentModelKeyBefore: "page" }]);
  });

  it("entries that a document no longer shows, or newly shows, are reported by id", () => {
    const { documents, entries } = change(
      { entries: [entry("home", { next: to("a", "b") }), entry("a"), entry("b"), entry("c")] },
      { entries: [entry("home", { next: to("c", "b") }), entry("a"), entry("b"), entry("c")] },
    );
    expect(documents).toMatchObject([
      { content: { entriesAdded: ["c"], entriesRemoved: ["a"], entriesChanged: ["home"] } },
    ]);
    expect(entries.map(({ id, change }) => `${change} ${id}`)).toEqual([
      "added c",
      "changed home",
      "removed a",
    ]);
  });

  it.each([
    [["a"], ["b"]],
    [
      ["a", "b"],
      ["a", "c"],
    ],
  ])("a changed entry is reported with the documents before (%j) and after (%j)", (...shown) => {
    const [was, is] = shown.map((ids, side) => ({
      ...WORLD,
      projects: [projectOf("p", ...ids)],
      entries: [
        ...["a", "b", "c"].map((id) => entry(id, { next: to("e") })),
        entry("e", { title: side === 0 ? "A" : "B" }),
      ],
    }));
    const { forth, back } = diffOf(was, is ?? {});
    const documents = [...new Set(shown.flat())].sort().map((id) => contentPath(id));
    const [A, B] = [
      { path: "/title", before: "A", after: "B" },
      { before: "B", after: "A" },
    ];
    const changed = ({ entries }: typeof forth) =>
      entries.filter((one) => one.change === "changed");
    expect(changed(forth)).toMatchObject([{ id: "e", fields: [A], documents }]);
    expect(changed(back)).toMatchObject([{ id: "e", fields: [B], documents }]);
  });

  it("documents are reported as added, removed, changed or unchanged", () => {
    const entries = [entry("home"), entry("a"), entry("b")];
    const before = { entries, projects: [projectOf("p", "home", "a")] };
    const after = {
      entries: [entry("home"), entry("a", { title: "A" }), entry("b")],
      projects: [projectOf("p", "a", "b"), projectOf("q")],
    };
    const { documents, summary } = change(before, after);
    expect(documents.map((one) => [one.change, one.path])).toEqual([
      ["changed", contentPath("a")],
      ["added", contentPath("b")],
      ["removed", contentPath("home")],
      ["changed", "api/v1/projects/p/index.json"],
      ["changed", "api/v1/projects/p/schema.json"],
      ["added", "api/v1/projects/q/index.json"],
      ["added", "api/v1/projects/q/schema.json"],
    ]);
    expect(summary.documents).toEqual({ added: 3, removed: 1, changed: 3, unchanged: 0 });
  });
});
