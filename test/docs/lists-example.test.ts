import { expect, it } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { VERSION_ID_GROWTH } from "../../src/documents/document.ts";
import { documents } from "../../src/documents/documents.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import type { Collection, Entry, Model, Project } from "../../src/workspace/records.ts";
import { draftOf } from "../support/documents/rendered.ts";
import type { Parts } from "../support/test-bed.ts";
import { codeBlocks, documentText } from "./documents.ts";

const TEXT = documentText("docs/lists.md");
const blocks = codeBlocks(TEXT).filter(({ language }) => language === "json");
const [, models, projects, entries] = blocks.map(({ code }) => JSON.parse(code)) as [
  unknown,
  readonly Model[],
  readonly [Project],
  readonly Entry[],
];

const rendered = (parts: Parts) =>
  new Rendering(draftOf(parts), { view: { at: 0, showsHidden: false } });

it("Q10, Q17: the magazine of docs/lists.md has the pages that it says", () => {
  const rendering = rendered({ models, projects, entries });
  expect(checkDraft(rendering)).toEqual([]);
  expect(rendering.projects[0]?.experiences.map(({ id }) => id)).toEqual([
    ...["home", "article-harbour", "articles-1", "tag-night-1", "by-ada-1"],
  ]);
});

/** The magazine with 200 articles; `isWhole`: their bodies are in them. */
function magazine(isWhole: boolean): Parts {
  const article = entries.find(({ id }) => id === "harbour") as Entry;
  const others = entries.filter(({ modelId }) => modelId !== "article" && modelId !== "story");
  const node = { nodeType: "text", value: "x".repeat(10_000), marks: [], data: {} };
  const paragraph = { nodeType: "paragraph", data: {}, content: [node] };
  const body = { nodeType: "document", data: {}, content: [paragraph] };
  const to = (contentEntryId: string) => ({ contentEntryId });
  const all = Array.from({ length: 200 }, (_, at): Entry[] => {
    const id = `a${at}`;
    const publishedAt = new Date(Date.UTC(2026, 0, 1 + at)).toISOString();
    const own = { ...article.data, publishedAt, section: to(`section-${at % 4}`) };
    if (isWhole) return [{ ...article, id, data: { ...own, body } }];
    const story = { id: `${id}-story`, modelId: "story", data: { article: to(id), body } };
    return [{ ...article, id, data: own }, story];
  });
  const sections = [0, 1, 2, 3].map((at) => {
    return { id: `section-${at}`, modelId: "section", data: { name: `Section ${at}` } };
  });
  const [site] = projects;
  const [, ofArticles, ...byValue] = site.collections as [Collection, Collection];
  const whole = [{ ...ofArticles, id: "article-{id}", steps: ["{step}"] }, ...byValue];
  const withBody = models.map((one) => {
    return one.key === "article"
      ? { ...one, fields: [...one.fields, { key: "body", type: "rich-text" }] }
      : one;
  });
  return {
    models: isWhole ? withBody : models,
    projects: [{ ...site, ...(isWhole && { collections: whole }) }],
    entries: [...others, ...sections, ...all.flat()],
  };
}

it("P6, Q15: bodies of their own save what the table of docs/lists.md says", () => {
  const rows = [true, false].map((isWhole) => {
    const all = [...documents(rendered(magazine(isWhole)), "published")].map((one) => {
      const { address, size } = one;
      const id = address.kind === "content" ? address.experienceId : "";
      return { id, bytes: size + VERSION_ID_GROWTH };
    });
    const range = (name: RegExp) => {
      const sizes = all.filter(({ id }) => name.test(id)).map(({ bytes }) => bytes);
      const [least, most] = [Math.min(...sizes), Math.max(...sizes)].map((bytes) =>
        Math.round(bytes / 1000),
      );
      return least === most ? `${most} kB` : `${least} to ${most} kB`;
    };
    const sum = all.reduce((total, { bytes }) => total + bytes, 0);
    const ranges = [/^article-/, /^home$/, /^articles-/, /^tag-/].map(range);
    return [...ranges, `${(sum / 1e6).toFixed(1)} MB`];
  });
  const table = [...TEXT.matchAll(/^\|[^|]*\| ([\d.]+ [^|]*) \| ([\d.]+ [^|]*) \|$/gm)];
  expect([1, 2].map((column) => table.map((row) => row[column]))).toEqual(rows);
});
