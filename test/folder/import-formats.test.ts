import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentful } from "../../src/folder/contentful.ts";
import type { Format } from "../../src/folder/format.ts";
import { markdown } from "../../src/folder/markdown.ts";
import { sanity } from "../../src/folder/sanity.ts";
import { storyblok } from "../../src/folder/storyblok.ts";
import {
  entry,
  exportFile,
  exportOf,
  type Loose,
  type,
} from "../support/contentful/contentful-export.ts";
import { folderOf } from "../support/markdown-folder.ts";
import { publishedImport } from "../support/published-import.ts";
import { readExport } from "../support/read-export.ts";
import { story } from "../support/storyblok/stories.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");

/** A format with its fixture, and an export of the records `a` with these titles. */
const FORMATS: [Format, string, (titles: readonly string[], isDraft: boolean) => string][] = [
  [
    contentful,
    "contentful/blog.json",
    (titles, isDraft) => {
      const state = isDraft ? { publishedVersion: undefined } : {};
      const entries = titles.map((title) => entry("a", "page", { title }, state));
      return exportFile(exportOf({ contentTypes: [type("page", { title: "Symbol" })], entries }));
    },
  ],
  [
    sanity,
    "sanity/blog.ndjson",
    (titles, isDraft) => {
      const _id = isDraft ? "drafts.a" : "a";
      const lines = titles.map((title) => JSON.stringify({ _id, _type: "page", title }));
      return exportFile(lines.join("\n"), "data.ndjson");
    },
  ],
  [
    storyblok,
    "storyblok",
    (titles, isDraft) => {
      const state: Loose = isDraft ? { published: false } : {};
      return exportFile({ stories: titles.map((title) => story("a", { title }, state)) });
    },
  ],
  [
    markdown,
    "markdown",
    ([title], isDraft) => folderOf({ "a.md": `---\ntitle: ${title}\ndraft: ${isDraft}\n---\n` }),
  ],
];

describe.each(FORMATS)("$name", (format, fixture, exportWith) => {
  it("R1: the same export gives the same version on every import", () => {
    const versions = [1, 2].map(() => publishedImport(format, [join(FIXTURES, fixture)]).versionId);
    expect(versions[0]).toBe(versions[1]);
  });

  it("X4: of an export of drafts only all entries are drafts, and a warning says so", () => {
    const path = exportWith(["One"], true);
    const { entries, report } = readExport(format, [path]);
    expect(entries.map(({ id, draft }) => [id, draft])).toEqual([["a", true]]);
    expect(report.warnings).toContain(
      "all entries are drafts (1): nothing of them is published; --drafts imports them as published",
    );
    const drafts = readExport(format, [path], { drafts: true });
    expect(drafts.entries.map(({ draft }) => draft)).toEqual([undefined]);
    expect(drafts.report.warnings).toEqual([]);
  });
});

const OF_RECORDS = FORMATS.filter(([{ name }]) => name !== "markdown");
describe.each(OF_RECORDS)("$name: records of one export", (format, _, exportWith) => {
  it("X5: of records with one id the last one counts, with a warning", () => {
    const { entries, report } = readExport(format, [exportWith(["One", "Two"], false)]);
    expect(entries.map(({ data }) => data.title)).toEqual(["Two"]);
    expect(report.warnings).toEqual([
      expect.stringMatching(/^1 record is in the export more than once, .* used: \w+ "a"$/),
    ]);
  });
});
