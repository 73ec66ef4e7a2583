/** A text of at most `length` characters, the last of which says that it was longer. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${part(text, 0, length - 1)}…`;
}

/** A slice of a text that does not split surrogate pairs. */
export function part(text: string, from: number, to = text.length): string {
  const isLow = (at: number) => /[\udc00-\udfff]/.test(text[at] ?? "");
  return text.slice(isLow(from) ? from + 1 : from, isLow(to) ? to - 1 : to);
}

/** P13b: the longest value that a message shows, in characters. */
export const MAX_SHOWN = 200;
