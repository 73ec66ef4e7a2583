import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentful } from "../../src/folder/contentful.ts";
import { exportFile, readFiles } from "../support/contentful/contentful-export.ts";
import { linkFates } from "../support/contentful/contentful-links.ts";
import { valueFates } from "../support/contentful/contentful-values.ts";
import { everything } from "../support/contentful/everything.ts";
import { publishedImport } from "../support/published-import.ts";
import { TestBed } from "../support/test-bed.ts";

const BLOG = join(import.meta.dirname, "../../fixtures/contentful/blog.json");

describe("contentful: an export is published, and each of its links is accounted for", () => {
  it("a link is served, reported as a problem, in an entry that nothing leads to, or inside a json value", () => {
    const { bed, report } = publishedImport(contentful, [BLOG]);
    expect(linkFates(bed, JSON.parse(readFileSync(BLOG, "utf8")))).toEqual({
      // In each of two languages.
      served: 26,
      "in json": 2,
      "asset-missing": 4,
      "reference-deleted": 4,
      "reference-draft": 4,
      "reference-too-deep": 4,
    });
    expect(valueFates(bed, JSON.parse(readFileSync(BLOG, "utf8")), report)).toEqual({
      served: 60,
      problems: 0,
    });
    expect(report.unreachable).toEqual([]);
  });

  it("X8, X9: each value, link and asset of an export with everything is served or reported", () => {
    const bed = new TestBed();
    const raw = everything();
    const { source, report } = readFiles([exportFile(raw)]);
    bed.store.import(source, new Date());
    bed.publish();
    expect(valueFates(bed, raw, report)).toEqual({ served: 21, problems: 0 });
    expect(linkFates(bed, raw)).toEqual({
      served: 22,
      "in json": 2,
      "asset-missing": 2,
      "reference-deleted": 4,
      "reference-draft": 2,
    });
    expect(report.leftOut).toEqual({
      "values in de of fields that are not localized: page.text": 1,
      "tags of entries": 2,
      "concepts of entries": 1,
      "tags of assets": 2,
      'records of "tags"': 1,
      "values that the content type has no field for, or an omitted one: page.gone, page.old": 2,
      "values of entries whose content type is not in the export: unknown.a": 1,
      "targets of links into other spaces, which are served as they are": 1,
      "entries that are archived": 1,
      "assets that have no file": 1,
      "assets that are not published": 1,
    });
  });
});
