import type { MarkdownIt } from "markdown-it";

export type Token = ReturnType<MarkdownIt["parse"]>[number];

/** A part of a text: a block with its tokens, or what is none, as definitions of links. */
export interface Piece {
  readonly from: number;
  to: number;
  readonly open?: Token;
  readonly inside: readonly Token[];
}

/** Of an item: its indentation, its sign, what is behind a number, and spaces. */
const MARKER = /^( *)([-*+]|\d{1,9}(?=[.)]))([.)]?)( *)/;
/** Of a line. */
export const END = /(?:\r\n|\r|\n)$/;

/** The blocks of a text, and what is none. */
export function piecesOf(tokens: readonly Token[], lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const others = (to: number) => {
    const piece = trimmed(lines, end, to);
    if (piece.from < piece.to) pieces.push({ ...piece, inside: [] });
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const open = tokens[at] as Token;
    const start = at + 1;
    if (open.nesting === 1) while (tokens[at + 1]?.level !== 0) at += 1;
    if (open.nesting < 0 || open.map === null) continue;
    const [from, to] = open.map;
    others(from);
    pieces.push({ ...trimmed(lines, from, to), open, inside: tokens.slice(start, at + 1) });
    end = to;
  }
  others(lines.length);
  return pieces;
}

/** Without blank lines around. */
export function trimmed(lines: readonly string[], from: number, to: number) {
  const isBlank = (at: number) => lines[at]?.trim() === "";
  let [first, end] = [from, Math.min(to, lines.length)];
  while (first < end && isBlank(first)) first += 1;
  while (end > first && isBlank(end - 1)) end -= 1;
  return { from: first, to: end };
}

export const linesOf = (text: string) => text.split(/\r\n?|\n/);

/** That of an item. */
export const markerOf = (text = "") => MARKER.exec(untabbed(linesOf(text)[0] ?? ""));

/** What an item has behind its marker, and below it. */
export function itemText(text: string): string {
  const [first = "", ...others] = linesOf(text).map(untabbed);
  const [whole = "", , , , spaces = ""] = MARKER.exec(first) ?? [];
  const isCode = spaces.length > 4 || whole === first;
  const width = isCode ? whole.length - spaces.length + 1 : whole.length;
  const inner = others.map((line) => line.replace(new RegExp(`^ {0,${width}}`), ""));
  return [first.slice(width), ...inner].join("\n");
}

/** With spaces for the tabs before and behind markers. */
function untabbed(line: string): string {
  return line.replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/, (all) =>
    [...all].reduce(
      (text, one) => text + (one === "\t" ? " ".repeat(4 - (text.length % 4)) : one),
      "",
    ),
  );
}
