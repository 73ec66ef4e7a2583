import { expect, it } from "vitest";
import { published } from "../support/publish/publishing.ts";
import { rewriteRendering } from "../support/publish/rewrite-rendering.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const draft = (title: string) =>
  smallWorkspace({
    projects: [projectOf("site", "home", "about")],
    entries: [page("home", title), page("about", "About")],
  });

/** Data of an unchanged record that violates its schema, as an earlier publish recorded it. */
const RECORDED = {
  unproven: () => '[[1,"entry \\"about\\": /title must be string"]]',
  outlines: (text: string) =>
    text.replace('"id":"site"', '"id":"site","schemaFault":"project \\"site\\": no fields"'),
};

it.each(Object.entries(RECORDED))(
  "S4: data that passes the checks but not its schema is not published (%s)",
  (part, record) => {
    const bed = new TestBed(draft("Home"));
    const { versionId } = published(bed);
    const before = bed.file("manifest.json");
    rewriteRendering(bed, part, record);
    bed.import(draft("Edited"));
    expect(() => published(bed)).toThrow(
      /^rendered data does not match its published schema: (entry "about": |project "site": )/,
    );
    expect(bed.store.history.current(bed.store.workspace("w").number)).toBe(versionId);
    expect(bed.file("manifest.json")).toEqual(before);
  },
);
