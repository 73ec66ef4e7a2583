import { describe, expect, it } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { documentTexts, draftIn } from "../support/documents/rendered.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { makeSite, type SiteOptions } from "../support/workspaces/make-site.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const renderingOf = (folder: string) =>
  new Rendering(draftIn(folder), { view: { at: 0, showsHidden: false } });

const documentsOf = (rendering: Rendering): Record<string, string> =>
  Object.fromEntries(documentTexts(rendering, "published"));

describe("sites with lists", () => {
  const site = (options: Partial<SiteOptions>) => {
    const folder = temporaryFolder();
    makeSite(folder, { experiences: 25, ...options });
    return documentsOf(renderingOf(folder));
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

/** As docs/lists.md says it, in two languages. */
const MAGAZINE = {
  "workspace.json": `{ "id": "magazine", "name": "Magazine" }
`,
  "models.json": `[
  { "id": "article", "key": "article", "name": "Article", "fields": [
    { "key": "slug", "type": "text", "required": true, "localized": true, "pattern": "^[a-z0-9-]+$" },
    { "key": "title", "type": "text", "required": true, "localized": true, "title": true },
    { "key": "publishedAt", "type": "date-time", "required": true },
    { "key": "section", "type": "reference", "models": ["section"] },
    { "key": "author", "type": "reference", "models": ["author"] },
    { "key": "more", "type": "reference", "repeatable": true, "models": ["article"],
      "query": { "where": { "section": { "same": "section" } }, "sort": "-publishedAt", "limit": 3 } } ] },
  { "id": "author", "key": "author", "name": "Author", "fields": [
    { "key": "name", "type": "text", "required": true, "title": true } ] },
  { "id": "section", "key": "section", "name": "Section", "fields": [
    { "key": "name", "type": "text", "required": true, "localized": true, "title": true } ] },
  { "id": "section-page", "key": "section-page", "name": "Page of a section", "fields": [
    { "key": "section", "type": "reference", "models": ["section"], "required": true },
    { "key": "articles", "type": "reference", "repeatable": true, "models": ["article"],
      "query": { "where": { "section": { "same": "section" } }, "sort": "-publishedAt", "limit": 50 } } ] } ]
`,
  "projects/en.json": `{ "id": "en", "name": "Magazine", "locale": "en", "steps": [], "experiences": [],
  "collections": [
    { "model": "article", "id": "article-{slug}", "layoutName": "article",
      "list": { "id": "articles-{page}", "size": 20, "sort": "-publishedAt" } },
    { "model": "section-page", "id": "section-{id}", "layoutName": "section-page" } ] }
`,
  "projects/de.json": `{ "id": "de", "name": "Magazin", "locale": "de", "fallbackLocales": ["en"],
  "steps": [], "experiences": [],
  "collections": [
    { "model": "article", "id": "artikel-{slug}", "layoutName": "article",
      "list": { "id": "seite-{page}", "size": 20, "sort": "-publishedAt" } },
    { "model": "section-page", "id": "rubrik-{id}", "layoutName": "section-page" } ] }
`,
};
const SECTIONS = ["city", "travel", "food", "music", "letters"];

function* magazineEntries() {
  for (const section of SECTIONS) {
    const name = { en: section, de: `${section} (de)` };
    yield { id: `of-${section}`, modelId: "section", data: { name } };
    const data = { section: { contentEntryId: `of-${section}` } };
    yield { id: section, modelId: "section-page", data };
  }
  for (let author = 0; author < 20; author += 1) {
    yield { id: `author-${author}`, modelId: "author", data: { name: `Author ${author}` } };
  }
  for (let number = 0; number < 500; number += 1) {
    const data = {
      slug: { en: `story-${number}`, de: `geschichte-${number}` },
      title: { en: `Story ${number}`, ...(number % 10 > 0 && { de: `Geschichte ${number}` }) },
      publishedAt: new Date(Date.UTC(2026, 0, 1) + number * 43_200_000).toISOString(),
      section: { contentEntryId: `of-${SECTIONS[number % 5]}` },
      author: { contentEntryId: `author-${number % 20}` },
    };
    yield { id: `a${number}`, modelId: "article", data };
  }
}

it("Q10, Q15: a magazine of 500 articles in two languages has fewer than 40 lines beside its entries", () => {
  const lines = Object.values(MAGAZINE).flatMap((text) => text.trimEnd().split("\n"));
  expect(lines.length).toBeLessThan(40);
  const entries = Array.from(magazineEntries(), (entry) => JSON.stringify(entry)).join("\n");
  const rendering = renderingOf(workspaceFolder({ ...MAGAZINE, "entries.ndjson": entries }));
  expect(checkDraft(rendering)).toEqual([]);
  const published = documentsOf(rendering);
  const sizes = Object.values(published).map((text) => text.length);
  // 500 articles, 25 pages and five sections in each language, beside the config and the schema.
  expect(sizes).toHaveLength(2 * (500 + 25 + 5 + 2));
  expect(Math.max(...sizes)).toBeLessThan(200_000);
  const idsOf = (path: string, list: "content" | "references") =>
    JSON.parse(published[`api/v1/projects/${path}.json`] ?? "")[list].map(
      ({ id }: { id: string }) => id,
    );
  const newest = Array.from({ length: 20 }, (_, index) => `a${499 - index}`);
  expect(idsOf("de/experiences/seite-1/content", "content")).toEqual(newest);
  expect(idsOf("en/experiences/articles-25/content", "content").at(-1)).toBe("a0");
  expect(idsOf("en/experiences/section-city/content", "references")).toContain("a495");
  expect(published["api/v1/projects/de/experiences/artikel-geschichte-7/content.json"]).toContain(
    '"more":[{"contentEntryId":"a497","contentModelKey":"article"},{"contentEntryId":"a492",',
  );
});
