import { parseJsonText } from "../../folder/json-text.ts";
import { type Position, positionFinder } from "../../folder/text-positions.ts";
import { isJsonObject, type JsonObject } from "../../workspace/json.ts";
import { MatterFault, memberOffset, tomlValues, yamlValues } from "./matter-values.ts";

export interface MarkdownText {
  readonly matter: JsonObject;
  readonly body: string;
  /** How many lines of the file are before it. */
  readonly linesBefore: number;
  /** The line in the file of a member of the front matter. */
  lineOf(member: string): number;
  /** X22a: the lines of numbers that stay texts. */
  readonly inexact: readonly number[];
  /** What is unusual about the front matter, as what such texts "have". */
  readonly remark?: string;
}

/** A text that cannot be imported: why, and where in it. */
export class FaultyText extends Error {
  readonly at: Position;

  constructor(message: string, at: Position) {
    super(message);
    this.at = at;
  }
}

/**
 * Splits a text into its front matter and the rest (X19, X22).
 *
 * @throws FaultyText.
 */
export function splitText(bytes: Uint8Array): MarkdownText {
  const text = decoded(bytes);
  try {
    const found = matterIn(text);
    const none = { matter: {}, body: text, linesBefore: 0, lineOf: () => 1, inexact: [] };
    if (found === undefined) return none;
    const { matter, inexact, remark, place } = found;
    const placeOf = positionFinder(text);
    const lineAt = (offset: number) => placeOf(place.start + offset).line;
    const body = place.before + text.slice(place.after);
    return {
      matter,
      body,
      linesBefore: linesIn(text) - linesIn(body),
      lineOf: (member) => lineAt(memberOffset(text.slice(place.start, place.end), member)),
      inexact: inexact.map(lineAt),
      ...(remark !== undefined && { remark }),
    };
  } catch (error) {
    if (!(error instanceof MatterFault)) throw error;
    throw new FaultyText(error.message, positionFinder(text)(error.offset));
  }
}

/**
 * X23b: a data file as a text without a rest; undefined: it is no map of values, but a list or several documents.
 *
 * @throws FaultyText.
 */
export function dataText(bytes: Uint8Array, language: MatterLanguage): MarkdownText | undefined {
  const text = decoded(bytes);
  const isToml = language === "toml";
  if (language === "json") assertJson(text);
  const [start = ""] = /^(?:\s|#.*\r?\n)*(?:---.*\r?\n)?/.exec(text) ?? [];
  if (!isToml && /^---(?:\s|$)/m.test(text.slice(start.length))) return undefined;
  const placeOf = positionFinder(text);
  try {
    const { value, inexact } = isToml ? tomlValues(text) : yamlValues(text);
    if (!isJsonObject(value)) return undefined;
    return {
      matter: value,
      body: "",
      linesBefore: linesIn(text),
      lineOf: (member) => placeOf(memberOffset(text, member)).line,
      inexact: inexact.map((offset) => placeOf(offset).line),
    };
  } catch (error) {
    if (!(error instanceof MatterFault)) throw error;
    throw new FaultyText(error.message, placeOf(error.offset));
  }
}

/** YAML has more forms than JSON. */
function assertJson(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    const parsed = parseJsonText(text);
    const [fault] = "faults" in parsed ? parsed.faults : [];
    const { message = "broken JSON", line = 1, column = 1 } = fault ?? {};
    throw new FaultyText(message, { line, column });
  }
}

interface FoundMatter {
  readonly place: Place;
  readonly matter: JsonObject;
  /** Offsets from its start. */
  readonly inexact: readonly number[];
  readonly remark?: string | undefined;
}

/** Where front matter is in a text. */
interface Place {
  /** Comments that stand before it and stay text. */
  readonly before: string;
  readonly start: number;
  readonly end: number;
  /** Where the body goes on. */
  readonly after: number;
}

type MatterLanguage = "yaml" | "json" | "toml";

/** What may stand before front matter: blank lines, and comments of HTML, MDX and YAML. */
const BEFORE = /^(?:[\s\u200b\u2060]|<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|#.*\r?\n)*/;
const COMMENT = /<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}/g;

const END_OF_LINE = String.raw`[ \t]*(?:\r\n?|\n|$(?![\s\S]))`;

