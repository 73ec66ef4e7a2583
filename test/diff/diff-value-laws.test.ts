import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignLists } from "../../src/diff/align-lists.ts";
import { compareValues, type ValueChange } from "../../src/diff/compare-values.ts";
import { canonicalJson } from "../../src/documents/canonical-json.ts";
import { isJsonObject, type JsonValue, jsonPointer } from "../../src/workspace/json.ts";
import { randomRuns } from "../support/random-runs.ts";

/**
 * Applies changes to the value before: first all removals at once, then the rest in order.
 */
function applyChanges(before: JsonValue, changes: readonly ValueChange[]): JsonValue {
  const gone = changes.filter(({ change }) => change === "removed").map(({ path }) => path);
  const root = { value: without(before, new Set(gone), []) };
  for (const { path, change, after } of changes) {
    if (change !== "removed") put(root, path, change, after as JsonValue);
  }
  return root.value;
}

/** The value at a JSON Pointer; undefined when there is none. */
function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  return segmentsOf(pointer).reduce<JsonValue | undefined>(
    (at, name) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, name)
        ? (at as { [name: string]: JsonValue })[name]
        : undefined,
    value,
  );
}

/** A copy without the values at these pointers. */
function without(value: JsonValue, gone: ReadonlySet<string>, path: string[]): JsonValue {
  const kept = (name: string | number) => !gone.has(jsonPointer([...path, name]));
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((element, index) =>
      kept(index) ? [without(element, gone, [...path, String(index)])] : [],
    );
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => kept(name));
  return Object.fromEntries(
    members.map(([name, member]) => [name, without(member, gone, [...path, name])]),
  );
}

function put(
  root: { value: JsonValue },
  path: string,
  change: "added" | "changed",
  value: JsonValue,
): void {
  const names = ["value", ...segmentsOf(path)];
  const last = names.pop() as string;
  // `value` is the only member of the root, so that its own paths begin with it.
  const holder = valueAt(root, jsonPointer(names)) as JsonValue[];
  if (Array.isArray(holder) && change === "added") holder.splice(Number(last), 0, value);
  else {
    Object.defineProperty(holder, last, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

function segmentsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Names that identify elements, that objects inherit, that look like places, or need escaping. */
const NAMES = ["id", "contentEntryId", "contentBlockId", "data", "10", "0", "a/b", "~1", ""];
const INHERITED = ["constructor", "__proto__", "toString"];

/** Values of few sorts, so that two of them have much in common. */
const { value } = fc.letrec<{ value: JsonValue; list: JsonValue[]; object: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 0, 1, "", "0", "a", "b", "c"),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 5 }),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...NAMES, ...INHERITED), tie("value")), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    .map((members) => Object.fromEntries(members)),
}));

const two = [value, value] as const;

