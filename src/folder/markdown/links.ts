/** A link or an image of a text, with its address as it is written. */
export interface TextLink {
  readonly href: string;
  readonly isWiki: boolean;
}

/**
 * The links and images of a text in their order, each once; code has none (X19a). The time grows with the
 * length of the text only, whatever it holds (X19f).
 */
export function linksIn(text: string): TextLink[] {
  const found = new Map<string, TextLink>();
  for (const paragraph of paragraphs(text)) {
    for (const match of withoutSpans(paragraph).matchAll(LINK)) {
      const { wiki, angled, plain, defined, tag } = match.groups ?? {};
      const href = wiki ?? angled ?? plain ?? defined ?? (tag && HTML_ADDRESS.exec(tag)?.[1]);
      if (href !== undefined && href !== "" && !found.has(href)) {
        found.set(href, { href, isWiki: wiki !== undefined });
      }
    }
  }
  return [...found.values()];
}

/** No alternative reads over what may begin another link, so that nothing is read more than twice. */
const LINK = new RegExp(
  [
    String.raw`\[\[(?<wiki>[^[\]\n]+)\]\]`,
    String.raw`\]\(\s*(?:<(?<angled>[^<>\n]*)>|(?<plain>[^\s()]*(?:\([^\s()]*\)[^\s()]*){0,99}))`,
    String.raw`^ {0,3}\[[^[\]\n]+\]:\s*<?(?<defined>[^\s>]+)`,
    String.raw`<(?:img|a)\b(?<tag>[^<>]*)`,
  ].join("|"),
  "gm",
);

const HTML_ADDRESS = /\s(?:src|href)=["']([^"']+)["']/;

/** What is between blank lines and fenced blocks of code. */
function* paragraphs(text: string): Generator<string> {
  let lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const [, mark, rest = ""] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      const isEnd = mark?.startsWith(fence) && rest.trim() === "";
      if (isEnd) fence = undefined;
      continue;
    }
    const opens = mark !== undefined && !(mark.startsWith("`") && rest.includes("`"));
    if (opens) fence = mark;
    if (!opens && line.trim() !== "") {
      lines.push(line);
    } else if (lines.length > 0) {
      yield lines.join("\n");
      lines = [];
    }
  }
  if (lines.length > 0) yield lines.join("\n");
}

/** Also of a block in a list or a quotation. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)/;

/** A paragraph with blanks in place of spans of code: from some backticks to the next as many. */
function withoutSpans(text: string): string {
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
    without += `${text.slice(after, runs[at]?.index)} `;
    after = end.index + end.length;
    at = endOf[at] as number;
  }
  return without + text.slice(after);
}
