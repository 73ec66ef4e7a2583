import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeTexts } from "../../src/folder/merge/merge-texts.ts";
import { randomRuns } from "../support/random-runs.ts";

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The merged value of three values; each conflict in it is "conflict". */
function mergedOf(base: unknown, ours: unknown, theirs: unknown): unknown {
  const texts = { base: pretty(base), ours: pretty(ours), theirs: pretty(theirs) };
  const merged = mergeTexts(texts, 7);
  if (merged === undefined) return "conflict";
  return merged.conflicts.length > 0 ? { l: "conflict" } : JSON.parse(merged.text);
}

const block = (id: string, text: string) => ({ contentBlockId: id, data: { text } });

/** A list merged as the member of an object. */
const lists = (base: unknown[], ours: unknown[], theirs: unknown[]) =>
  (mergedOf({ l: base }, { l: ours }, { l: theirs }) as { l: unknown }).l;

describe("G4: merges by member", () => {
  it("G4a: collections that both added are both in the result, also of one pattern", () => {
    const project = (...models: string[]) => ({
      id: "p",
      steps: [],
      ...(models.length > 0 && { collections: models.map((model) => ({ model, id: "{slug}" })) }),
    });
    expect(mergedOf(project(), project("a"), project("b"))).toEqual(project("a", "b"));
    const sides = [project("x"), project("x", "a"), project("b", "x")] as const;
    expect(mergedOf(...sides)).toEqual(project("b", "x", "a"));
    expect(mergedOf(project("x"), project("y"), { ...project("x"), name: "P" })).toEqual({
      ...project("y"),
      name: "P",
    });
  });

  it("G4b: a value that both changed is between markers, and nothing else", () => {
    const [base, ours, theirs] = ["Old", "Ours", "Theirs"].map((title) =>
      pretty({ id: "e", title, list: [title === "Theirs" ? 1 : 0], z: title === "Ours" ? 1 : 0 }),
    ) as [string, string, string];
    expect(mergeTexts({ base, ours, theirs }, 7)).toEqual({
      conflicts: ["/title"],
      text: `{
  "id": "e",
<<<<<<< ours
  "title": "Ours",
=======
  "title": "Theirs",
>>>>>>> theirs
  "list": [
    1
  ],
  "z": 1
}
`,
    });
  });

  it("G4b: a value that one side changed and the other removed is a conflict", () => {
    const merged = mergeTexts(
      { base: pretty({ a: 1, b: 1 }), ours: pretty({ b: 1 }), theirs: pretty({ a: 2, b: 1 }) },
      9,
    );
    expect(merged?.conflicts).toEqual(["/a"]);
    expect(merged?.text).toBe(
      `{\n<<<<<<<<< ours\n=========\n  "a": 2,\n>>>>>>>>> theirs\n  "b": 1\n}\n`,
    );
  });

  it("A1, G4: an entry without draft is as one with false, so draft is never a conflict", () => {
    const values = [undefined, false, true];
    const sideOf = (draft: boolean | undefined) => ({ id: "e", modelId: "m", draft, data: {} });
    for (const base of values) {
      for (const ours of values) {
        for (const theirs of values) {
          const [before, own, other] = [base, ours, theirs].map((one) => one ?? false);
          const sides = [base, ours, theirs].map(sideOf) as [object, object, object];
          const merged = mergedOf(...sides) as { draft?: boolean };
          expect(merged.draft ?? false, JSON.stringify(sides)).toBe(own === before ? other : own);
        }
      }
    }
    const member = [{ draft: true }, { draft: false }, {}].map(pretty) as [string, string, string];
    const [base, ours, theirs] = member;
    expect(mergeTexts({ base, ours, theirs }, 7)?.conflicts).toEqual(["/draft"]);
  });

  it("G4b: another target, asset or block is one value", () => {
    const of = (contentEntryId: string) => pretty({ to: { contentEntryId } });
    const merged = mergeTexts({ base: of("a"), ours: of("b"), theirs: of("c") }, 7);
    expect(merged?.conflicts).toEqual(["/to"]);
    const blocks = (one: object) => pretty({ b: [one] });
    const changed = { base: blocks(block("x", "1")), ours: blocks(block("x", "2")) };
    expect(
      mergeTexts({ ...changed, theirs: blocks({ ...block("x", "1"), more: 1 }) }, 7)?.conflicts,
    ).toEqual([]);
  });

  it("G4: a file that both added is merged too", () => {
    const ours = pretty({ id: "e", data: { a: 1, same: 1 } });
    const theirs = pretty({ id: "e", data: { b: 1, same: 1 } });
    const merged = mergeTexts({ base: "", ours, theirs }, 7);
    expect(merged?.conflicts).toEqual([]);
    expect(JSON.parse(merged?.text ?? "")).toEqual({ id: "e", data: { a: 1, same: 1, b: 1 } });
  });
});

