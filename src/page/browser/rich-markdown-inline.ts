import { Mark, type MarkType, type Node, type Schema } from "prosemirror-model";
import { writtenAddress } from "./markdown-statements.ts";
import type { Token } from "./rich-markdown-lines.ts";

/** Undefined: there is something in the line that cannot be kept. */
export function inlinesOf(
  schema: Schema,
  tokens: readonly Token[],
  source: string,
): readonly Node[] | undefined {
  const nodes: Node[] = [];
  let marks = Mark.none;
  // As it is written there: the parser encodes some letters.
  const address = (token: Token, name: string) => {
    const href = String(token.attrGet(name) ?? "");
    return source.includes(href) ? href : writtenAddress(href);
  };
  const opaque = (type: string, text: string) =>
    nodes.push(schema.node("opaque_inline", { of: { type, text } }, undefined, marks));
  for (const token of tokens) {
    const { type, content, markup } = token;
    const [, name = "", way] = /^(em|strong|s|link)_(open|close)$/.exec(type) ?? [];
    const kind = schema.marks[name === "s" ? "strike" : name];
    if (way === "close" && kind) marks = kind.removeFromSet(marks);
    else if (name === "link" && kind) {
      const href = address(token, "href");
      const of = { title: token.attrGet("title") ?? "", isAuto: markup === "autolink" };
      marks = kind.create({ of, href }).addToSet(marks);
    } else if (kind) marks = kind.create({ of: markup }).addToSet(marks);
    else if (type === "code_inline") {
      const code = schema.mark("code", { of: null }).addToSet(marks);
      nodes.push(schema.text(content, code));
    } else if (/^text/.test(type)) {
      if (content !== "") nodes.push(schema.text(content, marks));
    } else if (type === "softbreak" || type === "hardbreak") {
      const of = type === "softbreak" ? "\n" : source.includes("\\\n") ? "\\\n" : "  \n";
      nodes.push(schema.node("hard_break", { of }, undefined, marks));
    } else if (type === "image") {
      const title = token.attrGet("title");
      const to =
        address(token, "src") + (title ? ` "${String(title).replaceAll('"', '\\"')}"` : "");
      opaque("Picture", `![${content}](${to})`);
    } else if (type === "html_inline") opaque("HTML", content);
    else return undefined;
  }
  return nodes;
}

/** How a line is written: in the marks that it had or in the common ones, with none to all signs escaped. */
interface Way {
  readonly escapes: 0 | 1 | 2 | 3;
  readonly isOwn?: true;
  readonly isPlain?: true;
}

/** From what an author would write to what is read as that in any case; words are never lost. */
export const WAYS: readonly Way[] = [
  { escapes: 0, isOwn: true },
  { escapes: 1, isOwn: true },
  { escapes: 2, isOwn: true },
  { escapes: 3, isOwn: true },
  { escapes: 2 },
  { escapes: 3 },
  { escapes: 3, isPlain: true },
];

const SIGNS: Readonly<Record<string, string>> = { em: "*", strong: "**", strike: "~~" };
const WRITTEN = /^(?:link|em|strong|strike|code)$/;

/**
 * Text with marks, breaks and what is kept, in Markdown.
 *
 * @param done marks that are around it
 */
export function inlineMarkdown(
  nodes: readonly Node[],
  way: Way,
  done: readonly MarkType[] = [],
): string {
  let text = "";
  for (let at = 0; at < nodes.length; ) {
    const reach = (mark: Mark) => {
      const isSame = (own: Mark) => own.type === mark.type && own.attrs.href === mark.attrs.href;
      const end = nodes.findIndex((one, n) => n > at && !one.marks.some(isSame));
      return end < 0 ? nodes.length : end;
    };
    const open = (nodes[at]?.marks ?? [])
      .filter(({ type }) => !way.isPlain && !done.includes(type) && WRITTEN.test(type.name))
      .map((mark) => ({ mark, end: reach(mark), isCode: mark.type.name === "code" }));
    // That which goes on for longest is around the others; code has nothing in it.
    const [first] = open.sort((a, b) => Number(a.isCode) - Number(b.isCode) || b.end - a.end);
    if (first === undefined) {
      const isFirst = done.length === 0 && /^$|\n$/.test(text);
      // Two spaces before the end of a line are a break.
      if (nodes[at]?.type.name === "hard_break") text = text.replace(/[ \t]+$/, "");
      // HTML begins a block where it begins a line.
      const isBefore = way.escapes > 0 && nodes[at + 1]?.attrs.of?.type === "HTML";
      text +=
        isBefore && nodes[at]?.attrs.of === "\n" ? " " : leaf(nodes[at] as Node, way, isFirst);
      at += 1;
    } else {
      text += wrapped(first.mark, nodes.slice(at, first.end), way, done);
      at = first.end;
    }
  }
  return text;
}

