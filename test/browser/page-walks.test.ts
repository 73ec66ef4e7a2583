import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { shared } from "../support/at-end.ts";
import { STOREFRONT } from "../support/cli-bed.ts";
import { WALKS, Work, walked } from "../support/page/walks.ts";
import { openPage, PreviewBed } from "../support/server/preview-bed.ts";
import { makeSite } from "../support/workspaces/make-site.ts";
import { chromiumForTests } from "./browser.ts";

const browser = chromiumForTests();

/** Each entry in a file of its own. */
function apart(bed: PreviewBed): void {
  const all = bed.file("entries.ndjson");
  for (const line of readFileSync(all, "utf8").trim().split("\n")) {
    const { id, modelId } = JSON.parse(line);
    const file = bed.file("entries", modelId, `${id}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${line}\n`);
  }
  rmSync(all);
}

describe("an author at work", () => {
  describe("on the storefront, which has one language", () => {
    const work = shared(async () => {
      const bed = await PreviewBed.of(STOREFRONT, "--edit");
      return new Work(bed, await openPage(browser(), bed));
    });
    const walks = WALKS.filter(({ title }) => !title.startsWith("H74"));
    it.each(walks)("$title", async (walk) => expect(await walked(work(), walk)).toBe(true));
  });

  describe("in 10,000 entries, each in a file of its own", () => {
    const work = shared(async () => {
      const bed = new PreviewBed();
      makeSite(bed.content, { experiences: 960, languages: true });
      apart(bed);
      await bed.start("--edit");
      return new Work(bed, await openPage(browser(), bed));
    });
    it.each(WALKS)("$title", async (walk) => expect(await walked(work(), walk)).toBe(true));
  });
});
