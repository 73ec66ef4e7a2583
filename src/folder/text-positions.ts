import jsonc, { type Node } from "jsonc-parser";

export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns a function that gives the position of the value at a path in a valid JSON text (of a
 * member: of its name), or of the nearest existing parent. Parses only one element of a top-level
 * array at a time, as the array may be long.
 */
export function valueLocator(
  text: string,
): (path: readonly (string | number)[]) => Position | undefined {
  const placeOf = positionFinder(text);
  const starts = elementStarts(text);
  let last: { start: number; root: Node | undefined } | undefined;
  return ([...path]) => {
    const [index] = path;
    const start = typeof index === "number" ? (starts[index] ?? 0) : 0;
    if (start > 0) path.shift();
    // Of a text of megabytes the tree takes 100 times its memory.
    if (path.length === 0) return placeOf(firstToken(text, start));
    if (last?.start !== start) {
      const end = start > 0 ? starts[(index as number) + 1] : undefined;
      last = { start, root: jsonc.parseTree(start > 0 ? text.slice(start, end) : text) };
    }
    const named = nodeAt(last.root, path);
    return named && placeOf(start + named.offset);
  };
}

function firstToken(text: string, start: number): number {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(start);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** The offsets of the elements of a top-level array and of its end; empty when it is no array. */
export function elementStarts(text: string): number[] {
  const scanner = jsonc.createScanner(text, true);
  const starts: number[] = [];
  let depth = 0;
  for (let token: number = scanner.scan(); token !== TOKEN_KIND.end; token = scanner.scan()) {
    if (token === TOKEN_KIND.openBrace || token === TOKEN_KIND.openBracket) {
      depth += 1;
      if (depth === 1 && token === TOKEN_KIND.openBrace) return [];
      if (depth === 1) starts.push(scanner.getPosition());
    } else if (token === TOKEN_KIND.closeBrace || token === TOKEN_KIND.closeBracket) {
      depth -= 1;
      if (depth === 0) starts.push(scanner.getPosition());
    } else if (token === TOKEN_KIND.comma && depth === 1) starts.push(scanner.getPosition());
  }
  return starts;
}

function nodeAt(root: Node | undefined, path: readonly (string | number)[]): Node | undefined {
  let node = root;
  for (const segment of path) {
    const next: Node | undefined = node && childAt(node, segment);
    if (next === undefined) break;
    node = next;
  }
  return node?.parent?.type === "property" ? node.parent : node;
}

function childAt(node: Node, segment: string | number): Node | undefined {
  if (typeof segment === "string") return membersOf(node).get(segment);
  return node.type === "array" ? node.children?.[segment] : undefined;
}

const MEMBERS = new WeakMap<Node, ReadonlyMap<string, Node>>();

/** The values of an object by name: as many may be looked for as it has. */
function membersOf(node: Node): ReadonlyMap<string, Node> {
  const known = MEMBERS.get(node);
  if (known !== undefined) return known;
  const properties = node.type === "object" ? (node.children ?? []) : [];
  const members = new Map(
    properties.map(({ children = [] }) => [children[0]?.value, children[1] as Node]),
  );
  MEMBERS.set(node, members);
  return members;
}

export const TOKEN_KIND = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  space: 15,
  end: 17,
} as const;

export function positionFinder(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if ((starts[middle] as number) <= offset) line = middle;
      else end = middle;
    }
    return { line: line + 1, column: offset - (starts[line] as number) + 1 };
  };
}
