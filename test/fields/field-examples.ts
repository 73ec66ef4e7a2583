import type { JsonValue } from "../../src/workspace/json.ts";
import {
  type Example,
  type FieldExamples,
  RESOLVED_FIELD_EXAMPLES,
} from "./resolved-field-examples.ts";

const asStored = (...values: JsonValue[]): Example[] =>
  values.map((stored) => ({ stored, served: stored }));

const NO_STRINGS = [1, true, {}, [], ["a"]];
const NO_NUMBERS = ["1", "", true, {}, [1]];

/** By type. A new type needs its examples here, or the generic test fails. */
export const FIELD_EXAMPLES: Readonly<Record<string, readonly FieldExamples[]>> = {
  text: [
    { served: asStored("", "plain", "two\nlines", "\u0000", "𝐀", "\ud800"), wrong: NO_STRINGS },
    {
      options: { minLength: 2, maxLength: 3 },
      served: asStored("ab", "abc", "𝐀𝐀", "𝐀𝐀𝐀"),
      wrong: NO_STRINGS,
      breaking: asStored("", "a", "𝐀", "abcd", "𝐀𝐀𝐀𝐀"),
    },
    {
      options: { pattern: "\\p{Lu}.$" },
      served: asStored("Ab", "xÄ𝐀"),
      wrong: NO_STRINGS,
      breaking: asStored("ab", "Abc", ""),
    },
    {
      options: { format: "markdown", maxLength: 9 },
      served: asStored("# A\n\n*b*", "<i>"),
      wrong: NO_STRINGS,
      breaking: asStored("0123456789"),
    },
  ],
  select: [
    {
      options: { options: ["red", ""] },
      served: asStored("red", ""),
      wrong: NO_STRINGS,
      breaking: asStored("Red", "re", "green"),
    },
  ],
  number: [
    { served: asStored(0, -1.5, 1e300, 5e-324), wrong: NO_NUMBERS },
    {
      options: { minimum: -0.5, maximum: 2 },
      served: asStored(-0.5, 0, 2),
      wrong: NO_NUMBERS,
      breaking: asStored(-0.51, 2.0001, 1e9),
    },
  ],
  integer: [
    { served: asStored(0, -7, 1e300), wrong: [...NO_NUMBERS, 0.5, -1.000001] },
    {
      options: { minimum: 1, maximum: 3 },
      served: asStored(1, 3),
      wrong: [2.5],
      breaking: asStored(0, 4),
    },
  ],
  boolean: [{ served: asStored(true, false), wrong: ["true", 0, 1, "", {}, [true]] }],
  date: [
    {
      served: asStored("2024-02-29", "0001-01-01"),
      wrong: NO_STRINGS,
      breaking: asStored("2023-02-29", "2024-2-9", "2024-01-01T00:00:00Z", "", "01.02.2024"),
    },
  ],
  "date-time": [
    {
      served: asStored("2024-02-29T12:00:00Z", "1999-12-31t23:59:59.123+05:30"),
      wrong: NO_STRINGS,
      breaking: asStored("2024-02-29", "2024-02-29T12:00:00", "2024-02-30T12:00:00Z", "noon"),
    },
  ],
  "iso-date": [
    {
      served: asStored(
        ...["2024-02-29", "2000-02-29T00:00", "2024-03-01T00:00+02:00", "2024-02-29T23:30Z"],
        ...["1999-12-31t23:59:59.123-05:30", "2024-03-01 10:00:00 +0100", "0001-01-01 10:00"],
      ),
      wrong: NO_STRINGS,
      breaking: asStored(
        ...["", "noon", "2024", "2024-3-01", "2024-03-01T10", "2024-03-01T", "01.03.2024"],
        ...["2024-02-30", "2023-02-29T10:00", "1900-02-29", "2024-04-31T10:00Z", "2024-13-01"],
        ...["2024-03-01T24:00", "2024-03-01T25:00", "2024-03-01T10:60", "2024-03-01T10:00+25:00"],
        ...["2024-03-01Z", " 2024-03-01", "2024-03-01\n"],
      ),
    },
  ],
  url: [
    {
      served: asStored(
        "https://a.example/?q=%20#f",
        "HTTP://a.example",
        "mailto:a@b.example",
        "tel:+49-12",
      ),
      wrong: NO_STRINGS,
      breaking: asStored(
        "/a",
        "//a.example",
        "ftp://a.example",
        "javascript:x()",
        "https://a b",
        "",
      ),
    },
  ],
  email: [
    {
      served: asStored("a@b.example", "a.b+c@b.example"),
      wrong: NO_STRINGS,
      breaking: asStored("a", "@b.example", "a@", "a b@c.example", ""),
    },
  ],
  json: [
    {
      served: asStored(
        "",
        0,
        false,
        [],
        [null, [1]],
        {},
        { a: null },
        {
          contentEntryId: "shop-1",
          assetId: "photo",
          contentBlockId: "b-hero",
          data: {},
        },
      ),
      wrong: [],
    },
  ],
  ...RESOLVED_FIELD_EXAMPLES,
};
