import { parseAst } from "vitest/node";

/** What a test or a source file says beside its code. */
export interface Script {
  readonly comments: readonly string[];
  /** The contents of strings and templates. */
  readonly strings: readonly string[];
  /** The titles of tests and suites. */
  readonly titles: readonly string[];
  /** Calls that leave tests out: `it.skip`, `describe.only`, `{ todo: true }`. */
  readonly leftOut: readonly string[];
}

/** A node of the syntax tree, in ESTree's form. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export function readScript(text: string): Script {
  const nodes = nodesOf(parseAst(text, { lang: "ts" }));
  const textOf = ({ start, end }: Node) => text.slice(start, end);
  const literals = nodes
    .filter((node) => node.type === "TemplateElement" || /^["'/]/.test(String(node.raw)))
    .sort((a, b) => a.start - b.start);
  // Comment signs in a literal begin no comment.
  const code = literals.map((node, at) => text.slice(literals[at - 1]?.end ?? 0, node.start));
  const rest = text.slice(literals.at(-1)?.end ?? 0);
  const calls = nodes.flatMap((node) => {
    const names = node.type === "CallExpression" ? calleeNames(node.callee as Node) : [];
    return /^(?:it|test|describe)$/.test(names[0] ?? "") ? [{ node, names }] : [];
  });
  const argument = ({ arguments: given }: Node, at: number) => (given as Node[])[at];
  return {
    comments: [...code, rest].join('""').match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? [],
    strings: literals.map(textOf).filter((literal) => !literal.startsWith("/")),
    titles: calls.flatMap(({ node }) => {
      const title = argument(node, 0);
      return title && /^["'`]/.test(textOf(title)) ? textOf(title).slice(1, -1) : [];
    }),
    leftOut: calls
      .filter(
        ({ node, names }) => names.some(leavesOut) || membersOf(argument(node, 1)).some(leavesOut),
      )
      .map(({ node }) => textOf(node).split("\n", 1)[0] ?? ""),
  };
}

const leavesOut = (name: string) => /^(?:skip|only|todo|fails)$/.test(name);

/** The nodes of a tree, in an array that the caller may pass. */
function nodesOf(value: unknown, found: Node[] = []): Node[] {
  if (typeof value !== "object" || value === null) return found;
  if ("type" in value && "start" in value) found.push(value as Node);
  for (const member of Object.values(value)) nodesOf(member, found);
  return found;
}

/** The names in a callee: `it`, `each` of `it.each(…)(…)`. */
function calleeNames(node: Node | undefined): string[] {
  switch (node?.type) {
    case "Identifier":
      return [String(node.name)];
    case "MemberExpression":
      return [...calleeNames(node.object as Node), ...calleeNames(node.property as Node)];
    case "CallExpression":
      return calleeNames(node.callee as Node);
    case "TaggedTemplateExpression":
      return calleeNames(node.tag as Node);
    default:
      return [];
  }
}

/** The names of the members of an object. */
function membersOf(node: Node | undefined): string[] {
  if (node?.type !== "ObjectExpression") return [];
  return (node.properties as Node[]).map(({ key }) => String((key as Node | undefined)?.name));
}
