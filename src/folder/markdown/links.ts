/** A link or an image in a Markdown text. */
export interface TextLink {
  /** As it is written in the text. */
  readonly href: string;
  readonly isWiki: boolean;
}

/** The links and images of a text in their order, each once; code has none. */
export function linksIn(text: string): TextLink[] {
  const found = new Map<string, TextLink>();
  for (const match of withoutCode(text).matchAll(LINK)) {
    const { wiki, angled, plain, defined, html } = match.groups ?? {};
    const href = wiki ?? angled ?? plain ?? defined ?? html;
    if (href !== undefined && href !== "" && !found.has(href)) {
      found.set(href, { href, isWiki: wiki !== undefined });
    }
  }
  return [...found.values()];
}

const LINK = new RegExp(
  [
    String.raw`\[\[(?<wiki>[^\]\n]+)\]\]`,
    String.raw`\]\(\s*(?:<(?<angled>[^>\n]*)>|(?<plain>(?:[^\s()]|\([^\s()]*\))+))`,
    String.raw`^ {0,3}\[[^\]\n]+\]:\s*<?(?<defined>[^\s>]+)`,
    String.raw`<(?:img|a)\b[^>]*?\s(?:src|href)=["'](?<html>[^"']+)["']`,
  ].join("|"),
  "gm",
);

/** The text with blanks in place of code: fenced blocks and spans. */
function withoutCode(text: string): string {
  return text
    .replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:(?! {0,3}\1)[^\n]*\n?)*(?: {0,3}\1[^\n]*)?/gm, "\n")
    .replace(/(?<!`)(`+)(?!`).*?[^`]\1(?!`)/gs, " ");
}
