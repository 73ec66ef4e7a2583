import jsonc, { type ParseErrorCode } from "jsonc-parser";
import { TOKEN_KIND } from "./text-positions.ts";

/** What is wrong with a text, in the words of someone who writes content, and where. */
export interface JsonMistake {
  readonly message: string;
  readonly offset: number;
}

/**
 * W4c: the first mistake in a text that is no JSON: what to write instead, at the place to change, which is
 * often before the one where a parser stops.
 *
 * @returns undefined for a text without mistakes, as comments and trailing commas are none if `isJsonc`.
 */
export function jsonMistake(text: string, isJsonc: boolean): JsonMistake | undefined {
  let first: { error: ParseErrorCode; offset: number } | undefined;
  // One mistake causes several errors; only the first is useful.
  const onError = (error: ParseErrorCode, offset: number) => {
    first ??= { error, offset };
  };
  jsonc.visit(text, { onError }, { disallowComments: !isJsonc, allowTrailingComma: isJsonc });
  if (first === undefined) return undefined;
  const { error, offset } = first as { error: ParseErrorCode; offset: number };
  if (text.trim() === "") return { message: "the text is empty", offset: 0 };
  return explained(new Place(text, offset), error, isJsonc);
}

interface Token {
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  /** The column at which the first token of its line begins. */
  readonly indent: number;
  readonly isFirst: boolean;
}

/** What is around the place where a parser stopped. */
class Place {
  readonly text: string;
  readonly offset: number;
  /** The tokens before it, without spaces and comments: the last two. */
  before: Token | undefined;
  beforeThat: Token | undefined;
  /** What is not closed there, the innermost last. */
  readonly open: Token[] = [];
  /** What seems to be closed by the end of what is around it, by how the lines are indented. */
  unclosed: Token | undefined;

  constructor(text: string, offset: number) {
    this.text = text;
    this.offset = offset;
    const scanner = jsonc.createScanner(text, true);
    let [lineStart, indent] = [-1, 0];
    for (let kind: number = scanner.scan(); kind !== TOKEN_KIND.end; kind = scanner.scan()) {
      const start = scanner.getTokenOffset();
      if (start >= offset) break;
      // W4c: no look back for where the line begins, since a text may be one line.
      const column = scanner.getTokenStartCharacter();
      const isFirst = start - column !== lineStart;
      if (isFirst) [lineStart, indent] = [start - column, column];
      const token = { kind, start, end: start + scanner.getTokenLength(), indent, isFirst };
      if (kind === TOKEN_KIND.openBrace || kind === TOKEN_KIND.openBracket) this.open.push(token);
      if (isCloser(text[start])) this.#close(token);
      [this.beforeThat, this.before] = [this.before, token];
    }
  }

  get character(): string {
    return String.fromCodePoint(this.text.codePointAt(this.offset) ?? 0);
  }

  /** What a name or a word without quotes is. */
  get word(): string {
    return (
      /^[\p{L}_$][\p{L}\p{N}_$.-]*/u.exec(this.text.slice(this.offset, this.offset + 200))?.[0] ??
      ""
    );
  }

  get isAtEnd(): boolean {
    return this.text.slice(this.offset).trim() === "";
  }

  /** Where a name is in a list, which then is not closed before it. */
  get nameInList(): number | undefined {
    const { text, offset, before } = this;
    if (text[this.open.at(-1)?.start ?? -1] !== "[") return undefined;
    if (text[offset] === ":" && before?.kind === TOKEN_KIND.string) return before.start;
    return /^"(?:[^"\\\n]|\\.)*"\s*:/.test(text.slice(offset, offset + 300)) ? offset : undefined;
  }

  get expects(): "name" | "colon" | "value" | "comma" | "end" {
    const { before, open, text } = this;
    if (before === undefined) return "value";
    const [opener, mark] = [text[open.at(-1)?.start ?? -1], text[before.start]];
    if (mark === ":" || (opener === "[" && /[[,]/.test(mark ?? ""))) return "value";
    if (opener === undefined) return "end";
    if (opener === "{" && (mark === "{" || mark === ",")) return "name";
    const isName = before.kind === TOKEN_KIND.string && /[{,]/.test(this.#beforeThatMark);
    return opener === "{" && isName ? "colon" : "comma";
  }

  get #beforeThatMark(): string {
    return this.text[this.beforeThat?.start ?? -1] ?? "";
  }

  /** How many lines an earlier offset is above this place. */
  linesSince(offset: number): number {
    return this.text.slice(offset, this.offset).split("\n").length - 1;
  }

  #close(closer: Token): void {
    const opener = this.open.pop();
    if (opener === undefined || this.unclosed !== undefined) return;
    if (closer.isFirst && closer.indent < opener.indent) this.unclosed = opener;
  }
}

