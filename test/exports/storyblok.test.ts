import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { storyblok } from "../../src/folder/storyblok.ts";
import { NO_OPTIONS } from "../support/read-export.ts";
import { relaxedSource } from "../support/relaxed-source.ts";
import { valueFates } from "../support/storyblok/story-walk.ts";
import { TestBed } from "../support/test-bed.ts";

/** Real exports, which are not in the repository: `stories.json`, with `components.json` beside it. */
const FOLDER = process.env.SVC_STORYBLOK_EXPORTS ?? "";

const FILES = FOLDER === "" ? [] : below(FOLDER);

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name);
    if (one.isDirectory()) return below(path);
    return one.name === "stories.json" ? [path] : [];
  });
}

describe("storyblok: real exports publish, and every value is accounted for", () => {
  it("SVC_STORYBLOK_EXPORTS names a folder of exports", () => expect(FILES).not.toEqual([]));

  it.each(FILES)("%s", { timeout: 60_000 }, (path) => {
    const components = join(dirname(path), "components.json");
    const all = existsSync(components) ? [path, components] : [path];
    for (const [files, how] of [
      [[path], {}],
      [all, {}],
      [all, { drafts: true }],
    ] as const) {
      const bed = new TestBed();
      const { source, report } = storyblok.read(files, { ...NO_OPTIONS, ...how });
      const assets = new Set<string>();
      for (const item of source) if (item.kind === "assets") assets.add(item.record.id);
      const { counts } = bed.store.import(relaxedSource(source).source, new Date());
      expect(bed.check().filter(({ level }) => level === "error")).toEqual([]);
      bed.publish();
      expect(bed.verify().differs).toEqual([]);
      const fates = valueFates(bed, JSON.parse(readFileSync(path, "utf8")).stories, assets);
      expect(report.leftOut).toMatchObject({
        ...(fates["left out: folder"] && { folders: fates["left out: folder"] }),
        ...(fates["left out: without content"] && {
          "stories without content": fates["left out: without content"],
        }),
      });
      console.log(relative(FOLDER, path), JSON.stringify({ ...counts, fates, ...report }));
    }
  });
});
