/** S12: patterns of keys or ids as the schema document has them, `article-*` and `journal-{page}`. */
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