describe("laws of the comparison of values", () => {
  it("applying the changes to the value before gives the value after", () => {
    fc.assert(
      fc.property(...two, (before, after) => {
        const result = applyChanges(before, compareValues(before, after));
        expect(canonicalJson(result)).toBe(canonicalJson(after));
      }),
      { numRuns: randomRuns(1000) },
    );
  });

  it("equal values have no changes, others have some", () => {
    fc.assert(
      fc.property(...two, (before, after) => {
        expect(compareValues(before, structuredClone(before))).toEqual([]);
        const isSame = canonicalJson(before) === canonicalJson(after);
        expect(compareValues(before, after).length === 0).toBe(isSame);
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it("removed values were at their path before; added and changed ones are at their path after", () => {
    fc.assert(
      fc.property(...two, (before, after) => {
        for (const change of compareValues(before, after)) {
          const side = change.change === "removed" ? before : after;
          const expected = change.change === "removed" ? change.before : change.after;
          expect(valueAt(side, change.path), change.path).toEqual(expected);
        }
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it("inserting or removing an element of a list of distinct elements is one change", () => {
    const lists = fc.uniqueArray(fc.oneof(fc.string(), value), { selector: canonicalJson });
    fc.assert(
      fc.property(lists, fc.nat(), fc.string(), (list, at, element) => {
        const place = at % (list.length + 1);
        const more = list.toSpliced(place, 0, { id: `new ${element}` });
        expect(compareValues({ list }, { list: more })).toEqual([
          { path: `/list/${place}`, change: "added", after: { id: `new ${element}` } },
        ]);
        expect(compareValues({ list: more }, { list })).toEqual([
          { path: `/list/${place}`, change: "removed", before: { id: `new ${element}` } },
        ]);
      }),
      { numRuns: randomRuns(300) },
    );
  });
});

it("D1: another asset, target or block is one change, and at the root a change of its members", () => {
  const [a, b] = [
    { id: "a", url: "1" },
    { id: "b", url: "2" },
  ];
  expect(compareValues({ picture: a }, { picture: b })).toEqual([
    { path: "/picture", change: "changed", before: a, after: b },
  ]);
  expect(compareValues({ picture: a }, { picture: { ...a, url: "2" } })).toEqual([
    { path: "/picture/url", change: "changed", before: "1", after: "2" },
  ]);
  expect(compareValues(b, a).map(({ path }) => path)).toEqual(["/id", "/url"]);
});

it("D1: members are in order, and an element of another type is another element", () => {
  const paths = compareValues({ b: 1, B: 1, a: 1 }, { b: 2, a: 2, B: 2 }).map(({ path }) => path);
  expect(paths).toEqual(["/B", "/a", "/b"]);
  for (const other of [{ x: 1 }, ["x"], "x"]) {
    expect(compareValues([null], [other])).toEqual([
      { path: "/0", change: "removed", before: null },
      { path: "/0", change: "added", after: other },
    ]);
  }
});

it("D1: of a list with hundreds of edits, only what was edited is reported", () => {
  const list = Array.from({ length: 1_000 }, (_, n) => `text ${n}`);
  const isEdited = (n: number) => n % 5 === 0;
  const fewer = list.filter((_, n) => !isEdited(n));
  const edited = list.flatMap((text, n) => (isEdited(n) ? { index: n, text } : []));
  expect(compareValues(list, fewer)).toEqual(
    edited.map(({ index, text }) => ({ path: `/${index}`, change: "removed", before: text })),
  );
  expect(compareValues(fewer, list)).toEqual(
    edited.map(({ index, text }) => ({ path: `/${index}`, change: "added", after: text })),
  );
});

describe("large values take bounded time", () => {
  const COUNT = 5000;
  const list = (element: (n: number) => JsonValue) =>
    Array.from({ length: COUNT }, (_, n) => element(n));

  it.each<[string, JsonValue, JsonValue]>([
    ["texts that all differ", list((n) => `a${n}`), list((n) => `b${n}`)],
    ["texts in reverse", list((n) => `a${n}`), list((n) => `a${COUNT - n}`)],
    ["pointers in reverse", list((n) => ({ id: `a${n}` })), list((n) => ({ id: `a${COUNT - n}` }))],
    [
      "every fifth one gone",
      list((n) => `a${n}`),
      list((n) => `a${n}`).filter((_, n) => n % 5 > 0),
    ],
    ["all of them the same, then others", list(() => "a"), list(() => "b")],
    ["lists of lists", list((n) => [[n], ["x"]]), list((n) => [[n + 1], ["y"]])],
    [
      "objects of many members",
      Object.fromEntries(list((n) => n).map((n) => [`a${n}`, n])),
      Object.fromEntries(list((n) => n).map((n) => [`b${n}`, n])),
    ],
  ])("%s", (_title, before, after) => {
    const start = process.threadCpuUsage();
    const changes = compareValues({ list: before }, { list: after });
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(2000);
    expect(canonicalJson(applyChanges({ list: before }, changes))).toBe(
      canonicalJson({ list: after }),
    );
  });
});

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