describe("G4, B2: localized values", () => {
  const both = (v: unknown) => ({ id: "e", data: { v } });
  const merge = (base: unknown, ours: unknown, theirs: unknown) =>
    mergedOf(both(base), both(ours), both(theirs));

  it("G4: two authors who translate into different locales have no conflict", () => {
    expect(merge({ en: "A" }, { en: "A", de: "a" }, { fr: "b", en: "A" })).toEqual(
      both({ en: "A", de: "a", fr: "b" }),
    );
    expect(merge({ en: "A", de: "a" }, { en: "B", de: "a" }, { en: "A", de: "b" })).toEqual(
      both({ en: "B", de: "b" }),
    );
    expect(merge(undefined, { de: "a" }, { en: "b" })).toEqual(both({ de: "a", en: "b" }));
    expect(merge({ en: "A" }, { en: "B" }, { en: "C" })).toEqual({ l: "conflict" });
  });

  it("G4a: id, Indonesian, is a locale like others, and so is key, Kupia", () => {
    for (const locale of ["id", "key"]) {
      const value = (own: string, en: string) => ({ [locale]: own, en });
      expect(merge(value("a", "A"), value("b", "A"), value("a", "B"))).toEqual(
        both(value("b", "B")),
      );
      expect(merge({ en: "A" }, value("b", "A"), { en: "B" })).toEqual(both(value("b", "B")));
    }
    const record = (id: string, v: number) => ({ id, data: { v } });
    expect(mergedOf(record("e", 1), record("f", 1), record("e", 2))).toBe("conflict");
  });
});

describe("G4: merges by element", () => {
  it("G4: elements that both sides insert, change and remove are merged", () => {
    expect(lists(["a", "b"], ["a", "x", "b"], ["a", "b", "y"])).toEqual(["a", "x", "b", "y"]);
    expect(lists(["a", "b", "c"], ["b", "c"], ["a", "b"])).toEqual(["b"]);
    expect(lists(["a"], ["a", "x"], ["a", "y"])).toEqual(["a", "x", "y"]);
    expect(lists([], ["x", "z"], ["y", "z"])).toEqual(["x", "y", "z"]);
  });

  it("G4b: what both sides insert in different order is a conflict", () => {
    expect(lists([], [1, 2], [2, 1])).toEqual("conflict");
    expect(lists(["x"], ["x", "a", "b"], ["x", "b", "a"])).toEqual("conflict");
  });

  it("G4a: a block that one side changed keeps its place among those of the other", () => {
    const [one, two, three] = [block("p", "1"), block("q", "2"), block("p", "3")];
    expect(
      lists([one, two], [block("p", "changed"), two], [three, one, two, block("q", "4")]),
    ).toEqual([three, block("p", "changed"), two, block("q", "4")]);
  });

  it("G4a: records that one side moves get the changes of the other", () => {
    const step = (id: string, name = id) => ({ id, name });
    const base = ["a", "b", "c"].map((id) => step(id));
    const moved = [step("c"), step("a"), step("b")];
    const changed = [step("a"), step("b"), step("c", "C"), step("d")];
    const both = [step("c", "C"), step("d"), step("a"), step("b")];
    expect(lists(base, moved, changed)).toEqual(both);
    expect(lists(base, changed, moved)).toEqual(both);
  });

  it("G4a: elements of Portable Text are recognized by their _key", () => {
    const block = (_key: string, text: string) => ({ _type: "block", _key, children: [text] });
    const base = [block("a", "A"), block("b", "B"), block("c", "C")];
    const ours = [block("a", "A 2"), block("new", "N"), block("b", "B"), block("c", "C")];
    const theirs = [block("b", "B 2"), block("c", "C"), block("a", "A")];
    expect(lists(base, ours, theirs)).toEqual([
      block("b", "B 2"),
      block("c", "C"),
      block("a", "A 2"),
      block("new", "N"),
    ]);
  });

  it("G4a: fields of a model are recognized by their key", () => {
    const field = (key: string, more = {}) => ({ key, type: "text", ...more });
    expect(
      lists(
        [field("a"), field("b")],
        [field("n"), field("a"), field("b", { required: true })],
        [field("a", { maxLength: 3 }), field("m")],
      ),
    ).toEqual("conflict");
    expect(
      lists(
        [field("a"), field("b")],
        [field("n"), field("a"), field("b", { required: true })],
        [field("a", { maxLength: 3 }), field("b", { name: "B" }), field("m")],
      ),
    ).toEqual([
      field("n"),
      field("a", { maxLength: 3 }),
      field("b", { required: true, name: "B" }),
      field("m"),
    ]);
  });

  it("G4b: a list that both sides order anew is a conflict", () => {
    const of = (l: string[]) => pretty({ l });
    const three = { base: of(["a", "b", "c"]), ours: of(["c", "a", "b"]) };
    expect(mergeTexts({ ...three, theirs: of(["b", "a", "c"]) }, 7)?.conflicts).toEqual(["/l"]);
    expect(mergeTexts({ ...three, theirs: of(["c", "a", "b", "d"]) }, 7)?.conflicts).toEqual([]);
  });
});

