import { isJsonObject, type JsonValue } from "../workspace/json.ts";

/** Where words are found in a text: from, to, in order. */
export type Marks = readonly (readonly [from: number, to: number])[];

const ASCII = /^[\0-\x7f]*$/;
/** Latin, Greek and Cyrillic accents, Hebrew and Arabic points. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]+/g;
/** Letters that are typed as others, and that Unicode does not take apart. */
const LETTERS = new Map(Object.entries({ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d" }));
LETTERS.set("ı", "i").set("ς", "σ");
const LETTER = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "g");

/** H38: a text as it is compared: without case, accents and widths. Each character by itself. */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(LETTER, (letter) => LETTERS.get(letter) as string);
}

/** What is between words: spaces, punctuation, markup. */
const [BETWEEN, BETWEEN_ASCII] = [/[\p{P}\p{Z}\p{Cc}\p{Sm}\p{Sc}\p{Sk}]+/gu, /[^a-z0-9]+/g];

/** H38a: a text as its words are looked for: folded, with one space between them. */
export function spaced(text: string): string {
  const plain = folded(text);
  return plain.replace(ASCII.test(plain) ? BETWEEN_ASCII : BETWEEN, " ").trim();
}

/** The words of a query, in order; one may have spaces inside: `item-77` is `item 77`. */
export function wordsOf(query: string): string[] {
  const words = query.split(/\s+/).map(spaced);
  return words.filter((word) => word !== "");
}

/** Where the folded words are in a text. */
export function marksOf(text: string, words: readonly string[]): Marks {
  /** Of each unit of the folded text the character that it is of: from, to. */
  const places: [number, number][] = [];
  let all = "";
  let at = 0;
  for (const character of text) {
    const part = folded(character);
    // An accent belongs to the character before it.
    const last = places.at(-1);
    if (part === "" && last !== undefined) last[1] = at + character.length;
    for (let unit = 0; unit < part.length; unit += 1) places.push([at, at + character.length]);
    all += part;
    at += character.length;
  }
  const marks: [number, number][] = [];
  for (const word of words.flatMap((one) => one.split(" "))) {
    for (let found = all.indexOf(word); found >= 0; found = all.indexOf(word, found + 1)) {
      const [from] = places[found] as [number, number];
      const [, to] = places[found + word.length - 1] as [number, number];
      marks.push([from, to]);
    }
  }
  return joined(marks);
}

function joined(marks: readonly [number, number][]): Marks {
  const result: [number, number][] = [];
  for (const [from, to] of [...marks].sort(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

export interface Excerpt {
  readonly excerpt: string;
  readonly marks: Marks;
}

/** The characters of an excerpt before the first match, and in total. */
const [BEFORE, LENGTH] = [24, 140];

/** The part of a text in which words are found first. */
export function excerptOf(text: string, words: readonly string[]): Excerpt {
  const line = text.replace(/\s+/g, " ");
  const first = firstMark(line, words);
  const before = Math.max(0, first - BEFORE);
  // From the beginning of a word where one is near.
  const from = before === 0 ? 0 : Math.min(first, line.indexOf(" ", before) + 1 || before);
  const part = line.slice(from, from + LENGTH).toWellFormed();
  const isEnd = from + LENGTH >= line.length;
  const excerpt = `${from > 0 ? "…" : ""}${part}${isEnd ? "" : "…"}`;
  return { excerpt, marks: marksOf(excerpt, words) };
}

/** So many characters of a text are looked through at once. */
const WINDOW = 1000;

/** The first of the marks that has the most others behind it in an excerpt, where most words are near each other. */
function firstMark(line: string, words: readonly string[]): number {
  let best = { count: 0, from: 0 };
  for (let from = 0; from < line.length && best.count < words.length; from += WINDOW / 2) {
    const text = spaced(line.slice(from, from + WINDOW));
    const count = words.filter((word) => text.includes(word)).length;
    if (count > best.count) best = { count, from };
  }
  const marks = marksOf(line.slice(best.from, best.from + WINDOW), words);
  const near = marks.map(([at]) => marks.filter(([to]) => to >= at && to < at + LENGTH / 2).length);
  const [first = 0] = marks[near.indexOf(Math.max(...near))] ?? [];
  return best.from + first;
}

/** V11d: what nodes of rich text say about themselves, which no reader sees. */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...["nodeType", "_type", "type", "_key", "style", "listItem", "marks", "level"],
]);

/** Visits every text and number of a value, with its path. */
export function eachText(
  value: JsonValue,
  visit: (text: string, path: readonly string[]) => void,
  path: string[] = [],
): void {
  if (typeof value === "string") visit(value, path);
  else if (typeof value === "number") visit(String(value), path);
  else if (typeof value === "object" && value !== null) {
    const isNode = isJsonObject(value) && isTextNode(value);
    for (const [name, member] of Object.entries(value)) {
      if (isNode && STRUCTURE.has(name)) continue;
      path.push(name);
      eachText(member, visit, path);
      path.pop();
    }
  }
}

function isTextNode(value: Readonly<Record<string, JsonValue>>): boolean {
  if (typeof value.nodeType === "string" || typeof value._type === "string") return true;
  if (typeof value.type !== "string") return false;
  return "content" in value || "children" in value || "text" in value;
}
