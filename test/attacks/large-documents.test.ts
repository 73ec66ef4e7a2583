import { describe, expect, it } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { documentAt } from "../../src/documents/documents.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { DraftState } from "../../src/page/draft-state.ts";
import { experienceView } from "../../src/page/experience-view.ts";
import { DraftSnapshots } from "../../src/publish/draft-snapshots.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { refusal, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const TOKEN = "t0ken-0123456789abcdef";
const HOME = { kind: "content", projectId: "site", experienceId: "home" } as const;
const LARGE = "document-over-64mb";

/** An experience that reaches 70 entries of 1 MB, and one that reaches none. */
function largeSite() {
  const ids = Array.from({ length: 70 }, (_, at) => `leaf-${at}`);
  const leaves = ids.map((id) => page(id, "x".repeat(1_000_000)));
  const menu = page("menu", "Menu", { related: ids.map((id) => ({ contentEntryId: id })) });
  const home = page("home", "Home", { next: { contentEntryId: "menu" } });
  const parts = smallWorkspace({
    previewToken: TOKEN,
    projects: [projectOf("site", "home", "leaf-0")],
    entries: [home, menu, ...leaves],
  });
  const related = { key: "related", type: "reference", repeatable: true };
  const models = [{ ...PAGE_MODEL, fields: [...PAGE_MODEL.fields, related] }];
  return { ...parts, models };
}

describe("P6b: a content document over 64 MB", () => {
  it("P6b: is an error, whatever the severities, and no bytes of it are made", () => {
    const rendering = new Rendering(draftOf(largeSite()), { severities: { [LARGE]: "off" } });
    const made: string[] = [];
    const onDocument = ({ address }: { address: object }) => made.push(JSON.stringify(address));
    const [problem] = checkDraft(rendering, { onDocument });
    expect(problem).toMatchObject({
      level: "error",
      code: LARGE,
      at: { kind: "project", id: "site", path: "/experiences/0" },
      args: { experience: "home", through: { entry: "menu" } },
    });
    expect(made).toHaveLength(3);
    expect(made).not.toContain(JSON.stringify(HOME));
    const document = documentAt(rendering, HOME, "preview");
    expect(() => document?.bytes(null)).toThrow('experience "home" has more than 64 MB');
    // The walk ends where it is too much.
    expect(document?.size).toBeLessThan(66_000_000);
  });

  it("P6b: is refused by the preview, whose page shows the experience and what changes", async () => {
    const bed = new TestBed(largeSite());
    const client = await serve(bed);
    const answer = await client.request(
      `/api/v1/projects/site/experiences/home/content?preview_token=${TOKEN}`,
    );
    expect(refusal(answer)).toBe("422 document-too-large");
    const state = new DraftState(bed.store.workspace("w"), new DraftRenderings(bed.store));
    const view = bed.store.read(() => experienceView(state, "site", "home"));
    expect(view?.problems.map(({ code }) => code)).toContain(LARGE);
    expect(view?.nodes.length).toBeGreaterThan(60);
    const { documents } = bed.store.read(() => new DraftSnapshots().of(state.published).made);
    expect([...documents.keys()].filter((path) => path.includes("home"))).toEqual([]);
  });
});
