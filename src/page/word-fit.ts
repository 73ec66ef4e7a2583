import { heldBytes } from "../documents/held-bytes.ts";
import type { ListedRecord } from "./record-list.ts";
import { spaced, wordsOf } from "./search-text.ts";

/** What is looked for. */
export interface Sought {
  /** Each once. */
  readonly words: readonly string[];
  /** The whole query, which may be an id. */
  readonly id: string;
  /** Words that follow each other. */
  readonly pairs: readonly string[];
}

export function soughtOf(query: string): Sought {
  const all = wordsOf(query);
  const pairs = all.slice(1).map((word, at) => `${all[at]} ${word}`);
  return { words: [...new Set(all)], id: spaced(query), pairs };
}

/** How words are in a text, the best first. */
const [WHOLE, BEGINNING, INSIDE] = [0, 1, 2] as const;
/** Where they are: texts come after title and id, and what is only inside of other words is last. */
const [IN_TITLE, IN_ID, IN_TEXTS, INSIDE_TITLE, INSIDE_TEXTS] = [1000, 2000, 3000, 4000, 5000];
/** More pairs than these do not count. */
const PAIRS = 100;

/**
 * H38a: the lower, the better the words fit a record; undefined: it does not have all of them.
 *
 * @param inTexts whether they are looked for in all texts, or in title, id and file name alone
 */
export function rankOf(
  { name, also, text }: ListedRecord,
  sought: Sought,
  inTexts: boolean,
): number | undefined {
  const { words } = sought;
  const [first] = words;
  if (first === undefined) return 0;
  if (also === sought.id) return 0;
  if (words.every((word) => name.includes(word))) {
    const [level, apart] = fitOf(` ${name} `, sought);
    const start = level === INSIDE ? INSIDE_TITLE : IN_TITLE;
    return start + 6 * apart + 2 * level + (name.startsWith(first) ? 0 : 1);
  }
  if (words.every((word) => name.includes(word) || also.includes(word))) return IN_ID;
  if (!inTexts || text === undefined) return undefined;
  const all = Buffer.isBuffer(text) ? text : heldBytes(text);
  if (!words.every((word) => all.includes(word))) return undefined;
  const [level, apart] = fitOf(all, sought);
  return (level === INSIDE ? INSIDE_TEXTS : IN_TEXTS) + 6 * apart + 2 * level;
}

/** How the words are in a text that has all of them, and how many pairs it does not have. */
function fitOf(text: string | Buffer, { words, pairs }: Sought): [level: number, apart: number] {
  const level = words.every((word) => text.includes(` ${word} `))
    ? WHOLE
    : words.every((word) => text.includes(` ${word}`))
      ? BEGINNING
      : INSIDE;
  const apart = pairs.slice(0, PAIRS).filter((pair) => !text.includes(` ${pair}`));
  return [level, apart.length];
}
