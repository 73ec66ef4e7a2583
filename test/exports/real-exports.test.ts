import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentful } from "../../src/import/contentful.ts";
import { filesBelow } from "../../src/import/formats/export-file.ts";
import { sanity } from "../../src/import/sanity.ts";
import { storyblok } from "../../src/import/storyblok.ts";
import { isArchive, unpackArchive } from "../../src/import/unpack-archive.ts";
import { linkFates } from "../support/contentful/contentful-links.ts";
import { valueFates } from "../support/contentful/contentful-values.ts";
import { publishedImport } from "../support/published-import.ts";
import { valueFates as documentFates, rawDocuments } from "../support/sanity/dataset-walk.ts";
import { valueFates as storyFates } from "../support/storyblok/story-walk.ts";
import { temporaryFolder } from "../support/test-bed.ts";

/** Real exports, which are not in the repository, below the folder that a variable names. */
function exportsOf(variable: string, isExport: (path: string) => boolean): string[] {
  const folder = process.env[variable] ?? "";
  const files = folder === "" ? [] : filesBelow(folder).filter(isExport);
  it(`${variable} names a folder of exports`, () => expect(files).not.toEqual([]));
  return files;
}

const shown = (path: string, summary: object) => console.log(path, JSON.stringify(summary));

describe("contentful: real exports publish, and every link is accounted for", () => {
  const files = exportsOf("SVC_CONTENTFUL_EXPORTS", (path) =>
    /^export.*\.json$/.test(basename(path)),
  );
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
  const files = exportsOf(
    "SVC_SANITY_EXPORTS",
    (path) => /\.ndjson$/.test(path) || isArchive(path),
  );
  it.each(files)("%s", async (path) => {
    const folder = temporaryFolder();
    if (isArchive(path)) await unpackArchive(path, folder);
    const given = isArchive(path) ? folder : path;
    const file = filesBelow(folder).find((name) => /\.ndjson$/.test(name)) ?? path;
    const schema = join(dirname(path), "schema.json");
    for (const how of existsSync(schema) ? [{}, { schema }] : [{}]) {
      const { bed, counts, report, assets } = publishedImport(sanity, [given], how);
      const fates = documentFates(bed, rawDocuments(file), assets);
      shown(path, { ...counts, fates, ...report });
    }
  });
});

/** `stories.json`, with `components.json` beside it. */
describe("storyblok: real exports publish, and every value is accounted for", () => {
  const files = exportsOf("SVC_STORYBLOK_EXPORTS", (path) => basename(path) === "stories.json");
  it.each(files)("%s", (path) => {
    const all = [path, join(dirname(path), "components.json")].filter((file) => existsSync(file));
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
