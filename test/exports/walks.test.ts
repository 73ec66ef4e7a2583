import { describe, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { chromiumForTests } from "../browser/browser.ts";
import { shared } from "../support/at-end.ts";
import { CliBed } from "../support/cli-bed.ts";
import { articleOf } from "../support/page/walked-records.ts";
import { onPhone, WALKS, Work, walked } from "../support/page/walks.ts";
import { recordsOf } from "../support/read-export.ts";
import { exportsOf, importOf, SYSTEMS, type System } from "../support/real-exports.ts";
import { openPage, PreviewBed } from "../support/server/preview-bed.ts";

const browser = chromiumForTests();

/** Of all exports of a system the one with most of an article, languages and entries, as a workspace folder. */
function bestImport(system: System): string {
  const imports = exportsOf(system).map((path) => {
    const bed = new CliBed();
    bed.ok(...importOf(system, path), "--write", "content");
    const folder = bed.path("content");
    const records = recordsOf(readFolder(folder));
    const worth =
      articleOf(records).worth + new Set(records.projects.map(({ locale }) => locale)).size;
    return { folder, worth, count: records.entries.length };
  });
  const [best] = imports.sort((a, b) => b.worth - a.worth || b.count - a.count);
  if (best === undefined) throw new Error(`${system.variable} names no folder of exports`);
  return best.folder;
}

describe.each(SYSTEMS)("an author at work on a real export: $name", (system) => {
  const work = shared(async () => {
    const bed = await PreviewBed.of(bestImport(system), "--edit");
    return new Work(bed, await openPage(browser(), bed));
  });
  // Of a system whose exports have one language, none is translated.
  it.each(WALKS)("$title", async (walk) => {
    if (!(await walked(work(), walk))) console.log(`${walk.title}: there is nothing to do it with`);
  });
  it("H63: no form is wider than a phone", () => onPhone(work()));
});