function explained(place: Place, error: ParseErrorCode, isJsonc: boolean): JsonMistake {
  const at = (offset: number, message: string): JsonMistake => ({ message, offset });
  return (
    inText(place, error, at) ??
    ofCharacter(place, isJsonc, error, at) ??
    ofBrackets(place, at) ??
    ofComma(place, at) ??
    ofWord(place, at) ??
    at(place.offset, SYNTAX[error] ?? "this is not expected here")
  );
}

type At = (offset: number, message: string) => JsonMistake;

const CURLY = /[“”„‟«»″]/;
const STRAIGHT = 'write straight quotes: " instead of ';

/** Within a text, which begins where the parser stopped. */
function inText({ text, offset }: Place, error: ParseErrorCode, at: At): JsonMistake | undefined {
  const found = (pattern: RegExp) => offset + 1 + text.slice(offset + 1).search(pattern);
  switch (error) {
    case 11:
      return at(offset, "the comment is not closed: */ is missing");
    case 12: {
      const line = /^[^\r\n]*/.exec(text.slice(offset))?.[0] ?? "";
      const curly = line.search(CURLY);
      if (curly > 0) return at(offset + curly, STRAIGHT + line[curly]);
      return at(
        offset,
        'the text is not closed: a " is missing at its end; write a line break as \\n',
      );
    }
    case 14:
      return at(found(/\\u(?![\da-f]{4})/i), "\\u needs four digits after it: \\u00e9");
    case 15:
      return at(found(/\\[^"\\/bfnrtu]/), "write \\\\ for a \\ in a text");
    case 16: {
      const control = found(/\p{Cc}/u);
      const isTab = text[control] === "\t";
      return at(control, isTab ? "write a tab in a text as \\t" : "remove this control character");
    }
    default:
      return undefined;
  }
}

/** By the character itself. */
function ofCharacter(
  place: Place,
  isJsonc: boolean,
  error: ParseErrorCode,
  at: At,
): JsonMistake | undefined {
  const { character, offset, before, text } = place;
  if (CURLY.test(character)) return at(offset, STRAIGHT + character);
  if (/['‘’‚‛`´]/.test(character)) {
    return at(offset, `write double quotes: " instead of ${character}`);
  }
  if (before?.kind === TOKEN_KIND.string && place.expects !== "value") {
    const curly = text.slice(before.start, before.end).search(CURLY);
    if (curly > 0) return at(before.start + curly, STRAIGHT + text[before.start + curly]);
  }
  if (/[\p{Cf}\u00a0\u2028\u2029]/u.test(character)) {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    return at(offset, `remove this invisible character (U+${code})`);
  }
  if (error === 10 || (character === "#" && !isJsonc)) {
    return at(offset, "comments are allowed in *.jsonc files only; remove it, or rename the file");
  }
  if (character === "#") return at(offset, "a comment begins with //");
  if (character === ";") return at(offset, "write , instead of ;");
  if (character === "=" && place.expects === "colon") return at(offset, "write : instead of =");
  if (/[.+]/.test(character) && place.expects === "value") {
    return at(offset, "a number begins with a digit: 0.5");
  }
  return undefined;
}

const CLOSER: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

function isCloser(character: string | undefined): boolean {
  return character === "}" || character === "]";
}

/** By what is open: the one that is not closed is where the lines are indented otherwise. */
function ofBrackets(place: Place, at: At): JsonMistake | undefined {
  const { text, offset, open, unclosed, expects, character } = place;
  const opened = (token: Token) => `"${text[token.start]}"`;
  const missing = (token: Token) => `"${CLOSER[text[token.start] ?? ""]}"`;
  const innermost = open.at(-1);
  if (place.isAtEnd && innermost !== undefined && expects !== "colon") {
    const one = unclosed ?? innermost;
    return at(one.start, `this ${opened(one)} is never closed: a ${missing(one)} is missing`);
  }
  const name = place.nameInList;
  if (innermost !== undefined && name !== undefined) {
    return at(name, `a ${missing(innermost)} is missing before this name`);
  }
  if (innermost !== undefined && isCloser(character) && missing(innermost) !== `"${character}"`) {
    const lines = place.linesSince(innermost.start);
    const above = lines === 0 ? "" : ` ${lines === 1 ? "a line" : `${lines} lines`} above`;
    const where = `the ${opened(innermost)}${above}`;
    return at(
      offset,
      `a ${missing(innermost)} is missing before this "${character}", for ${where}`,
    );
  }
  if (expects !== "end") return undefined;
  if (isCloser(character)) return at(offset, `remove this "${character}": it closes nothing`);
  const says = /[{[]/.test(character)
    ? "; one file has one record"
    : "; is a bracket before it too many?";
  return at(offset, `this is after the end of the record${says}`);
}

/** A comma that is missing or too much, and what is often the reason that one seems to be missing. */
function ofComma(place: Place, at: At): JsonMistake | undefined {
  const { text, offset, before, beforeThat, character, expects } = place;
  if (before === undefined) return undefined;
  const mark = text[before.start];
  if (mark === "," && isCloser(character)) {
    return at(before.start, "remove this comma: nothing follows it");
  }
  if (character === "," && (mark === "," || mark === "{" || mark === "[")) {
    return at(offset, "remove this comma: there is no value before it");
  }
  const isDecimal = beforeThat?.kind === TOKEN_KIND.number && before.start === beforeThat.end;
  if (mark === "," && isDecimal && expects === "name" && /\d/.test(character)) {
    return at(before.start, "write a decimal point instead of this comma");
  }
  if (expects === "colon") {
    if (/[,}]/.test(character)) return at(before.start, "this name has no value: a : is missing");
    return at(before.end, "a : is missing after this name");
  }
  if (mark === ":" && (/[,}\]]/.test(character) || place.isAtEnd)) {
    return at(before.start, "a value is missing after this colon");
  }
  if (expects !== "comma") return undefined;
  if (/[\r\n]/.test(text.slice(before.end, offset))) {
    return at(before.end, "a comma is missing at the end of this line");
  }
  if (before.kind === TOKEN_KIND.string && before.end === offset) {
    return at(before.end - 1, 'write \\" for a " in a text');
  }
  if (before.kind === TOKEN_KIND.number && before.end === offset) {
    return at(before.start, "this is no number; a text is in double quotes");
  }
  return at(offset, "a comma is missing here");
}

const MEANT: Readonly<Record<string, string>> = {
  true: "true",
  yes: "true",
  on: "true",
  false: "false",
  no: "false",
  off: "false",
  null: "null",
  none: "null",
  nil: "null",
  undefined: "null",
  nan: "a number, or null",
  infinity: "a number, or null",
};

/** A word without quotes. */
function ofWord({ word, offset, expects, character }: Place, at: At): JsonMistake | undefined {
  if (expects === "name") {
    return at(offset, `a name in double quotes is expected${word && `: "${word}"`}`);
  }
  if (expects !== "value") return undefined;
  const meant = MEANT[word.toLowerCase()];
  if (meant !== undefined) return at(offset, `write ${meant}, not ${word}`);
  if (word !== "") return at(offset, `a text is in double quotes: "${word}"`);
  return /[,}\]:]/.test(character) ? at(offset, "a value is missing before this") : undefined;
}

/** By jsonc-parser's error codes. */
const SYNTAX: Readonly<Record<number, string>> = {
  2: "this is no number",
  13: "digits are missing in this number",
};
