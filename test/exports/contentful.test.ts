import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { readFiles } from "../support/contentful/contentful-export.ts";
import { linkFates } from "../support/contentful/contentful-links.ts";
import { valueFates } from "../support/contentful/contentful-values.ts";
import { relaxedSource } from "../support/relaxed-source.ts";
import { TestBed } from "../support/test-bed.ts";

/** Real exports, which are not in the repository. */
const FOLDER = process.env.SVC_CONTENTFUL_EXPORTS ?? "";

const FILES = FOLDER === "" ? [] : exportsBelow(FOLDER);

function exportsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name);
    if (one.isDirectory()) return exportsBelow(path);
    return /^export.*\.json$/.test(one.name) ? [path] : [];
  });
}

/** The export, imported, relaxed and published. */
function published(path: string) {
  const bed = new TestBed();
  const { source, report } = readFiles([path]);
  const { source: loose, relaxed } = relaxedSource(source);
  const { counts } = bed.store.import(loose, new Date());
  const { versionId } = bed.publish();
  return { bed, counts, report, relaxed, versionId };
}

describe("contentful: real exports publish, and every link is accounted for", () => {
  it("SVC_CONTENTFUL_EXPORTS names a folder of exports", () => expect(FILES).not.toEqual([]));

  it.each(FILES)("%s", { timeout: 60_000 }, (path) => {
    const first = published(path);
    expect(first.bed.verify().differs).toEqual([]);
    expect(published(path).versionId, "the same export gives the same version").toBe(
      first.versionId,
    );
    const { counts, report, relaxed, bed } = first;
    const raw = JSON.parse(readFileSync(path, "utf8"));
    const links = linkFates(bed, raw);
    const values = valueFates(bed, raw, report);
    const { projects } = bed.store.read(() => bed.store.draft(bed.store.workspace(undefined)));
    const experiences = projects.map((project) => project.experiences.length);
    const summary = {
      ...counts,
      experiences,
      unreachable: report.unreachable,
      ...{ links, values, roots: report.roots, added: report.experiences.added.length },
      relaxed,
    };
    console.log(relative(FOLDER, path), JSON.stringify(summary));
  });
});
