import fc from "fast-check";
import type { JsonValue } from "../../../src/workspace/json.ts";
import type { RandomField } from "./random-fields.ts";

/** Any JSON value but null. */
export const anyJson = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => value !== null) as fc.Arbitrary<JsonValue>;

/** Any code point, lone surrogates too. The unit "binary" of fast-check is a table of all of them. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map(
  (code) => String.fromCodePoint(code),
  (text) => {
    if (typeof text !== "string" || [...text].length !== 1) throw new Error("not one code point");
    return text.codePointAt(0) as number;
  },
);

/** Any text, of a length in code points. */
export function anyText(limits: { minLength?: number; maxLength?: number }): fc.Arbitrary<string> {
  return fc.string({ unit: codePoint, ...limits });
}

/** Stored values that the field accepts, of every type without references. */
export function rightScalar(field: RandomField): fc.Arbitrary<JsonValue> {
  const { minLength = 0, maxLength = 9, pattern, options = [], minimum, maximum } = field;
  switch (field.type) {
    case "text":
      if (pattern !== undefined) return fc.constantFrom("Ä", "Zoë", "𝐀");
      // P2: blank text is no value of a required field.
      return anyText({ minLength, maxLength }).filter(
        (text) => field.required !== true || text.trim() !== "",
      );
    case "select":
      return fc.constantFrom(...options);
    case "number":
      return fc.double({ noNaN: true, min: minimum ?? -1e300, max: maximum ?? 1e300 });
    case "integer":
      return fc.integer({ min: minimum ?? -9, max: maximum ?? 9 });
    case "boolean":
      return fc.boolean();
    case "date":
      return fc.constantFrom("2024-02-29", "1999-12-31");
    case "date-time":
      return fc.constantFrom("2024-02-29T23:59:60Z", "1999-12-31T00:00:00.5+05:30");
    case "iso-date":
      return fc.constantFrom("2024-02-29", "1999-12-31T00:00+05:30", "2000-01-01 10:00:00.5");
    case "url":
      return fc.constantFrom("https://example.org/?q=1#a", "mailto:a@example.org", "TEL:+4912");
    case "email":
      return fc.constantFrom("a@example.org", "a.b+c@x.example");
    case "json":
      return fc.oneof(anyJson, fc.constant(JSON.parse('{"__proto__":{"10":1,"9":[]}}')));
    case "asset":
    case "html-asset":
      return fc.record(
        {
          assetId: fc.constantFrom("film", "page", "photo", "gone"),
          versionId: fc.constantFrom("v1", "v2"),
        },
        { requiredKeys: ["assetId"] },
      );
    default:
      throw new TypeError(`no values for the type ${field.type}`);
  }
}

/** Values that are nearly valid, by type. */
export const NEARLY_RIGHT: Readonly<Record<string, readonly JsonValue[]>> = {
  text: ["", "a", "Abcde", "lower", "𝐀𝐀𝐀𝐀𝐀"],
  select: ["blue"],
  number: [-1.6, 8.1],
  integer: [-1, 4, 2.5],
  date: ["2023-02-29"],
  "date-time": ["2024-02-29T00:00:00"],
  "iso-date": ["2023-02-29T00:00"],
  url: ["x:y", "/path"],
  email: ["a@"],
  asset: [{ assetId: 4 }],
  "html-asset": [{ assetId: "page", versionId: 1 }],
};
