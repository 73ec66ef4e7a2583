/** How a text names a file: that says where it is looked for, and what it means if there is none. */
type LinkForm =
  /** A link or an image of Markdown or HTML. */
  | "link"
  /** A wiki link, which names a file anywhere. */
  | "wiki"
  /** A page by a shortcode of Hugo (`ref`) or a tag of Jekyll (`link`, `post_url`). */
  | "page"
  /** In a tag, a component, a shortcode or an import statement. */
  | "file"
  /** Within quotes or brackets. */
  | "quoted";

/** What a text names, with its address as it is written. */
export interface TextLink {
  readonly href: string;
  readonly form: LinkForm;
  /** Of the text, from 1. */
  readonly line: number;
}

/**
 * What a text names, in its order, each once; code has none (X19a). The time grows with the length of the text
 * only, whatever it holds (X19f).
 */
export function linksIn(text: string): TextLink[] {
  const found = new Map<string, TextLink>();
  for (const paragraph of paragraphs(text)) {
    const plain = withoutSpans(paragraph.text);
    const named = new Map<string, Named>();
    for (const one of namedIn(plain)) if (!named.has(one.href)) named.set(one.href, one);
    let [line, at] = [paragraph.line, 0];
    for (const { href, form, index } of [...named.values()].sort((a, b) => a.index - b.index)) {
      for (let end = plain.indexOf("\n", at); end >= 0 && end < index; ) {
        line += 1;
        at = end + 1;
        end = plain.indexOf("\n", at);
      }
      if (!found.has(href)) found.set(href, { href, form, line });
    }
  }
  return [...found.values()];
}

interface Named {
  readonly href: string;
  readonly form: LinkForm;
  /** In its paragraph. */
  readonly index: number;
}

