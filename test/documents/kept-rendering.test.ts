import { describe, expect, it } from "vitest";
import { expectCachedRendering } from "../support/publish/expect-cached-rendering.ts";
import { published } from "../support/publish/publishing.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const logo = heldAsset("logo", "logo.png", "a logo");
const NOTE = { id: "m-note", key: "note", name: "Note", fields: PAGE_MODEL.fields };
const to = (contentEntryId: string) => ({ next: { contentEntryId } });
const shows = (assetId: string) => ({ picture: { assetId } });

const home = page("home", "Home", to("about"));
const about = page("about", "About", shows("logo"));
const alone = page("alone", "");
const other = { ...logo.asset, id: "other" };

/** A workspace without any problem. */
const DRAFT = {
  models: [PAGE_MODEL, NOTE],
  projects: [projectOf("site", "home", "about")],
  entries: [home, about, alone],
  assets: [logo.asset, other],
  files: new Map([logo.file]),
} satisfies Parts;

/** Each changes one thing only. */
const CHANGES: Readonly<Record<string, Parts>> = {
  "a text": { entries: [{ ...home, data: { ...home.data, title: "Edited" } }, about, alone] },
  "a pointer": { entries: [page("home", "Home", to("alone")), about, alone] },
  "a pointer more": {
    entries: [home, { ...about, data: { ...about.data, ...to("home") } }, alone],
  },
  "which asset is shown": { entries: [home, page("about", "About", shows("other")), alone] },
  "that no asset is shown": { entries: [home, page("about", "About"), alone] },
  "an asset": { assets: [{ ...logo.asset, width: 7, height: 7 }, other] },
  "an entry's model": { entries: [home, about, { ...alone, modelId: "m-note" }] },
  "that an entry is there": { entries: [...DRAFT.entries, page("new", "New")] },
  "that an entry is gone": { entries: [home, about] },
  "that a project is there": { projects: [...DRAFT.projects, projectOf("new", "home")] },
  "that a project is gone": { projects: [] },
  "what a project shows": { projects: [projectOf("site", "home")] },
  "that there is a problem": { entries: [home, about, page("alone", "", to("gone"))] },
  "the workspace's name": { name: "Another" },
};

describe("R10: what is kept of a rendering says the same as one made anew", () => {
  it.each(Object.keys(CHANGES))("after a change of %s, and back", (what) => {
    const bed = new TestBed(smallWorkspace(DRAFT));
    const drafts = [DRAFT, { ...DRAFT, ...CHANGES[what] }, DRAFT];
    for (const [at, draft] of drafts.entries()) {
      bed.import(smallWorkspace(draft));
      expect(published(bed).problems).toHaveLength(what.endsWith("problem") && at === 1 ? 1 : 0);
      expectCachedRendering(bed.store, bed.store.workspace("w"));
    }
  });
});
