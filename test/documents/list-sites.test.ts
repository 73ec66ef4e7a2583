import { describe, expect, it } from "vitest";
import { Rendering } from "../../src/documents/rendering.ts";
import { documentTexts, draftIn, withoutPatterns } from "../support/documents/rendered.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { makeSite, type SiteOptions } from "../support/workspaces/make-site.ts";

describe("sites with lists", () => {
  const site = (options: Partial<SiteOptions>): Record<string, string> => {
    const folder = temporaryFolder();
    makeSite(folder, { experiences: 25, ...options });
    const rendering = new Rendering(draftIn(folder), { view: { at: 0, showsHidden: false } });
    return Object.fromEntries([...documentTexts(rendering, "published")].map(withoutPatterns));
  };

  it("Q10, Q16: a collection gives byte for byte what is written by hand", () => {
    const byHand = site({ pages: true });
    expect(Object.keys(byHand)).toHaveLength(27);
    expect(site({ collections: true })).toEqual(byHand);
  });

  it("Q1, Q6: queries give byte for byte the content that is stored by hand", () => {
    const [found, stored] = [site({ queries: true }), site({ related: true })];
    const isContent = (path: string) => path.includes("/experiences/");
    expect(Object.keys(stored).filter(isContent)).toHaveLength(25);
    for (const path of Object.keys(stored).filter(isContent)) {
      expect(found[path]).toBe(stored[path]);
      expect(found[path]).toContain('"related":[{"contentEntryId":"page-');
    }
  });
});
