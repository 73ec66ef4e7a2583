import { appendFileSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { randomEdits } from "../support/edits.ts";
import { bytesBelow, statesBelow } from "../support/file-tree.ts";
import { NEIGHBOUR, randomWorkspace } from "../support/random-workspace.ts";
import { heldAsset, page, smallWorkspace } from "../support/small-workspace.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";

/** Publishes `w`, and tells what came of it and whether the whole draft was rendered. */
function published(bed: TestBed, program?: string) {
  const seen = new Set<string>();
  const onProgress = (_done: number, _total: number, what: string) => seen.add(what);
  const how = { strict: false, now: new Date(), onProgress, ...(program && { program }) };
  const outcome = () => {
    try {
      const { versionId, problems } = publish(bed.store, bed.store.workspace("w"), bed.out, how);
      return { versionId, problems };
    } catch (error) {
      if (error instanceof SvcError) return { code: error.code, problems: error.problems };
      throw error;
    }
  };
  return { outcome: outcome(), isWhole: () => seen.has("entries checked") };
}

const TWO_PAGES = smallWorkspace({ entries: [page("home", "Home"), page("about", "About")] });

describe("issue 7: a publish renders what changed, and that is all that it would render", () => {
  it("after any edits it is the version, the problems and the bytes of a whole rendering", () => {
    const edited = fc.tuple(randomWorkspace({ faulty: false }), randomEdits);
    let shortcuts = 0;
    fc.assert(
      fc.property(edited, ([parts, edits]) => {
        const bed = new TestBed(NEIGHBOUR, parts);
        published(bed, "p");
        let now = parts;
        for (const edit of edits) {
          now = edit(now);
          bed.import(now);
          const short = published(bed, "p");
          const whole = new TestBed(NEIGHBOUR, now);
          expect(short.outcome).toEqual(published(whole).outcome);
          if ("code" in short.outcome) return;
          expect(bytesBelow(bed.out)).toEqual(bytesBelow(whole.out));
          if (!short.isWhole()) shortcuts += 1;
        }
      }),
      { numRuns: 60 },
    );
    expect(shortcuts, "shortcuts taken").toBeGreaterThan(20);
  }, 60_000);

  it("nothing changed: nothing is rendered", () => {
    const bed = new TestBed(TWO_PAGES);
    const first = published(bed, "p");
    expect(first.isWhole()).toBe(true);
    bed.import(TWO_PAGES);
    const second = published(bed, "p");
    expect(second.isWhole()).toBe(false);
    expect(second.outcome).toEqual(first.outcome);
  });

  it("R4: an error in the changed entry refuses, and is told again until it is mended", () => {
    const bed = new TestBed(TWO_PAGES);
    published(bed, "p");
    bed.import({ ...TWO_PAGES, entries: [page("home", "Home", { title: 7 }), page("about", "")] });
    const refused = { code: "draft-has-problems", problems: [{ code: "value-type" }] };
    expect(published(bed, "p").outcome).toMatchObject(refused);
    expect(published(bed, "p").outcome).toMatchObject(refused);
  });

  /** What a whole rendering of the same workspace comes to, beside what came of the shortcut. */
  const compare = (before: Parts, after: Parts) => {
    const bed = new TestBed(before);
    published(bed, "p");
    bed.import(after);
    const whole = new TestBed(after);
    const wanted = published(whole).outcome;
    expect(published(bed, "p").outcome).toEqual(wanted);
    expect(bytesBelow(bed.out)).toEqual(bytesBelow(whole.out));
    return wanted;
  };

  it("an entry that shows another asset brings the file of that, and not the former one", () => {
    const [logo, photo] = [heldAsset("logo", "a.png", "a logo"), heldAsset("photo", "b.png", "b")];
    const withPicture = (assetId: string) =>
      smallWorkspace({
        entries: [page("home", "Home", { picture: { assetId } })],
        assets: [logo.asset, photo.asset],
        files: new Map([logo.file, photo.file]),
      });
    compare(withPicture("logo"), withPicture("photo"));
  });

  it("P3: a pointer that is too deep stays told when the text beside it changes", () => {
    const chain = (title: string) =>
      smallWorkspace({
        entries: Array.from({ length: 8 }, (_, index) =>
          page(index === 0 ? "home" : `e${index}`, index === 5 ? title : "Title", {
            ...(index < 7 && { next: { contentEntryId: `e${index + 1}` } }),
          }),
        ),
      });
    const { problems } = compare(chain("Before"), chain("After"));
    expect(problems).toMatchObject([{ code: "reference-too-deep", at: { id: "e5" } }]);
  });

  const others: Record<string, (bed: TestBed) => string | undefined> = {
    "another program": () => "q",
    "a program that does not say which": () => undefined,
    "a record beside entries": (bed) => {
      bed.import({ ...TWO_PAGES, name: "Renamed" });
      return "p";
    },
    "an entry more": (bed) => {
      bed.import({ ...TWO_PAGES, entries: [...(TWO_PAGES.entries ?? []), page("more", "More")] });
      return "p";
    },
    "an entry less": (bed) => {
      bed.import({ ...TWO_PAGES, entries: [page("home", "Home")] });
      return "p";
    },
    "another workspace": (bed) => {
      bed.import(NEIGHBOUR);
      return "p";
    },
    "a spoiled note of the last rendering": (bed) => {
      const database = new Database(bed.store.file);
      database.exec("UPDATE last_renderings SET changed = '[\"home\"]'");
      database.close();
      return "p";
    },
  };
  it.each(Object.keys(others))("%s: all is rendered", (name) => {
    const bed = new TestBed(TWO_PAGES);
    published(bed, "p");
    const program = others[name]?.(bed);
    expect(published(bed, program).isWhole()).toBe(true);
  });

  it("an import of the same records leaves the draft's revision as it is", () => {
    const bed = new TestBed(TWO_PAGES);
    const { revision } = bed.store.workspace("w");
    bed.import({ ...TWO_PAGES, entries: TWO_PAGES.entries?.toReversed() ?? [] });
    expect(bed.store.workspace("w").revision).toBe(revision);
    bed.import({ ...TWO_PAGES, entries: [page("home", "Home"), page("about", "Other")] });
    expect(bed.store.workspace("w").revision).toBe(revision + 1);
  });
});

describe("F3: files that look as they were left are not read, others are", () => {
  const CONTENT = "api/v1/projects/site/experiences/exp-site/content.json";
  const contentOf = (bed: TestBed) =>
    join(bed.out, Object.keys(bytesBelow(bed.out)).find((path) => /content/.test(path)) ?? CONTENT);

  it("a file that was changed without changing its size or its mtime is written again", () => {
    const bed = new TestBed(TWO_PAGES as Parts);
    bed.publish();
    const bytes = bytesBelow(bed.out);
    const file = contentOf(bed);
    const { atime, mtime } = statSync(file);
    writeFileSync(file, readFileSync(file, "utf8").replace("Home", "Hole"));
    utimesSync(file, atime, mtime);
    expect(bed.publish().files.written).toBe(1);
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });

  it("a spoiled note of how they were left is none: nothing is written, and it is mended", () => {
    const bed = new TestBed(TWO_PAGES);
    bed.publish();
    const states = statesBelow(bed.out);
    const database = new Database(bed.store.file);
    database.exec("UPDATE out_states SET seen_at = seen_at + 1e9");
    database.close();
    const file = contentOf(bed);
    appendFileSync(file, "x");
    expect(bed.publish().files.written).toBe(1);
    expect(bed.publish().files.written).toBe(0);
    expect(Object.keys(statesBelow(bed.out))).toEqual(Object.keys(states));
  });
});
