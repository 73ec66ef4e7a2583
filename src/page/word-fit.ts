import { heldBytes } from "../documents/held-bytes.ts";
import type { ListedRecord } from "./record-list.ts";
import { folded, wordsOf } from "./search-text.ts";

/** So many pairs count, and so many places of a word are looked at: of 100,000 texts many have them. */
const [PAIRS, PLACES] = [100, 16];

/** What is looked for. */
export interface Sought {
  /** Each once. */
  readonly words: readonly string[];
  readonly id: string;
  readonly bytes: readonly Buffer[];
  /** Words that follow each other, and both with a space between them. */
  readonly pairs: readonly (readonly [one: Buffer, next: Buffer, both: Buffer])[];
}

export function soughtOf(query: string): Sought {
  const all = wordsOf(query);
  const words = [...new Set(all)];
  return {
    words,
    id: folded(query).trim(),
    bytes: words.map((word) => Buffer.from(word)),
    pairs: all.slice(1, PAIRS).map((next, at) => {
      const one = all[at] as string;
      return [Buffer.from(one), Buffer.from(next), Buffer.from(`${one} ${next}`)];
    }),
  };
}

/** How a word is in a text, the best first. */
const [WHOLE, BEGINNING, INSIDE] = [0, 1, 2] as const;

/** Where words are: the title before the id, texts after them, and what is only inside of other words last. */
const [IN_TITLE, IN_ID, IN_TEXTS, INSIDE_TITLE, INSIDE_TEXTS] = [1000, 2000, 3000, 4000, 5000];
/**
 * H38: the lower, the better the words fit a record: as a phrase, as whole words, as beginnings of words.
 * Undefined: it does not have all of them.
 *
 * @param inTexts whether they are looked for in all texts, or in title, id and file name alone
 */
export function rankOf(
  { name, also, text }: ListedRecord,
  sought: Sought,
  inTexts: boolean,
): number | undefined {
  const { words, bytes } = sought;
  const [first = ""] = words;
  if (also === sought.id) return 0;
  if (words.every((word) => name.includes(word))) {
    const [level, apart] = fitOf(Buffer.from(name), sought);
    const start = level === INSIDE ? INSIDE_TITLE : IN_TITLE;
    return start + 6 * apart + 2 * level + (name.startsWith(first) ? 0 : 1);
  }
  if (words.every((word) => name.includes(word) || also.includes(word))) return IN_ID;
  if (!inTexts || text === undefined) return undefined;
  const all = Buffer.isBuffer(text) ? text : heldBytes(text);
  if (!bytes.every((word) => all.includes(word))) return undefined;
  const [level, apart] = fitOf(all, sought);
  return (level === INSIDE ? INSIDE_TEXTS : IN_TEXTS) + 6 * apart + 2 * level;
}

/** How the words are in a text that has all of them, and how many that should follow each other do not. */
function fitOf(text: Buffer, { bytes, pairs }: Sought): [level: number, apart: number] {
  const levels = bytes.map((word) => {
    let best: number = INSIDE;
    for (const at of placesOf(text, word, word.length === 1 ? 1 : PLACES)) {
      if (isLetterBefore(text, at)) continue;
      best = isLetterAt(text, at + word.length) ? BEGINNING : WHOLE;
      if (best === WHOLE) break;
    }
    return best;
  });
  const apart = pairs.filter((pair) => !isFollowed(text, pair));
  return [Math.max(...levels), apart.length];
}

function* placesOf(text: Buffer, word: Buffer, most: number): Generator<number> {
  let at = text.indexOf(word);
  for (let count = 0; at >= 0 && count < most; count += 1) {
    yield at;
    at = text.indexOf(word, at + 1);
  }
}

/** Whether a word stands before another one, with spaces, punctuation or markup between them. */
function isFollowed(text: Buffer, [one, next, both]: Sought["pairs"][number]): boolean {
  for (const at of placesOf(text, both, PLACES)) if (!isLetterBefore(text, at)) return true;
  for (const at of placesOf(text, one, PLACES)) {
    if (isLetterBefore(text, at)) continue;
    let end = at + one.length;
    while (end < text.length && !isLetterAt(text, end)) end += widthAt(text, end);
    if (text.subarray(end, end + next.length).equals(next)) return true;
  }
  return false;
}

/** Whether a character of a folded text is part of a word: no ASCII but letters and digits, no punctuation beyond it. */
function isLetterAt(text: Buffer, at: number): boolean {
  const byte = text[at];
  if (byte === undefined) return false;
  if (byte < 0x80) return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
  // « and », and the quotes and dashes from U+2000 on.
  return byte !== 0xc2 && !(byte === 0xe2 && ((text[at + 1] as number) | 1) === 0x81);
}

function isLetterBefore(text: Buffer, at: number): boolean {
  let start = at - 1;
  while (((text[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return isLetterAt(text, start);
}

function widthAt(text: Buffer, at: number): number {
  const byte = text[at] as number;
  return byte >= 0xe0 ? 3 : byte >= 0x80 ? 2 : 1;
}