/** @param isFirst in its line, where signs make another block of it */
function leaf({ type, text, attrs: { of } }: Node, { escapes }: Way, isFirst: boolean): string {
  if (type.name === "hard_break") return of ?? "\\\n";
  if (text === undefined) return of?.text ?? "";
  const signs = [/$^/g, /$^/g, /[\\`*_[\]<>&~!|]/g, /[!-/:-@[-`{-~]/g][escapes] as RegExp;
  const escaped = text.replace(/\s*[\r\n]\s*/g, " ").replace(signs, "\\$&");
  if (!isFirst || escapes === 0) return escaped;
  return escaped.replace(/^(\s*\d{0,9})(?=[!-/:-@[-`{-~])(?!\\)/, "$1\\");
}

function wrapped(
  { type, attrs }: Mark,
  nodes: readonly Node[],
  way: Way,
  done: readonly MarkType[],
) {
  if (type.name === "code") return code(nodes);
  const [, before, inner, after] = /^(\s*)(.*?)(\s*)$/s.exec(
    inlineMarkdown(nodes, way, [...done, type]),
  ) as unknown as readonly string[];
  if (inner === "") return `${before}${after}`;
  if (type.name === "link") return `${before}${link(attrs, nodes, inner ?? "")}${after}`;
  const sign = way.isOwn && typeof attrs.of === "string" ? attrs.of : SIGNS[type.name];
  return `${before}${sign}${inner}${sign}${after}`;
}

/** With more backticks around than are in it. */
function code(nodes: readonly Node[]): string {
  const text = nodes.map((one) => one.text ?? " ").join("");
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const sign = "`".repeat(longest + 1);
  const isPadded = /^`|`$|^ .*[^ ].* $/s.test(text);
  return isPadded ? `${sign} ${text} ${sign}` : `${sign}${text}${sign}`;
}

function link({ href, of }: Mark["attrs"], nodes: readonly Node[], inner: string): string {
  const text = nodes.map((one) => one.text ?? "").join("");
  const to = String(href ?? "");
  if (of?.isAuto && (text === to || `mailto:${text}` === to)) return `<${text}>`;
  const address = to === "" || /[\s()<>]/.test(to) ? `<${encoded(to)}>` : to;
  const title = of?.title ? ` "${String(of.title).replaceAll('"', '\\"')}"` : "";
  return `[${inner}](${address}${title})`;
}

const encoded = (href: string) => href.replace(/[<>\r\n]/g, (sign) => encodeURIComponent(sign));

/** What is read of a text: its letters with their marks, and what is kept between them. */
export function saidBy(node: Node): string {
  let said = "";
  for (const { type, text, marks, attrs } of node.children) {
    const own = marks.filter(({ type: { name } }) => WRITTEN.test(name));
    const key = own.map((one) => one.type.name + (one.attrs.href ?? "")).sort();
    for (const letter of text?.replace(/[ \t\r\n]/g, "") ?? "") said += `${letter}${key.join()}\n`;
    if (type.name === "opaque_inline") said += `${attrs.of?.text}${key.join()}\n`;
    if (type.name === "hard_break" && attrs.of !== "\n" && node.type.name === "paragraph")
      said += "\\\n";
  }
  return said.replace(/(?:\\\n)+/g, "\\\n").replace(/^\\\n|\\\n$/g, "");
}

/** Whether two blocks say the same, however they are written. */
export function isSame(one: Node, other: Node): boolean {
  const { name, isTextblock } = { name: one.type.name, isTextblock: one.isTextblock };
  if (one.type !== other.type || one.attrs.level !== other.attrs.level) return false;
  if (name === "opaque") return one.attrs.of.text.trimStart() === other.attrs.of.text.trimStart();
  if (name === "code_block") return one.textContent === other.textContent;
  if (isTextblock) return saidBy(one) === saidBy(other);
  const [all, others] = [one, other].map(({ children }) => children.filter((n) => !isEmpty(n)));
  const isAs = (own: Node, at: number) => isSame(own, others?.[at] as Node);
  return all?.length === others?.length && all?.every(isAs) === true;
}

/** Whether nothing is written of it. */
export function isEmpty(node: Node): boolean {
  if (node.type.name === "paragraph") return saidBy(node) === "";
  return /_list$|^list_item$|^blockquote$/.test(node.type.name) && node.children.every(isEmpty);
}
