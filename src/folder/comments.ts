import jsonc from "jsonc-parser";
import { TOKEN_KIND } from "./text-positions.ts";

/** W3: the text with spaces in place of comments and trailing commas, so every offset stays. */
export function withoutComments(text: string): string {
  const scanner = jsonc.createScanner(text);
  const blanks: (readonly [start: number, end: number])[] = [];
  /** The last token that is neither a comment nor white space, and the one before it. */
  let [last, beforeLast, comma] = [TOKEN_KIND.end as number, TOKEN_KIND.end as number, 0];
  for (let token: number = scanner.scan(); token !== TOKEN_KIND.end; token = scanner.scan()) {
    const start = scanner.getTokenOffset();
    if (token === TOKEN_KIND.lineComment || token === TOKEN_KIND.blockComment) {
      // An unterminated one stays, as the fault that it is.
      if (scanner.getTokenError() === 0) blanks.push([start, start + scanner.getTokenLength()]);
    }
    if (token >= TOKEN_KIND.lineComment && token <= TOKEN_KIND.space) continue;
    const closes = token === TOKEN_KIND.closeBrace || token === TOKEN_KIND.closeBracket;
    if (closes && last === TOKEN_KIND.comma && !NO_VALUE.has(beforeLast)) {
      blanks.push([comma, comma + 1]);
    }
    if (token === TOKEN_KIND.comma) comma = start;
    [last, beforeLast] = [token, last];
  }
  let copied = 0;
  const parts: string[] = [];
  for (const [start, end] of blanks.sort(([a], [b]) => a - b)) {
    parts.push(text.slice(copied, start), text.slice(start, end).replace(/[^\r\n]/g, " "));
    copied = end;
  }
  return parts.join("") + text.slice(copied);
}

/** Tokens after which a comma is a fault. */
const NO_VALUE: ReadonlySet<number> = new Set([
  ...[TOKEN_KIND.openBrace, TOKEN_KIND.openBracket, TOKEN_KIND.comma, TOKEN_KIND.colon],
]);
