import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Parts } from "../support/test-bed.ts";
import { block, entry, to, WORLD } from "./content-workspace.ts";
import { diffOf } from "./differ.ts";

const MARKS = { added: "+", removed: "-", changed: "~" };

/** The changes of the entry `home`, by mark and path: [before, after]. */
function fieldsOf(before: JsonObject, after: JsonObject): Record<string, unknown[]> {
  const [was, is] = [before, after].map((data) => ({
    ...WORLD,
    entries: [entry("home", data), ...["a", "b", "c", "d"].map((id) => entry(id))],
  }));
  const entries = diffOf(was, is as Parts).forth.entries.filter((one) => one.change === "changed");
  expect(entries.map(({ id, contentModelKey }) => [id, contentModelKey])).toEqual([
    ["home", "page"],
  ]);
  const fields = entries[0]?.fields ?? [];
  for (const { change, place: _, ...sides } of fields) {
    expect("before" in sides).toBe(change !== "added");
    expect("after" in sides).toBe(change !== "removed");
  }
  return Object.fromEntries(
    fields.map(({ change, path: where, before: was, after: is }) => [
      `${MARKS[change]} ${where}`,
      [was, is],
    ]),
  );
}

describe("D1: changed values are reported with their path, before and after", () => {
  const point = (contentEntryId: string) => ({ contentEntryId, contentModelKey: "page" });
  it.each<[string, JsonObject, JsonObject, Record<string, unknown[]>]>([
    ["a value in a list", { tags: ["a", "b"] }, { tags: ["a", "c"] }, { "~ /tags/1": ["b", "c"] }],
    [
      "a pointer to another entry",
      { next: to("a", "b") },
      { next: to("a", "c") },
      { "- /next/1": [point("b"), undefined], "+ /next/1": [undefined, point("c")] },
    ],
    [
      "a value of a block inside of blocks",
      { boxes: [block({}), block({ inner: [block({ inner: [block({ text: "A" })] })] })] },
      { boxes: [block({}), block({ inner: [block({ inner: [block({ text: "B" })] })] })] },
      { "~ /boxes/1/data/inner/0/data/inner/0/data/text": ["A", "B"] },
    ],
    [
      "members whose names need escaping, which all objects inherit, or are numbers",
      { more: { "a/b": { "c~d": 1 }, constructor: 1, "10": 1, "9": 1, __proto__: 1 } },
      { more: JSON.parse('{"a/b":{"c~d":2},"toString":1,"10":2,"9":1,"__proto__":{"x":1}}') },
      {
        "~ /more/a~1b/c~0d": [1, 2],
        "- /more/constructor": [1, undefined],
        "+ /more/toString": [undefined, 1],
        "~ /more/10": [1, 2],
        "+ /more/__proto__": [undefined, { x: 1 }],
      },
    ],
    [
      "another type of value",
      { more: { a: [1] } },
      { more: { a: { 0: 1 } } },
      { "~ /more/a": [[1], { 0: 1 }] },
    ],
    [
      '1 and "1", null and none',
      { more: [1, { a: null }] },
      { more: ["1", {}] },
      {
        "- /more/0": [1, undefined],
        "+ /more/0": [undefined, "1"],
        "- /more/1/a": [null, undefined],
      },
    ],
    [
      "a block inserted in front, the next one changed",
      { boxes: [block({ text: "A" }), block({ text: "B" })] },
      {
        boxes: [
          { contentBlockId: "b-other", data: {} },
          block({ text: "A" }),
          block({ text: "C" }),
        ],
      },
      {
        "+ /boxes/0": [
          undefined,
          { contentBlockId: "b-other", contentBlockKey: "other", data: {} },
        ],
        "~ /boxes/2/data/text": ["B", "C"],
      },
    ],
    [
      "below an element that moved: removed where it was, added where it is",
      { more: [{ id: "a", x: [1, 2], y: 1 }] },
      { more: [{ id: "n" }, { id: "a", x: [1], z: 1 }] },
      {
        "+ /more/0": [undefined, { id: "n" }],
        "- /more/0/x/1": [2, undefined],
        "- /more/0/y": [1, undefined],
        "+ /more/1/z": [undefined, 1],
      },
    ],
    [
      "the order of a list of texts, as one change",
      { tags: ["a", "b", "c"] },
      { tags: ["c", "a", "b"] },
      {
        "~ /tags": [
          ["a", "b", "c"],
          ["c", "a", "b"],
        ],
      },
    ],
  ])("%s", (_title, before, after, expected) => {
    expect(fieldsOf(before, after)).toEqual(expected);
  });
});
