import { join } from "node:path";
import { expect, it } from "vitest";
import { contentful } from "../../src/import/contentful.ts";
import { markdown } from "../../src/import/markdown.ts";
import { sanity } from "../../src/import/sanity.ts";
import { storyblok } from "../../src/import/storyblok.ts";
import { publishedImport } from "../support/published-import.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");

it.each([
  [contentful, "contentful/blog.json"],
  [sanity, "sanity/blog.ndjson"],
  [storyblok, "storyblok"],
  [markdown, "markdown"],
])("R1: the same export of $name gives the same version on every import", (format, fixture) => {
  const versions = [1, 2].map(() => publishedImport(format, [join(FIXTURES, fixture)]).versionId);
  expect(versions[0]).toBe(versions[1]);
});
