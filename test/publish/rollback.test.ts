import { describe, expect, it } from "vitest";
import { statesBelow } from "../support/file-tree.ts";
import {
  current,
  listed,
  publishEach,
  refusal,
  titled,
} from "../support/publish/published-versions.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const FAULTY = smallWorkspace({ entries: [{ id: "home", modelId: "m-page", data: { title: 5 } }] });

describe("R6: a rollback", () => {
  it("works while the draft has errors", () => {
    const bed = new TestBed();
    const [first = ""] = publishEach(bed, "One", "Two");
    bed.import(FAULTY);
    expect(bed.rollback(first)).toMatchObject({ rolledBack: true });
    expect(refusal(bed, () => bed.publish()).code).toBe("draft-has-problems");
  });

  it("to the current version changes nothing", () => {
    const bed = new TestBed();
    const [, second = ""] = publishEach(bed, "One", "Two");
    const [rows, states] = [storeRows(bed.store.file), statesBelow(bed.out)];
    expect(bed.rollback(second)).toEqual({
      workspaceId: "w",
      versionId: second,
      from: second,
      rolledBack: false,
      files: { written: 0, unchanged: 5, removed: 0 },
    });
    expect(storeRows(bed.store.file)).toEqual(rows);
    expect(statesBelow(bed.out)).toEqual(states);
  });
});

describe("R6: a rollback and other workspaces of the store", () => {
  const OTHER = smallWorkspace({ id: "other", projects: [projectOf("theirs", "home")] });

  it("finds only the versions of its own workspace", () => {
    const bed = new TestBed();
    const [, theirs = ""] = publishEach(bed, "One", OTHER);
    expect(refusal(bed, () => bed.rollback(theirs, "w")).code).toBe("version-not-found");
  });

  it("F3: is refused where another workspace has published the project since", () => {
    const bed = new TestBed();
    const [first = ""] = publishEach(
      bed,
      "One",
      titled("Two", { projects: [projectOf("shop", "home")] }),
      smallWorkspace({ id: "other" }),
    );
    const error = refusal(bed, () => bed.rollback(first, "w"));
    expect(error.code).toBe("out-taken");
    expect(error.message).toMatch(/projects\/site\/.*"other"/);
  });
});

/** Publishes versions until two ids have the same first digit. */
function bedOfMany(): { bed: TestBed; ids: string[]; alike: string[] } {
  const bed = new TestBed();
  const ids: string[] = [];
  for (;;) {
    const [id = ""] = publishEach(bed, `Title ${ids.length}`);
    const alike = ids.filter(([digit]) => digit === id[0]);
    ids.push(id);
    if (alike.length > 0) return { bed, ids, alike: [...alike, id] };
  }
}

/** The shortest unique prefix of an id. */
function uniquePrefix(ids: readonly string[], id: string): string {
  const lengths = Array.from({ length: id.length }, (_, index) => index + 1);
  const isUnique = (length: number) =>
    ids.filter((other) => other.startsWith(id.slice(0, length))).length === 1;
  return id.slice(0, lengths.find(isUnique));
}

function refused(bed: TestBed, prefix: string): { code: string; text: string } {
  const { code, message, hint = "" } = refusal(bed, () => bed.rollback(prefix));
  return { code, text: `${message}\n${hint}` };
}

describe("R6: the version id of a rollback", () => {
  it("can be a complete id or a unique prefix", () => {
    const { bed, ids } = bedOfMany();
    for (const id of ids.slice(0, 2)) {
      const prefix = uniquePrefix(ids, id);
      expect(prefix.length).toBeLessThan(8);
      expect(bed.rollback(prefix)).toMatchObject({ versionId: id, rolledBack: true });
      expect(current(bed)).toBe(id);
      expect(bed.rollback(id)).toMatchObject({ versionId: id, rolledBack: false });
    }
  });

  it("is refused when it matches several, which the error lists", () => {
    const { bed, alike } = bedOfMany();
    const [[digit = ""] = ""] = alike;
    const { code, text } = refused(bed, digit);
    expect(code).toBe("version-ambiguous");
    for (const id of alike) expect(text).toContain(id);
    const shared = uniquePrefix(alike, alike[0] ?? "").slice(0, -1);
    expect(refused(bed, shared).code).toBe("version-ambiguous");
  });

  it.each([
    ["of no version", "xyz"],
    ["that is empty", ""],
    ["of blanks", " "],
    ["that is a pattern", "%"],
    ["that is a pattern of one character", "_"],
    ["of a number of the list", "0000000001"],
  ])("is not found by an id %s, not even when there is only one version", (_what, prefix) => {
    const bed = new TestBed();
    publishEach(bed, "One");
    const { code, text } = refused(bed, prefix);
    expect(code).toBe("version-not-found");
    expect(text).toContain(`"${prefix}"`);
    expect(text).toContain("svc versions");
  });

  it("is not found when it is longer than an id, or a part that is not a prefix", () => {
    const bed = new TestBed();
    const [id = ""] = publishEach(bed, "One", "Two");
    for (const wrong of [`${id}0`, ` ${id}`, id.slice(1), id.slice(4, 20)]) {
      expect(refused(bed, wrong).code, wrong).toBe("version-not-found");
    }
  });

  it("is refused as pruned when only the journal has it", () => {
    const bed = new TestBed();
    const [one = ""] = publishEach(bed, "One", "Two", "Three");
    bed.publish({ keep: 2 });
    for (const prefix of [one, one.slice(0, 8)]) {
      const { code, text } = refused(bed, prefix);
      expect(code).toBe("version-pruned");
      expect(text).toContain(one);
      expect(text).toContain("--keep");
    }
  });

  it("is not ambiguous when the other match was pruned", () => {
    const { bed, alike } = bedOfMany();
    const [[digit = ""] = ""] = alike;
    while (listed(bed).filter((id) => id.startsWith(digit)).length > 1) {
      bed.publish({ keep: listed(bed).length - 1 });
    }
    expect(bed.rollback(digit)).toMatchObject({ versionId: alike.at(-1) });
  });

  it("is not found before the first publish", () => {
    const bed = new TestBed({});
    expect(refused(bed, "0").code).toBe("not-published");
  });
});