/** A line as members are written; prose between two rules has none. */
const MEMBER =
  /^[ \t]*(?:[{?]|(?:"[^"\n]*"|'[^'\n]*'|[\p{L}\p{N}_$@][\p{L}\p{N}_.$@/-]*(?: [\p{L}\p{N}_.$@/-]+){0,2})[ \t]*(?::(?:\s|$)|=))/mu;

/** Members that front matter without the usual marks is known by. */
const KNOWN_MEMBER =
  /^["']?(?:title|date|draft|published|layout|slug|status|tags|categories|permalink)["']?[ \t]*[:=]/im;

function matterIn(text: string): FoundMatter | undefined {
  const [all = ""] = BEFORE.exec(text) ?? [];
  const comments = all.match(COMMENT) ?? [];
  const before = comments.map((comment) => `${comment}\n`).join("");
  const hasHash = all.replace(COMMENT, "").includes("#");
  const found = { before, start: all.length };
  if (hasHash) return betweenMarks(text, found, true);
  return betweenMarks(text, found, false) ?? inBraces(text, found) ?? withoutMark(text, found);
}

type Start = Pick<Place, "before" | "start">;

const MARK = RegExp(String.raw`(-{3,}|\+{3}|;{3,})(?![-+;])[ \t]*(\S.*?)?${END_OF_LINE}`, "y");

/** By the word after a mark, or the ending of a data file. */
export const LANGUAGES: ReadonlyMap<string, MatterLanguage> = new Map([
  ["yaml", "yaml"],
  ["yml", "yaml"],
  ["json", "json"],
  ["toml", "toml"],
]);

const UNREAD_LANGUAGES =
  /^(?:jsx?|javascript|ts|typescript|coffee|coffeescript|cson|json5|jsonc|hjson|ini|lua|ruby|edn|xml)$/;

/**
 * X22: what stands between two marks. A line of dashes is a rule too, so that what is neither a map nor
 * written like one is text; nothing is that a generator may read as front matter.
 *
 * @param hasHash whether lines with # are before it: they are headings, unless a known member follows.
 */
function betweenMarks(text: string, at: Start, hasHash: boolean): FoundMatter | undefined {
  MARK.lastIndex = at.start;
  const [first = "", mark = "", rest = ""] = MARK.exec(text) ?? [];
  const word = rest.toLowerCase();
  const isLanguage = word === "" || LANGUAGES.has(word) || UNREAD_LANGUAGES.test(word);
  if (first === "" || (!isLanguage && mark !== "---")) return undefined;
  const body = at.start + first.length;
  // Hugo reads what follows the mark in its line too.
  const start = isLanguage ? body : at.start + mark.length;
  const closing = mark === "---" ? String.raw`(?:---|\.\.\.)` : mark.replaceAll("+", "\\+");
  const last = RegExp(`^${closing}${END_OF_LINE}`, "gm");
  last.lastIndex = body;
  const close = /[\r\n]$/.test(first) ? last.exec(text) : null;
  const source = text.slice(start, close?.index);
  if (hasHash && !(close !== null && KNOWN_MEMBER.test(source))) return undefined;
  const isSure = mark !== "---" && !/^-{4}/.test(mark);
  if (close === null) {
    if (!isSure && !MEMBER.test(firstParagraph(source))) return undefined;
    const rule = isSure ? "" : "; a rule at the beginning of a text is written ***";
    const what = `front matter is not closed: there is no second line ${mark}${rule}`;
    throw new MatterFault(what, at.start);
  }
  if (UNREAD_LANGUAGES.test(word)) {
    throw new MatterFault(`front matter in "${word}" is not read: write it in YAML`, at.start);
  }
  const place = { ...at, start, end: close.index, after: close.index + close[0].length };
  const marked = mark.startsWith("+") ? "toml" : mark.startsWith(";") ? "json" : "yaml";
  return matterAt(text, place, {
    language: LANGUAGES.get(word) ?? marked,
    isSure: isSure || hasHash || (isLanguage && word !== ""),
    remark: hasHash ? "lines with # before their front matter, taken as its comments" : undefined,
  });
}

/** X19d: the first lines that are not blank, and no comments. */
function firstParagraph(source: string): string {
  return /^(?:[ \t]*(?:#.*)?\r?\n)*((?:.*\S.*(?:\r?\n|$))*)/.exec(source)?.[1] ?? "";
}

/** X22: JSON at the beginning, as Hugo has it. */
function inBraces(text: string, at: Start): FoundMatter | undefined {
  const first = /\{\s*(?:"[^"\n]*"\s*:|\r?\n\s*[\w-]+\s*:)/y;
  first.lastIndex = at.start;
  if (!first.test(text)) return undefined;
  const tokens = /"(?:[^"\\]|\\[\s\S])*"|[{}]/g;
  tokens.lastIndex = at.start;
  let depth = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === "{") depth += 1;
    if (token[0] === "}") depth -= 1;
    if (depth > 0) continue;
    const [line = ""] = RegExp(`^${END_OF_LINE}`).exec(text.slice(tokens.lastIndex)) ?? [];
    const place = { ...at, end: tokens.lastIndex, after: tokens.lastIndex + line.length };
    return matterAt(text, place, { language: "json", isSure: true });
  }
  throw new MatterFault("front matter is not closed: a } is missing", at.start);
}

/**
 * X22: lines of members at the beginning that no mark is before: up to a mark, as Hexo has them, or with a
 * title up to a blank line, as Pelican and MkDocs.
 */
function withoutMark(text: string, at: Start): FoundMatter | undefined {
  const lines =
    /(?:[A-Za-z][\w -]{0,30}:(?:[ \t].*)?(?:\r?\n|$(?![\s\S]))(?:(?:[ \t]+\S|- |#).*(?:\r?\n|$(?![\s\S])))*)+/y;
  lines.lastIndex = at.start;
  const [source = ""] = lines.exec(text) ?? [];
  const end = at.start + source.length;
  const [close = "", mark] = RegExp(`^(-{3,}|;{3,})?${END_OF_LINE}`).exec(text.slice(end)) ?? [];
  if (source === "" || (close === "" && end < text.length)) return undefined;
  const isMeant =
    mark === undefined ? /^title:[\s\S]*\n\S+:/i.test(source) : KNOWN_MEMBER.test(source);
  if (!isMeant) return undefined;
  const remark = "front matter without a mark before it, which is read";
  const place = { ...at, end, after: end + close.length };
  return matterAt(text, place, { language: "yaml", isSure: true, remark });
}

interface Kind {
  readonly language: MatterLanguage;
  /** Whether it is front matter whatever it says. */
  readonly isSure: boolean;
  readonly remark?: string | undefined;
}

/** Undefined: what is there is text. */
function matterAt(
  text: string,
  place: Place,
  { language, isSure, remark }: Kind,
): FoundMatter | undefined {
  const { start, end } = place;
  const inside = text.slice(start, end);
  // Hexo writes JSON without its braces.
  const isBare = language === "json" && !inside.trimStart().startsWith("{");
  const source = isBare ? `{${inside}}` : inside;
  const shift = isBare ? -1 : 0;
  const isMeant = isSure || MEMBER.test(source);
  try {
    const { value, inexact } = language === "toml" ? tomlValues(source) : yamlValues(source);
    const matter = value ?? {};
    if (isJsonObject(matter)) {
      const isEmpty = value === null && source.includes("#");
      return {
        place,
        matter,
        inexact: inexact.map((offset) => offset + shift),
        remark: isEmpty ? "front matter of comments alone" : remark,
      };
    }
    if (isMeant) throw new MatterFault("front matter is no map of values", 0);
  } catch (error) {
    if (!(error instanceof MatterFault)) throw error;
    if (isMeant) throw new MatterFault(error.message, start + shift + error.offset);
  }
  return undefined;
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // What is read up to the first bad byte is written back as it was.
    const lossy = Buffer.from(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    const good = bytes.subarray(
      0,
      lossy.findIndex((byte, at) => byte !== bytes[at]),
    );
    const lines = new TextDecoder().decode(good).split("\n");
    const column = (lines.at(-1) ?? "").length + 1;
    throw new FaultyText("it is not UTF-8: save it in that encoding", {
      line: lines.length,
      column,
    });
  }
}