/** What is named by its form comes before what only stands there. */
function* namedIn(paragraph: string): Generator<Named> {
  if (!STATEMENT.test(paragraph)) yield* written(paragraph);
  yield* held(paragraph);
  for (const { 0: href, index } of paragraph.matchAll(WORD)) {
    const [before = "", after = ""] = [paragraph[index - 1], paragraph[index + href.length]];
    const isWithin = /["'([{=<>]/.test(before) || /["')\]}<>]/.test(after);
    // What follows a template's value is a part of an address.
    if (isWithin && before !== "}" && FILE.test(href)) yield { href, form: "quoted", index };
  }
}

/** An import or export statement of MDX, at the beginning of a paragraph. */
export const STATEMENT =
  /^(?:import\s+(?:[\w$*{][^"']*\sfrom\s+)?["'][^"'\n]+["']|export\s+(?:const|let|var|function|async|class|default|\{|\*))/;

/** A file ending, before a query or a place. */
export const FILE = /\.[a-z0-9]{1,12}(?:[?#][^?#]*)?$/i;

const WORD = /[^\s"'`()<>[\]{}=,;|]+/g;

/** No alternative reads over what may begin another link, so that nothing is read more than twice. */
const LINK = new RegExp(
  [
    String.raw`\[\[(?<wiki>[^[\]\n]+)\]\]`,
    String.raw`\]\(\s*(?:<(?<angled>[^<>\n]*)>|(?<plain>[^\s()]*(?:\([^\s()]*\)[^\s()]*){0,99}))`,
    // A footnote is none, nor is a text after brackets: only a title may follow the address.
    String.raw`^ {0,3}\[(?!\^)[^[\]\n]+\]:\s*<?(?<defined>[^\s>]+)>?[ \t]*(?=$|["'(])`,
    String.raw`<(?:img|a)\b(?<tag>[^<>]*)`,
    String.raw`^[ \t>]*(?:\`{3,}|~{3,}|:{3,})\{(?:figure|image|video)\}[ \t]+(?<figure>\S+)`,
  ].join("|"),
  "gm",
);

const HTML_ADDRESS = /\s(?:src|href)=["']([^"']+)["']/;

/** Part of an address that a template makes. */
const TEMPLATE = /\{[{%]|\$\{|<%/;

function* written(paragraph: string): Generator<Named> {
  for (const { index, groups = {} } of paragraph.matchAll(LINK)) {
    const { wiki, angled, plain, defined, tag, figure } = groups;
    const named = wiki ?? angled ?? plain ?? defined ?? figure;
    const href = named ?? (tag && HTML_ADDRESS.exec(tag)?.[1]);
    if (!href || TEMPLATE.test(href)) continue;
    yield { href, form: wiki === undefined ? "link" : "wiki", index };
  }
}

/** Tags and components, shortcodes and attributes in braces, and import statements. */
const HOLDER =
  /<[a-z][^\s<>/]*(?=[\s/])(?<tag>[^<>]*)|\{(?<braces>[^{}]+)|^(?:import|export)\s(?<statement>.*)/gim;

const PAGE =
  /^(?:<\s*|%-?\s*)(?:(?:rel)?ref\s+(?:path=)?|(?:link|post_url)\s+)["']?(?<href>[^"'\s%>]+)/;

const QUOTED_OR_WORD = /"(?<double>[^"]*)"|'(?<single>[^']*)'|[^\s"'`()<>[\]{}=,;|]+/g;

function* held(paragraph: string): Generator<Named> {
  for (const { index, groups = {} } of paragraph.matchAll(HOLDER)) {
    const { tag, braces, statement } = groups;
    const inside = tag ?? braces ?? statement ?? "";
    const page = braces && PAGE.exec(braces)?.groups?.href;
    if (page) yield { href: page, form: "page", index };
    // In a shortcode words are arguments; else a word is a value after "=" only.
    const hasArguments = braces !== undefined && /^[<%]/.test(braces);
    for (const { 0: word, index: at, groups: quoted = {} } of inside.matchAll(QUOTED_OR_WORD)) {
      const text = quoted.double ?? quoted.single;
      if (text !== undefined) yield* quotedIn(text, index);
      else if (hasArguments || inside[at - 1] === "=") {
        if (FILE.test(word)) yield { href: word, form: "file", index };
      }
    }
  }
}

/** The path that a value is, or those in it: `a.png 1x, b.png 2x`, `background: url(a.png)`. */
function* quotedIn(text: string, index: number): Generator<Named> {
  if (TEMPLATE.test(text)) return;
  const form = /\s/.test(text.trim()) ? "quoted" : "file";
  if (FILE.test(text)) yield { href: text, form, index };
  for (const { 0: href, index: at } of text.matchAll(WORD)) {
    if (href === text || !FILE.test(href)) continue;
    const isUrl = /\burl\(["']?$/.test(text.slice(Math.max(0, at - 6), at));
    const isSource = /^\s+[\d.]+[wx](?:,|\s*$)/.test(text.slice(at + href.length));
    yield { href, form: isUrl || isSource ? "file" : "quoted", index };
  }
}

/** What is between blank lines and fenced blocks of code. */
export function* paragraphs(
  text: string,
): Generator<{ readonly text: string; readonly line: number }> {
  let lines: string[] = [];
  let fence: string | undefined;
  let first = 1;
  for (const [at, line] of text.split("\n").entries()) {
    const [, mark, rest = ""] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      const isEnd = mark?.startsWith(fence) && rest.trim() === "";
      if (isEnd) fence = undefined;
      continue;
    }
    const opens = mark !== undefined && !(mark.startsWith("`") && rest.includes("`"));
    if (opens) fence = mark;
    if (opens && DIRECTIVE.test(rest)) yield { text: line, line: at + 1 };
    if (!opens && line.trim() !== "") {
      if (lines.length === 0) first = at + 1;
      lines.push(line);
    } else if (lines.length > 0) {
      yield { text: lines.join("\n"), line: first };
      lines = [];
    }
  }
  if (lines.length > 0) yield { text: lines.join("\n"), line: first };
}

/** Also of a block in a list or a quotation. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)/;

/** X19a: of MyST, a block that names a file in its first line. */
const DIRECTIVE = /^\{(?:figure|image|video)\}/;

/** A paragraph with blanks in place of spans of code: from some backticks to the next as many. */
export function withoutSpans(text: string): string {
  const runs = Array.from(text.matchAll(/`+/g), ({ index, 0: { length } }) => ({ index, length }));
  const ends = new Map<number, number>();
  const endOf = runs.map(() => -1);
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length } = runs[at] as (typeof runs)[number];
    endOf[at] = ends.get(length) ?? -1;
    ends.set(length, at);
  }
  let [without, after] = ["", 0];
  for (let at = 0; at < runs.length; at += 1) {
    const end = runs[endOf[at] as number];
    if (end === undefined) continue;
    const start = runs[at]?.index;
    without += text.slice(after, start);
    after = end.index + end.length;
    without += text.slice(start, after).replace(/[^\n]/g, " ");
    at = endOf[at] as number;
  }
  return without + text.slice(after);
}
