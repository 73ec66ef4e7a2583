import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";

interface Post {
  readonly slug: string;
  readonly title?: string;
}

/** Imports datasets into its store. */
class ImportBed extends CliBed {
  import(posts: Readonly<Record<string, Post>>, ...options: readonly string[]) {
    const documents = Object.entries(posts).map(([_id, { slug, title = _id }]) => ({
      _id,
      _type: "post",
      title,
      slug: { _type: "slug", current: slug },
    }));
    const lines = [
      ...documents,
      { _id: "home", _type: "page", slug: { _type: "slug", current: "/" } },
    ];
    writeFileSync(this.path("site.ndjson"), lines.map((one) => JSON.stringify(one)).join("\n"));
    return this.json(0, "import", "--from", "sanity", "site.ndjson", ...options);
  }

  get project() {
    this.ok("export", "site");
    return JSON.parse(readFileSync(this.path("site/projects/site.json"), "utf8"));
  }

  /** Changes the project by hand. */
  set project(project) {
    writeFileSync(this.path("site/projects/site.json"), JSON.stringify(project));
    this.ok("import", "site");
    rmSync(this.path("site"), { recursive: true });
  }

  /** The published experiences: the id, and the entries that it shows. */
  experiences(): Record<string, string[]> {
    this.ok("publish");
    const read = (path: string) =>
      JSON.parse(readFileSync(this.path(`out/api/v1/projects/site/${path}.json`), "utf8"));
    const { experiences } = read("index");
    return Object.fromEntries(
      experiences.map(({ id }: { id: string }) => {
        const { content } = read(`experiences/${id}/content`);
        return [id, content.map((entry: { id: string }) => entry.id)];
      }),
    );
  }
}

const POSTS = { a: { slug: "p-one" }, b: { slug: "p-two" }, c: { slug: "p-three" } };

describe("svc import --collections", () => {
  it("Q23: a type becomes a collection of the same experiences, and what is none a warning", () => {
    const bed = new ImportBed();
    bed.import(POSTS);
    const written = bed.experiences();
    const { warnings } = bed.import(POSTS, "--collections");
    expect(warnings).toEqual(["1 type is not collected (one entry only): page"]);
    expect(bed.project).toMatchObject({
      experiences: [{ id: "index" }],
      collections: [{ model: "post", id: "{slug}", layoutName: "post" }],
    });
    expect(bed.experiences()).toEqual(written);
    expect(Object.keys(written).sort()).toEqual(["index", "p-one", "p-three", "p-two"]);
    const { project } = bed;
    bed.import(POSTS);
    expect(bed.project).toEqual(project);
  });

  it("Q24, X2: the next import keeps collections with what was added to them, and every id", () => {
    const bed = new ImportBed();
    bed.import(POSTS, "--collections");
    const { project } = bed;
    const [collection] = project.collections;
    const collections = [
      {
        ...collection,
        steps: ["index", "{step}"],
        list: { id: "all-{page}", size: 9, sort: "title" },
      },
    ];
    bed.project = { ...project, collections };
    const later = {
      a: POSTS.a,
      b: { slug: "p-moved" },
      d: { slug: "p-four" },
      "b-0": { slug: "q" },
    };
    const { experiences, warnings } = bed.import(later);
    expect(experiences.kept).toEqual(["p-three"]);
    expect(warnings).toEqual(["1 type is not collected (one entry only): page"]);
    expect(bed.project.collections).toEqual(collections);
    // `p-two` is the old address of `b`, which has another one too; the entry of `p-three` is gone.
    expect(bed.project.experiences.map(({ id }: { id: string }) => id)).toEqual([
      "index",
      "p-two",
      "p-three",
    ]);
    const isLeft = ({ id }: { id: string }) => id !== "p-three";
    const { steps, experiences: all, ...others } = bed.project;
    bed.project = { ...others, steps: steps.filter(isLeft), experiences: all.filter(isLeft) };
    expect(bed.experiences()).toEqual({
      index: ["home"],
      "p-two": ["b"],
      "p-one": ["home", "a"],
      "p-moved": ["home", "b"],
      "p-four": ["home", "d"],
      q: ["home", "b-0"],
      "all-1": ["a", "b", "b-0", "d"],
    });
    const { project: before } = bed;
    bed.import(later);
    expect(bed.project).toEqual(before);
  });

  it("Q23, Q26: what no pattern gives stays beside the collection, now and later, with its id", () => {
    const bed = new ImportBed();
    const posts = { ...POSTS, d: { slug: "5-tips" }, e: { slug: "/" }, f: { slug: "über" } };
    bed.import(posts);
    const written = bed.experiences();
    const { warnings } = new ImportBed().import(posts, "--collections");
    expect(warnings).toEqual([
      expect.stringContaining("1 experience has another id"),
      "1 type is not collected (one entry only): page",
      '2 pages stay beside the collections, with ids that no pattern gives: "e", "f"',
    ]);
    const later = new ImportBed();
    later.import(posts, "--collections");
    const { collections } = later.project;
    expect(collections).toMatchObject([
      { model: "post", id: "{slug}", key: "post-{slug}", except: ["e", "f"] },
    ]);
    expect(later.experiences()).toEqual(written);
    const more = { g: { slug: "a/b" }, h: { slug: "P-one" }, i: { slug: "p-six" } };
    later.import({ ...posts, ...more });
    expect(later.project.collections[0].except).toEqual(["e", "f", "g", "h"]);
    const added = { "a--b": ["g"], "P-one-x9617c7ca": ["h"], "p-six": ["i"] };
    expect(later.experiences()).toEqual({ ...written, ...added });
  });

  it("Q24: a new entry has the id of its collection, not that of its address", () => {
    const bed = new ImportBed();
    const posts = { "p-one": { slug: "p-one" }, "p-two": { slug: "p-two" } };
    bed.import(posts, "--collections");
    expect(bed.project.collections).toMatchObject([{ id: "{id}" }]);
    bed.import({ ...posts, "p-new": { slug: "elsewhere" } });
    expect(Object.keys(bed.experiences())).toEqual(["index", "p-new", "p-one", "p-two"]);
  });
});
