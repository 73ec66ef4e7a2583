/**
 * Types name the patterns of the schema document (S12) in place of what they give, so that a new entry changes no
 * type (T2).
 */
const PAGE = "{page}";
const PLACE = /(\*|\{page\})/;

/** Whether both may give the same key: what they begin and end with does not keep them apart. */
export function mayOverlap(one: string, other: string): boolean {
  const [a, b] = [one.split(PLACE), other.split(PLACE)];
  const [first, second] = [a[0] ?? "", b[0] ?? ""];
  const [last, secondLast] = [a.at(-1) ?? "", b.at(-1) ?? ""];
  return (
    (first.startsWith(second) || second.startsWith(first)) &&
    (last.endsWith(secondLast) || secondLast.endsWith(last))
  );
}

/**
 * `` `article-${string}` ``; `string` for a pattern that is nothing but values. Beside a value a number is any
 * text: TypeScript reads of `tag-a-b-1` that the value is `a`, and then no number.
 */
export function templateType(pattern: string): string {
  if (/^\*+$/.test(pattern)) return "string";
  const page = pattern.includes("*") ? `\${string}` : `\${number}`;
  return `\`${pattern.replaceAll("*", `\${string}`).replaceAll(PAGE, page)}\``;
}

/** K13: what `pages()` calls the list whose pages have these ids; undefined: they are no pages. */
export function listName(pattern: string): string | undefined {
  return pattern.includes(PAGE) ? pattern.replace(/^([^{}]*)-\{page\}$/, "$1") : undefined;
}
