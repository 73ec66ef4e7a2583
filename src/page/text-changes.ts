import { diffArrays } from "diff";

/** A piece of two texts: in both, in the one before, or in the one after. */
export type TextPiece = readonly [in_: "both" | "before" | "after", text: string];

/** Longer texts are compared without their words; more edits than these are another text. */
const [LONGEST, MOST_EDITS, MOST_TIME] = [200_000, 1500, 200];
/** How much of a piece is kept: around a change of what is in both, and of what changed. */
const [AROUND, KEPT] = [160, 6000];
/** Texts with less than this part in common are shown as wholly replaced. */
const LEAST_IN_COMMON = 0.2;

/** H31: two texts in pieces, which differ by whole words; what is the same is shortened. */
export function textChanges(before: string, after: string): TextPiece[] {
  const [olds, news] = [wordsOf(before), wordsOf(after)];
  const most = Math.min(olds.length, news.length);
  let start = 0;
  while (start < most && olds[start] === news[start]) start += 1;
  let end = 0;
  while (end < most - start && olds.at(-1 - end) === news.at(-1 - end)) end += 1;
  const inner = compared(
    olds.slice(start, olds.length - end),
    news.slice(start, news.length - end),
  );
  const pieces: TextPiece[] = [
    ["both", olds.slice(0, start).join("")],
    ...inner,
    ["both", olds.slice(olds.length - end).join("")],
  ];
  const kept = pieces.filter(([, text]) => text !== "");
  return kept.map(([where, text], at) => [where, shortened(where, text, at, kept.length)]);
}

function wordsOf(text: string): readonly string[] {
  if (text.length > LONGEST) return text.split(/(?<=\n)/);
  const words = new Intl.Segmenter("und", { granularity: "word" }).segment(text);
  return Array.from(words, ({ segment }) => segment);
}

function compared(olds: readonly string[], news: readonly string[]): TextPiece[] {
  const whole: TextPiece[] = [
    ["before", olds.join("")],
    ["after", news.join("")],
  ];
  const limits = { maxEditLength: MOST_EDITS, timeout: MOST_TIME };
  const parts = diffArrays([...olds], [...news], limits);
  if (parts === undefined) return whole;
  let same = 0;
  const pieces = parts.map(({ added, removed, value }): TextPiece => {
    const text = value.join("");
    if (!added && !removed) same += text.trim().length;
    return [added ? "after" : removed ? "before" : "both", text];
  });
  const length = Math.max(...whole.map(([, text]) => text.length));
  return same < LEAST_IN_COMMON * length ? whole : pieces;
}

function shortened(where: TextPiece[0], text: string, at: number, of: number): string {
  if (where !== "both") return text.length > KEPT ? `${text.slice(0, KEPT)}…` : text;
  const [isFirst, isLast] = [at === 0, at === of - 1];
  const head = isFirst ? "" : text.slice(0, AROUND);
  const tail = isLast ? "" : text.slice(-AROUND);
  return text.length > head.length + tail.length + AROUND / 4 ? `${head} … ${tail}` : text;
}
