import { describe, expect, it } from "vitest";
import { Rendering } from "../../src/documents/rendering.ts";
import { DraftSnapshots } from "../../src/publish/draft-snapshots.ts";
import { publishedRendering } from "../../src/publish/draft-source.ts";
import { renderVersion, snapshotOf } from "../../src/publish/version.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

describe("H30: the documents of a draft, state by state", () => {
  it("H30: are those that a publish would freeze, whatever changes", () => {
    const next = (id: string) => ({ next: { contentEntryId: id } });
    const states = [
      [page("home", "Home", next("a")), page("a", "A"), page("news", "News")],
      [page("home", "Home", next("a")), page("a", "A2"), page("news", "News")],
      // The same entries, one of which is content now.
      [page("home", "Home", next("news")), page("a", "A2"), page("news", "News")],
      [page("home", "Home"), page("a", "A2"), page("news", "News", next("home"))],
      [page("home", "Home")],
    ];
    const bed = new TestBed(smallWorkspace({ entries: [page("home", "Home")] }));
    const snapshots = new DraftSnapshots();
    let earlier: Rendering | undefined;
    for (const [at, entries] of states.entries()) {
      const projects = [projectOf("site", "home", ...(at === 2 ? ["a"] : []), "news")];
      bed.import(smallWorkspace({ projects, entries }));
      const [row] = bed.store.workspaces();
      if (row === undefined) throw new Error("no workspace");
      bed.store.read(() => {
        const draft = bed.store.draft(row);
        const rendering: Rendering = new Rendering(draft, { earlier });
        earlier = rendering;
        const expected = snapshotOf(renderVersion(publishedRendering(draft, {}), undefined));
        expect([...snapshots.of(rendering).made.documents].sort()).toEqual(
          [...expected.documents].sort(),
        );
        expect(snapshots.of(rendering)).toBe(snapshots.of(rendering));
      });
    }
  });
});
