import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withValue } from "../../src/folder/json-editor.ts";
import { jsonValue } from "../../src/folder/json-text.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { randomRuns } from "../support/random-runs.ts";

const PAGE = `{
  "id": "home",
  "data": {
    "title":   "Hello",
    "price": 1.50,
    "tags": ["a", "b"],
    "blocks": [
      { "contentBlockId": "hero" }
    ]
  }
}
`;

/** PAGE with another value. */
function edited(change: (data: Record<string, JsonValue>) => JsonValue, text = PAGE): string {
  const before = jsonValue(text) as { id: string; data: Record<string, JsonValue> };
  return withValue(text, { ...before, data: change(before.data) });
}

const renamed = ({ title, ...rest }: Record<string, JsonValue>) => ({
  headline: title ?? null,
  ...rest,
});

describe("M2: a rewritten text keeps what stays", () => {
  it.each<[string, (data: Record<string, JsonValue>) => JsonValue, string, string]>([
    ["a renamed member", renamed, '"title":   "Hello"', '"headline":   "Hello"'],
    ["a new value", (data) => ({ ...data, title: "Hi" }), '"title":   "Hello"', '"title":   "Hi"'],
    [
      "a new first member",
      (data) => ({ a: 1, ...data }),
      '    "title":',
      '    "a": 1,\n    "title":',
    ],
    ["a removed first member", ({ title: _, ...data }) => data, '    "title":   "Hello",\n', ""],
    [
      "a new last member",
      (data) => ({ ...data, more: { x: [1] } }),
      "    ]\n  }",
      '    ],\n    "more": {\n      "x": [\n        1\n      ]\n    }\n  }',
    ],
    [
      "a removed last member",
      ({ blocks: _, ...data }) => data,
      ',\n    "blocks": [\n      { "contentBlockId": "hero" }\n    ]',
      "",
    ],
    ["a new element", (data) => ({ ...data, tags: ["a", "b", "c"] }), '"b"]', '"b", "c"]'],
    ["an element between", (data) => ({ ...data, tags: ["a", "x", "b"] }), '"a", ', '"a", "x", '],
    ["a removed element", (data) => ({ ...data, tags: ["b"] }), '"a", ', ""],
    ["no element", (data) => ({ ...data, tags: [] }), '["a", "b"]', "[]"],
    [
      "an object more",
      (data) => ({ ...data, blocks: [...(data.blocks as JsonValue[]), { id: 1 }] }),
      '{ "contentBlockId": "hero" }',
      '{ "contentBlockId": "hero" },\n      { "id": 1 }',
    ],
    [
      "a member of an object on one line",
      (data) => ({ ...data, blocks: [{ contentBlockId: "hero", data: null }] }),
      '"hero" }',
      '"hero", "data": null }',
    ],
    [
      "another order",
      (data) => Object.fromEntries(Object.entries(data).reverse()),
      "Hello",
      "Hello",
    ],
  ])("M2: %s", (_what, change, from, to) => {
    expect(PAGE).toContain(from);
    expect(edited(change)).toBe(PAGE.replace(from, to));
    const windows = PAGE.replaceAll("\n", "\r\n");
    expect(edited(change, windows)).toBe(
      windows.replace(from.replaceAll("\n", "\r\n"), to.replaceAll("\n", "\r\n")),
    );
  });

  it.each([
    ['[{ "a": "hero" }]', '[{ "a": "hero" }, { "b": { "c": [1] } }]'],
    ['[{"a":"hero"},{"a":2}]', '[{"a":"hero"},{"a":2},{"b":{"c":[1]}}]'],
    [
      '[{\n      "a": 1\n    }]',
      '[{\n      "a": 1\n    }, {\n      "b": {\n        "c": [\n          1\n        ]\n      }\n    }]',
    ],
  ])("M2: an object more in a list is written as those before it: %j", (before, after) => {
    const file = (list: string) => `{\n  "data": {\n    "blocks": ${list}\n  }\n}\n`;
    const value = JSON.parse(file(before));
    value.data.blocks.push({ b: { c: [1] } });
    expect(withValue(file(before), value)).toBe(file(after));
  });

  it.each([
    ['{"id":"a","data":{"title":"x","n":1}}', '{"id":"a","data":{"headline":"x","n":1}}', renamed],
    [
      '{"id": "a", "data": {"n": 1}}',
      '{"id": "a", "data": {"n": 1, "o": {"p": [1, 2]}}}',
      (data: Record<string, JsonValue>) => ({ ...data, o: { p: [1, 2] } }),
    ],
    ['{"id":"a","data":{}}', '{"id":"a","data":{"o":[1,{}]}}', () => ({ o: [1, {}] })],
  ] as const)("M2: a text of one line stays one: %s", (before, after, change) => {
    expect(edited(change, before)).toBe(after);
  });

  it("M2: comments and trailing commas stay with what they are about", () => {
    const text = `{
  // the id
  "id": "a", // after it
  "data": {
    "title": "x", // the title
    "gone": 1, // goes
    /* before */ "n": 2 /* n */,
    "last": 3, // last
  },
}
`;
    const change = ({ gone: _, last: __, ...data }: Record<string, JsonValue>) => ({
      ...renamed(data),
      new: 4,
    });
    expect(edited(change, text)).toBe(
      text
        .replace('    "gone": 1, // goes\n', "")
        .replace('"title"', '"headline"')
        .replace('"n": 2 /* n */,', '"n": 2, /* n */')
        .replace('"last": 3', '"new": 3')
        .replace('"new": 3', '"new": 4'),
    );
  });

  it("M2: comments that are about no value stay, also in a list that was or becomes empty", () => {
    const list = "[ 1, // one\n  2 // two\n  // add others above\n]";
    expect(withValue(list, [1])).toBe("[ 1 // one\n  // add others above\n]");
    expect(withValue(list, [1, 2, 3])).toBe(
      "[ 1, // one\n  2, // two\n  3\n  // add others above\n]",
    );
    const none = "[\n  // add others above\n]";
    expect(withValue(list, [])).toBe(none);
    expect(withValue(none, ["a", "b"])).toBe('[\n  // add others above\n  "a",\n  "b"\n]');
    expect(withValue("{ /* none */ }", { a: 1 })).toBe('{ /* none */"a": 1}');
    // Also behind another one than before.
    expect(withValue("[/* one */ 1]", [0, 1])).toBe("[ 0, /* one */1]");
    const odd = "[ 0 // zero\n , /* one */ 1 // two\n , /* end */ ]";
    for (const comment of odd.match(/\/.*?(?:\*\/|$)/gm) ?? []) {
      expect(withValue(odd, [0, 2])).toContain(comment);
      expect(withValue(odd, [0, 1, 2])).toContain(comment);
    }
  });

  it("M2: any value becomes any other, in any style, and back", () => {
    const key = fc.constantFrom("a", "b", "c", "1", "2", "__proto__", "\u2028");
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom<JsonValue>(null, true, 0, -1.5, "", "x, // y", '":', "[", "\n"),
        fc.array(tie("value"), { maxLength: 4 }),
        fc
          .uniqueArray(fc.tuple(key, tie("value")), { maxLength: 5, selector: ([name]) => name })
          .map((members) => Object.fromEntries(members)),
      ),
    }));
    const style = fc.constantFrom(undefined, 2, "\t");
    fc.assert(
      fc.property(value, value, style, (before, after, indent) => {
        const text = JSON.stringify(before, null, indent);
        expect(withValue(text, before)).toBe(text);
        const next = withValue(text, after);
        expect(JSON.parse(next)).toEqual(after);
        expect(JSON.stringify(jsonValue(next))).toBe(JSON.stringify(JSON.parse(next)));
        expect(JSON.parse(withValue(next, before))).toEqual(before);
      }),
      { numRuns: randomRuns(2000) },
    );
  });
});
