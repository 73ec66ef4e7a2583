import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contentful } from "../../src/import/contentful.ts";
import { filesBelow } from "../../src/import/formats/export-file.ts";
import { sanity } from "../../src/import/sanity.ts";
import { storyblok } from "../../src/import/storyblok.ts";
import { isArchive, unpackArchive } from "../../src/import/unpack-archive.ts";
import { linkFates } from "../support/contentful/contentful-links.ts";
import { valueFates } from "../support/contentful/contentful-values.ts";
import { publishedImport } from "../support/published-import.ts";
import {
  besideOf,
  CONTENTFUL,
  exportsOf as realExports,
  SANITY,
  STORYBLOK,
  type System,
} from "../support/real-exports.ts";
import { valueFates as documentFates, rawDocuments } from "../support/sanity/dataset-walk.ts";
import { valueFates as storyFates } from "../support/storyblok/story-walk.ts";
import { temporaryFolder } from "../support/test-bed.ts";

/** Real exports, which are not in the repository. */
function exportsOf(system: System): string[] {
  const files = realExports(system);
  it(`${system.variable} names a folder of exports`, () => expect(files).not.toEqual([]));
  return files;
}

const shown = (path: string, summary: object) => console.log(path, JSON.stringify(summary));

describe("contentful: real exports publish, and every link is accounted for", () => {
  const files = exportsOf(CONTENTFUL);
  it.each(files)("%s", (path) => {
    const { bed, counts, report, relaxed, versionId } = publishedImport(contentful, [path]);
    const again = publishedImport(contentful, [path]);
    expect(again.versionId, "the same export gives the same version").toBe(versionId);
    const raw = JSON.parse(readFileSync(path, "utf8"));
    const [links, values] = [linkFates(bed, raw), valueFates(bed, raw, report)];
    const { projects } = bed.store.read(() => bed.store.draft(bed.store.workspace(undefined)));
    const experiences = projects.map((project) => project.experiences.length);
    const { unreachable, roots, experiences: kept } = report;
    shown(path, {
      ...counts,
      experiences,
      unreachable,
      links,
      values,
      roots,
      added: kept.added.length,
      relaxed,
    });
  });
});

/** `*.ndjson` and `*.tar.gz`, `schema.json` beside them. */
describe("sanity: real datasets publish, and every value is accounted for", () => {
  const files = exportsOf(SANITY);
  it.each(files)("%s", async (path) => {
    const folder = temporaryFolder();
    if (isArchive(path)) await unpackArchive(path, folder);
    const given = isArchive(path) ? folder : path;
    const file = filesBelow(folder).find((name) => /\.ndjson$/.test(name)) ?? path;
    for (const how of [{}, ...besideOf(SANITY, path).map((schema) => ({ schema }))]) {
      const { bed, counts, report, assets } = publishedImport(sanity, [given], how);
      const fates = documentFates(bed, rawDocuments(file), assets);
      shown(path, { ...counts, fates, ...report });
    }
  });
});

/** `stories.json`, with `components.json` beside it. */
describe("storyblok: real exports publish, and every value is accounted for", () => {
  const files = exportsOf(STORYBLOK);
  it.each(files)("%s", (path) => {
    const all = [path, ...besideOf(STORYBLOK, path)];
    for (const [paths, how] of [
      [[path], {}],
      [all, {}],
      [all, { drafts: true }],
    ] as const) {
      const { bed, counts, report, assets } = publishedImport(storyblok, paths, how);
      expect(bed.check().filter(({ level }) => level === "error")).toEqual([]);
      const fates = storyFates(bed, JSON.parse(readFileSync(path, "utf8")).stories, assets);
      const { "left out: folder": folders, "left out: without content": empty } = fates;
      expect(report.leftOut).toMatchObject({
        ...(folders && { folders }),
        ...(empty && { "stories without content": empty }),
      });
      shown(path, { ...counts, fates, ...report });
    }
  });
});
