import { expect, it } from "vitest";
import { alignLists } from "../../src/diff/align-lists.ts";

it("D1: elements of Portable Text are aligned by their _key, changed ones too", () => {
  const block = (_key: string, text: string) => ({ _type: "block", _key, children: [text] });
  const before = [block("a", "A"), block("b", "B"), block("c", "C")];
  const after = [block("new", "N"), block("b", "B 2"), block("c", "C 2")];
  expect(alignLists(before, after)).toEqual([
    [0, undefined],
    [undefined, 0],
    [1, 1],
    [2, 2],
  ]);
});
