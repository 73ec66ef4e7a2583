import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { storyblok } from "../../src/import/storyblok.ts";
import { publishedImport } from "../support/published-import.ts";
import { exportFiles } from "../support/storyblok/stories.ts";
import { valueFates } from "../support/storyblok/story-walk.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures/storyblok");
const FILES = [join(FOLDER, "stories.json"), join(FOLDER, "components.json")];

describe("storyblok: every value, link and file of an export is accounted for", () => {
  it("a value is stored, also a translation, a link leads to its story", () => {
    const { bed, assets } = publishedImport(storyblok, FILES);
    const { stories } = JSON.parse(readFileSync(FILES[0] as string, "utf8"));
    expect(valueFates(bed, stories, assets)).toEqual({
      value: 5,
      block: 1,
      asset: 1,
      reference: 2,
      draft: 1,
      translation: 1,
      "value in a tree": 8,
    });
    const projectId = "storyblok";
    const about = bed.file({ kind: "content", projectId, experienceId: "about" });
    expect(about.references.map(({ id }: { id: string }) => id)).toEqual([stories[0].uuid]);
    expect(bed.file({ kind: "content", projectId, experienceId: "jobs" })).toBeUndefined();
  });

  it("X26e: a link by address alone leads to its story too", () => {
    const stories = JSON.parse(readFileSync(FILES[0] as string, "utf8"), (name, value) =>
      name === "id" ? "" : value,
    );
    const { bed, assets } = publishedImport(storyblok, exportFiles(stories));
    expect(valueFates(bed, stories.stories, assets)).toMatchObject({ "reference by address": 1 });
  });
});