it("G4: random edits of different places are all in the result, and no merge loses a value", () => {
  const key = fc.constantFrom("a", "b", "c", "d");
  const leaf = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom("x", "y"),
    fc.constant(null),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, tie("list"), tie("object"), tie("named")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    named: fc.uniqueArray(fc.record({ id: key, v: tie("value") }), { selector: ({ id }) => id }),
  }));
  const file = fc.dictionary(key, value);
  fc.assert(
    fc.property(file, file, file, (base, one, other) => {
      // One changed side: its value. The same change twice: that.
      expect(mergedOf(base, one, base)).toEqual(one);
      expect(mergedOf(base, base, one)).toEqual(one);
      expect(mergedOf(base, one, one)).toEqual(one);
      // Two sides with members of their own.
      const both = mergedOf({ l: base, r: base }, { l: one, r: base }, { l: base, r: other });
      expect(both).toEqual({ l: one, r: other });
      // A conflict is on the same places in either direction.
      const texts = { base: pretty(base), ours: pretty(one), theirs: pretty(other) };
      const swapped = { ...texts, ours: texts.theirs, theirs: texts.ours };
      const counts = [texts, swapped].map((sides) => mergeTexts(sides, 7)?.conflicts.length);
      expect(counts[0]).toBe(counts[1]);
    }),
    { numRuns: randomRuns(500) },
  );
});

describe("G5: the layout of a merged file", () => {
  it.each([
    [
      "tabs, blank lines and compact lists",
      '{\n\t"a": 1,\n\n\t"b": [1, 2],\n\t"c": { "x": 1 }\n}',
      '{\n\t"a": 1,\n\n\t"b": [1, 2],\n\t"c": { "x": 2 }\n}',
      '{\n  "a": 5,\n  "b": [\n    0,\n    1,\n    2\n  ],\n  "c": { "x": 1 },\n  "d": {\n    "y": 1.0\n  }\n}',
      '{\n\t"a": 5,\n\n\t"b": [0, 1, 2],\n\t"c": { "x": 2 },\n\t"d": {\n\t  "y": 1.0\n\t}\n}',
    ],
    [
      "CRLF",
      '{\r\n  "a": 1\r\n}\r\n',
      '{\r\n  "a": 1,\r\n  "b": 1\r\n}\r\n',
      '{\n  "c": {\n    "x": 1\n  },\n  "a": 1\n}\n',
      '{\r\n  "c": {\r\n    "x": 1\r\n  },\r\n  "a": 1,\r\n  "b": 1\r\n}\r\n',
    ],
    ["one line", '{"a":1,"b":1}', '{"a":2,"b":1}', '{"a":1,"b":1,"c":1}', '{"a":2,"b":1,"c":1}'],
    [
      "a byte order mark, and escapes as they are written",
      '\ufeff{ "a": "\\u00e9", "b": 1 }',
      '\ufeff{ "a": "\\u00e9", "b": 2 }',
      '{ "a": "\\u00e9", "b": 1, "c": "\\u00e9" }',
      '\ufeff{ "a": "\\u00e9", "b": 2, "c": "\\u00e9" }',
    ],
    ["emptied", '{ "a": [1], "b": 1 }', '{ "a": [], "b": 1 }', '{ "a": [1] }', '{ "a": [] }'],
  ])("G5: %s stay", (_what, base, ours, theirs, text) => {
    expect(mergeTexts({ base, ours, theirs }, 7)).toEqual({ text, conflicts: [] });
  });

  it("G5: what is not JSON, or would lose data, is not merged by fields", () => {
    const json = '{ "a": 1 }';
    for (const other of ["{", '{ "a": 1, "a": 2 }', '{ "a": 12345678901234567890 }', "<<<<<<<"]) {
      expect(mergeTexts({ base: json, ours: json, theirs: other }, 7)).toBe(undefined);
      expect(mergeTexts({ base: other, ours: json, theirs: '{ "a": 2 }' }, 7)).toBe(undefined);
    }
    expect(mergeTexts({ base: "[]", ours: "{}", theirs: "1" }, 7)).toBe(undefined);
  });
});
