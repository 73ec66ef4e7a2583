import fc from "fast-check";

/** Patterns of everything that makes an engine backtrack; some are not valid. */
export const randomPattern: fc.Arbitrary<string> = fc.letrec<{
  either: string;
  sequence: string;
  part: string;
}>((tie) => ({
  either: fc
    .array(tie("sequence"), { minLength: 1, maxLength: 3 })
    .map((sequences) => sequences.join("|")),
  sequence: fc.array(tie("part"), { maxLength: 3 }).map((parts) => parts.join("")),
  part: fc.oneof(
    { maxDepth: 2 },
    fc
      .tuple(
        fc.constantFrom("a", "b", ".", "[ab]", "\\w", "[^a]", "\\p{L}", "ä", "[^]", "\\s"),
        fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,3}", "{2,}", "{1,40}", "*?"),
      )
      .map((parts) => parts.join("")),
    fc.constantFrom("^", "$", "\\b", "\\1"),
    fc
      .tuple(
        fc.constantFrom("(", "(?:", "(?:"),
        tie("either"),
        fc.constantFrom(")", ")*", ")+", ")?", ")+?", ")*?", "){2}", "){2,}", "){0,4}", "){12}"),
      )
      .map((parts) => parts.join("")),
    fc
      .tuple(fc.constantFrom("(?=", "(?!", "(?<=", "(?<!"), tie("either"))
      .map(([start, inner]) => `${start}${inner})`),
  ),
})).either;

/** Texts that repeat themselves, which is what takes ambiguous patterns long. */
export const repetitiveText = fc
  .array(
    fc.tuple(
      fc.constantFrom("a", "b", "ab", "ä", "aab", " ", "!", "\ud800", "😀"),
      fc.constantFrom(1, 1, 2, 7, 40, 1500),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.map(([text, count]) => text.repeat(count)).join(""));
