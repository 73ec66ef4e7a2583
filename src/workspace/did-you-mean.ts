/** Longer names are not compared: the time grows with the square of the length. */
const MAX_LENGTH = 128;

/**
 * P10: the candidate that a name is probably a misspelling of: letter case aside, the nearest one with
 * at most one edit for every three characters, and at most three edits (`maxEdits`).
 */
export function didYouMean(
  name: string,
  candidates: Iterable<string>,
  maxEdits = 3,
): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const folded = name.toLowerCase();
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const limit = Math.min(maxEdits, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (Math.abs(name.length - candidate.length) > limit) continue;
    const edits = editDistance(folded, candidate.toLowerCase());
    if (edits > limit || edits >= least) continue;
    [nearest, least] = [candidate, edits];
  }
  return nearest;
}

/** How many characters to insert, delete, replace, or swap with the next one (Damerau-Levenshtein). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = a[row - 1] === b[column - 1] ? 0 : 1;
      const at = (distances: number[], index: number) => distances[index] as number;
      let edits = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + replaced,
      );
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap && row > 1 && column > 1) edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      current.push(edits);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] as number;
}

/** P10a: of models or blocks the id that is probably meant; many write their key or their name. */
export function suggestedId(
  id: string,
  records: ReadonlyMap<
    string,
    { readonly id: string; readonly key: string; readonly name: string }
  >,
): { readonly suggestion?: string } {
  const byOther = () =>
    [...records.values()].find(({ key, name }) => key === id || name === id)?.id;
  return suggested(id, records, () => records.keys(), byOther);
}

/** P10a: of locales the one that is probably meant, else the first of the same language. */
export function suggestedLocale(
  locale: string,
  locales: ReadonlySet<string>,
): { readonly suggestion?: string } {
  const languageOf = (one: string) => one.split("-", 1)[0]?.toLowerCase();
  const near = () => didYouMean(locale, locales);
  const ofLanguage = () => [...locales].find((one) => languageOf(one) === languageOf(locale));
  return suggested(
    locale,
    locales,
    () => [],
    () => near() ?? ofLanguage(),
  );
}

/** By the object that has the names. Many entries may have the same wrong name. */
const found = new WeakMap<object, Map<string, { readonly suggestion?: string }>>();

/**
 * Of these names of `owner` the one that is probably meant, as an argument of problems.
 *
 * @param otherwise finds the one that has `name` in another way, as an id by its key.
 */
export function suggested(
  name: string,
  owner: object,
  names: () => Iterable<string>,
  otherwise: () => string | undefined = () => undefined,
): { readonly suggestion?: string } {
  const ofOwner = found.get(owner) ?? new Map<string, { readonly suggestion?: string }>();
  found.set(owner, ofOwner);
  const earlier = ofOwner.get(name);
  if (earlier !== undefined) return earlier;
  const suggestion = otherwise() ?? didYouMean(name, names());
  const argument = suggestion === undefined ? {} : { suggestion };
  ofOwner.set(name, argument);
  return argument;
}
