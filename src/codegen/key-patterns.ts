/**
 * S12: patterns of keys or ids as the schema document has them, `article-*` and `journal-{page}`. Types name
 * them in place of what they give, so that a new entry changes no type (T2).
 */
const PAGE = "{page}";
const PLACE = /(\*|\{page\})/;

/** Whether the text is one, with nothing else than keys and ids may have. */
export function isPattern(text: string): boolean {
  return PLACE.test(text) && /^[\w.-]*$/.test(text.replaceAll("*", "").replaceAll(PAGE, ""));
}

/** Whether a pattern gives the key. */
export function isGiven(pattern: string, key: string): boolean {
  const [first = "", ...others] = pattern.replaceAll(PAGE, "*").split("*");
  if (pattern.includes(PAGE) && !pattern.includes("*")) {
    const [digits = ""] = /^\d{0,9}/.exec(key.slice(pattern.indexOf(PAGE))) ?? [];
    return [...digits].some((_, at) => pattern.replaceAll(PAGE, digits.slice(0, at + 1)) === key);
  }
  const last = others.pop() ?? "";
  if (!key.startsWith(first) || !key.endsWith(last)) return false;
  let end = first.length;
  for (const part of others) {
    const at = key.indexOf(part, end + 1);
    if (at < 0) return false;
    end = at + part.length;
  }
  return end < key.length - last.length;
}

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
