import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldType } from "../../src/fields/registry.ts";
import { fieldFaults } from "../../src/folder/record-shapes.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { randomRuns } from "../support/random-runs.ts";
import type { RandomField } from "../support/workspaces/random-fields.ts";

type Options = Omit<RandomField, "key" | "type">;

/** Any UTF-16, with unpaired surrogates. */
const anyText = fc.oneof(
  fc.string({
    unit: fc.constantFrom("a", "ß", "é", "e\u0301", "界", "𝐀", "👩‍🚀", "🇫🇷"),
    maxLength: 8,
  }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 5 })
    .map((units) => String.fromCharCode(...units)),
);
const short = fc.constantFrom("", "a", "Ab", "b2", "𝐀", "x\ny", "\ud800", "42");
const anyNumber = fc.oneof(
  fc.integer({ min: -4, max: 4 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -8, max: 8 }).map((half) => half / 2),
);
const PATTERNS = ["^[a-z]", "\\p{Lu}", "^.{2}$", "[^a]", "\\u{1D400}", "^$", "a|b", "\\d{2,}", ""];

/** By type: definitions, and values that are often right and often nearly right. */
const LEAVES: Readonly<Record<string, [fc.Arbitrary<Options>, fc.Arbitrary<JsonValue>]>> = {
  text: [textOptions(), fc.oneof(short, anyText)],
  select: [
    fc.uniqueArray(short, { minLength: 1 }).map((options) => ({ options })),
    fc.oneof(short, anyText),
  ],
  number: [range(), anyNumber],
  integer: [range(), anyNumber],
  boolean: [fc.constant({}), fc.boolean()],
  date: [fc.constant({}), fc.stringMatching(/^\d{3}[0-4]-[01]\d-[0-3]\d$/)],
  "date-time": [
    fc.constant({}),
    fc.stringMatching(
      /^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(\.\d{1,3})?(Z|z|[+-][0-2]\d:\d\d)?$/,
    ),
  ],
  url: [
    fc.constant({}),
    fc
      .tuple(
        fc.constantFrom(
          "http:",
          "HTTPS:",
          "mailto:",
          "tel:",
          "Tel:",
          "ftp:",
          "data:",
          "",
          "x-http:",
        ),
        fc.oneof(
          fc.webUrl({ withFragments: true, withQueryParameters: true }).map((url) => url.slice(6)),
          fc.emailAddress(),
          fc.stringMatching(/^(\/\/)?[a-z0-9:@/%? #[\]ä]{0,9}$/),
        ),
      )
      .map(([scheme, rest]) => scheme + rest),
  ],
  email: [
    fc.constant({}),
    fc.oneof(fc.emailAddress(), fc.stringMatching(/^[a-z."+ä]{0,4}@[a-z0-9.-]{0,8}$/)),
  ],
  json: [fc.constant({}), fc.constant({ a: [1] })],
};

describe("design: a type's value and its schema cannot drift apart", () => {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv);

  it.each(Object.entries(LEAVES))(
    "V3b: a %s has its shape and breaks no constraint exactly when ajv accepts it",
    (name, [options, likely]) => {
      const type = fieldType(name);
      const values = fc.oneof({ weight: 5, arbitrary: likely }, fc.jsonValue() as typeof likely);
      let accepted = 0;
      const law = fc.property(options, fc.array(values, { minLength: 10 }), (drawn, list) => {
        const field = { key: "k", type: name, ...drawn };
        expect(fieldFaults(field)).toEqual([]);
        const validate = ajv.compile(type.schema(field, { models: [], blocks: [] }, "#"));
        for (const value of list) {
          const right = type.hasShape(value) && type.brokenConstraint?.(field, value) === undefined;
          expect({ value, right }).toEqual({ value, right: validate(value) });
          if (right) accepted += 1;
        }
      });
      fc.assert(law, { numRuns: randomRuns(100) });
      // Both sides of the law occurred.
      expect(accepted).toBeGreaterThan(randomRuns(20));
    },
  );
});

function textOptions(): fc.Arbitrary<Options> {
  const lengths = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }));
  return fc
    .record({
      lengths: fc.option(lengths, { nil: undefined }),
      only: fc.constantFrom("minLength", "maxLength", "both"),
      pattern: fc.option(fc.constantFrom(...PATTERNS), { nil: undefined }),
    })
    .map(({ lengths: drawn, only, pattern }) => ({
      ...(drawn && only !== "maxLength" && { minLength: Math.min(...drawn) }),
      ...(drawn && only !== "minLength" && { maxLength: Math.max(...drawn) }),
      ...(pattern !== undefined && { pattern }),
    }));
}

function range(): fc.Arbitrary<Options> {
  return fc.tuple(fc.option(anyNumber), fc.option(anyNumber)).map(([a, b]) => ({
    ...(a !== null && { minimum: b === null ? a : Math.min(a, b) }),
    ...(b !== null && { maximum: a === null ? b : Math.max(a, b) }),
  }));
}
