import { describe, expect, it, vi } from "vitest";
import { diffSnapshots } from "../../src/diff/diff.ts";
import { entryReader } from "../../src/diff/recipe-entries.ts";
import type { Snapshot } from "../../src/diff/snapshot.ts";
import { parseRecipe, textsOf } from "../../src/documents/recipe.ts";
import { Texts } from "../../src/documents/texts.ts";
import type { Entry, Project } from "../../src/workspace/records.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { entry, to, WORLD } from "./content-world.ts";
import { changeRecipes, freezeWhole, publishAll, sidesOf } from "./diff-sides.ts";

const NAMES = Array.from({ length: 30 }, (_, index) => `e${index}`);
const PAGES = NAMES.map((id) => entry(id, { next: to("hub") }));

/** Thirty experiences whose entries point at one. */
function world(
  title: string,
  projects: Project[] = [projectOf("p", ...NAMES)],
  entries: Entry[] = PAGES,
): Parts {
  return { ...WORLD, projects, entries: [...entries, entry("hub", { title })] };
}

/** How many texts are asked for. */
function readsOf(work: () => void): number {
  const read = vi.spyOn(Texts.prototype, "read");
  work();
  const { length } = read.mock.calls;
  read.mockRestore();
  return length;
}

/** How many texts a difference reads: of two versions there and back, of the first and the draft. */
function reads(before: Parts, after: Parts): number[] {
  const bed = new TestBed();
  const versions = publishAll(bed, [before, after, after]);
  const pairs = [
    [0, 1],
    [1, 0],
    [0, 2],
  ] as const;
  return pairs.map(([from, to]) => {
    const sides = sidesOf(bed, versions);
    return readsOf(() => {
      const { summary } = diffSnapshots(sides[from] as Snapshot, sides[to] as Snapshot);
      expect(summary.documents).not.toMatchObject({ added: 0, removed: 0, changed: 0 });
    });
  });
}

describe("a difference reads what differs", () => {
  it("two texts where one entry changed that many documents show", () => {
    expect(reads(world("A"), world("B"))).toEqual([2, 2, 2]);
  });

  it("nothing where documents come and go, with their entries or to others", () => {
    expect(reads(world("A"), world("A", [projectOf("q", ...NAMES)]))).toEqual([0, 0, 0]);
    expect(reads(world("A"), world("A", []))).toEqual([0, 0, 0]);
  });

  it("of documents that came and went, what only one side shows", () => {
    const [, ...others] = NAMES;
    const pages = [...PAGES, entry("new", { next: to("hub") })];
    const after = world("A", [projectOf("q", ...others, "new")], pages);
    expect(reads(world("A", undefined, pages), after)).toEqual([2, 2, 2]);
  });

  it("and a draft puts no content document together to be compared", () => {
    const bed = new TestBed();
    const versions = publishAll(bed, [world("A"), world("B")]);
    expect(readsOf(() => sidesOf(bed, versions))).toBe(0);
  });

  it("but where its version was frozen whole, bytes tell, and no entry is looked for", () => {
    const bed = new TestBed();
    const versions = publishAll(bed, [world("A"), world("A")]);
    freezeWhole(bed);
    const [version, draft] = sidesOf(bed, versions) as [Snapshot, Snapshot];
    expect(readsOf(() => diffSnapshots(version, draft))).toBe(0);
  });
});

describe("what a spoiled store says is refused", () => {
  const damaged = expect.objectContaining({ code: "store-damaged" });
  const BEGIN = '["{\\"content\\":[",[';

  it.each([
    ["no recipe", () => "["],
    ["half a recipe", () => BEGIN],
    ["texts that are missing", () => `${BEGIN}99999999],"",[],""]`],
    ["texts that a pack has not", () => `${BEGIN}2047],"",[],""]`],
    ["a text that is no entry", (schema: string) => `${BEGIN}${schema}],"",[],""]`],
  ])("%s", (_title, spoiled) => {
    const bed = new TestBed();
    const versions = publishAll(bed, [world("A"), world("B"), world("B")]);
    const { documents } = bed.store.versions.contents(1, versions[0] as string);
    const schema = documents.find(({ path }) => path.endsWith("/schema.json"))?.recipe ?? "";
    const [text] = textsOf(parseRecipe(schema));
    const rows = new Set(documents.map(({ number }) => number));
    changeRecipes(bed, (recipe, row) => (rows.has(row) ? spoiled(`${text}`) : recipe));
    expect(() => {
      const [was, is] = sidesOf(bed, versions);
      diffSnapshots(was as Snapshot, is as Snapshot);
    }).toThrow(damaged);
  });

  it("a text that is JSON, and no entry", () => {
    for (const text of ["{}", "1", "null"]) {
      expect(() => entryReader(() => Buffer.from(text))(1), text).toThrow(damaged);
    }
  });
});
