/** The texts of an entry that a pattern can have, by their names: `id` and keys of fields. */
export type PatternTexts = ReadonlyMap<string, string>;

/** Most names in a pattern, and characters (Q11). */
const [MAXIMUM_NAMES, MAXIMUM_LENGTH] = [3, 200];
/** Comparisons of all entries: many fields with texts of a few letters fit in very many ways. */
const MAXIMUM_TRIES = 10_000;

/**
 * The pattern by which the texts of each entry give what is wanted of it: `article-{slug}`. The one with
 * the fewest names (so what all entries share is text), of these the earliest; undefined when none is found.
 *
 * @param wanted one for each entry, as `texts`.
 */
export function findPattern(
  wanted: readonly string[],
  texts: readonly PatternTexts[],
): string | undefined {
  const names = [...(texts[0]?.keys() ?? [])].filter((name) => texts.every((one) => one.get(name)));
  let tries = 0;
  const from = (starts: readonly number[], left: number): string | undefined => {
    let literal = "";
    for (;;) {
      const at = starts.map((start) => start + literal.length);
      if (wanted.every((text, index) => text.length === at[index])) return literal;
      for (const name of left > 0 ? names : []) {
        tries += 1;
        if (tries > MAXIMUM_TRIES) return undefined;
        const textOf = (index: number) => texts[index]?.get(name) as string;
        if (!wanted.every((text, index) => text.startsWith(textOf(index), at[index]))) continue;
        const rest = from(
          at.map((start, index) => start + textOf(index).length),
          left - 1,
        );
        if (rest !== undefined) return `${literal}{${name}}${rest}`;
      }
      const next = wanted[0]?.[at[0] as number];
      if (next === undefined || /[{}]/.test(next) || literal.length > MAXIMUM_LENGTH) return;
      if (!wanted.every((text, index) => text[at[index] as number] === next)) return undefined;
      literal += next;
    }
  };
  const start = wanted.map(() => 0);
  for (let count = 0; count <= MAXIMUM_NAMES; count += 1) {
    const found = from(start, count);
    if (found) return found.length <= MAXIMUM_LENGTH ? found : undefined;
  }
  return undefined;
}
