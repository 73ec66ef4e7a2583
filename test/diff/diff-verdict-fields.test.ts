import { describe, expect, it } from "vitest";
import { changesOf, type Definitions, each, same } from "./field-verdicts.ts";

describe("the verdict for every type of field, in models, blocks and project fields", () => {
  it.each<[string, Definitions, Definitions, object, object]>([
    [
      "a field removed is breaking; added: safe",
      each(),
      {},
      same(["breaking field-removed"]),
      same(["safe field-added"]),
    ],
    [
      "a required field becoming optional is breaking; the way back: safe",
      each({ required: true }),
      each(),
      same(["breaking field-optional"], []),
      same(["safe field-required"], []),
    ],
    [
      "an optional field becoming a list, and a list becoming an optional field, are breaking",
      each(),
      each({ repeatable: true }),
      same(["breaking type-changed", "safe field-required"]),
      same(["breaking field-optional", "breaking type-changed"]),
    ],
    [
      "a required field becoming a list, and a list becoming a required field, are breaking",
      each({ required: true }),
      each({ repeatable: true }),
      same(["breaking type-changed"], ["breaking type-changed", "safe field-required"]),
      same(["breaking type-changed"], ["breaking field-optional", "breaking type-changed"]),
    ],
    [
      "a list is always served, so that required or not makes no difference",
      each({ repeatable: true, required: true }),
      each({ repeatable: true }),
      {},
      {},
    ],
    [
      "a name is safe: it is for people",
      each({ name: "Before" }),
      each({ name: "After" }),
      same(["safe name-changed"]),
      same(["safe name-changed"]),
    ],
    [
      "a description is safe: it is for people",
      each({ description: "Before" }),
      each({ description: "After" }),
      same(["safe description-changed"]),
      same(["safe description-changed"]),
    ],
    [
      "the name of a list is safe",
      each({ repeatable: true }),
      each({ repeatable: true, name: "After" }),
      same(["safe name-changed"]),
      same(["safe name-changed"]),
    ],
    [
      "a list's greatest number of elements is a constraint: safe",
      each({ repeatable: true, maxItems: 3 }),
      each({ repeatable: true, maxItems: 4 }),
      same(["safe constraint-changed"]),
      same(["safe constraint-changed"]),
    ],
    [
      "a list's least number of elements is a constraint: safe",
      each({ repeatable: true }),
      each({ repeatable: true, minItems: 1 }),
      same(["safe constraint-changed"], []),
      same(["safe constraint-changed"], []),
    ],
  ])("%s", (_title, before, after, forth, back) => {
    expect(changesOf(before, after)).toEqual([forth, back]);
  });
});
