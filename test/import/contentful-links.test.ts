import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentful } from "../../src/import/contentful.ts";
import { linkFates } from "../support/contentful/contentful-links.ts";
import { valueFates } from "../support/contentful/contentful-values.ts";
import { publishedImport } from "../support/published-import.ts";

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
});
