import type { MarkdownIt } from "markdown-it";

/** As they are written, so that no sentence that begins with such a word is one. */
const STATEMENT =
  /^(?:import\s+(?:[\w$*{][^"']*\sfrom\s+)?["'][^"'\n]+["'];?\s*(?:\n|$)|export\s+(?:(?:const|let|var)\s+[\w$]+\s*=|(?:default\s+)?(?:async\s+)?(?:function|class)\s*[\w$({]|default\s+(?:[({[]|[\w$]+;?\s*$)|[{*]))/;

/** H25c: whether a paragraph is an import or export statement of MDX. */
export const isStatement = (text: string) => STATEMENT.test(text);

/** An address as it is written in the text: the parser encodes some letters. */
export function writtenAddress(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

/** What is before the text of a footnote, which is long for none. */
const FOOTNOTE = /\[\^[^[\]]+\]:\s*$/;

/** H25a: a parser for which a footnote (`[^1]: once`) is a text, and not what a link leads to. */
export function withFootnotes(parser: MarkdownIt): MarkdownIt {
  const { parseLinkDestination } = parser.helpers;
  parser.helpers.parseLinkDestination = (text, start, end) =>
    FOOTNOTE.test(text.slice(Math.max(0, start - 200), start))
      ? { ok: false, pos: start, str: "" }
      : parseLinkDestination(text, start, end);
  return parser;
}
