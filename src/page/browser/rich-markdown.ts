import type { MarkdownIt } from "markdown-it";
import type { Node, NodeSpec } from "prosemirror-model";
import type { JsonValue } from "../../workspace/json.ts";
import { isStatement } from "./markdown-statements.ts";
import type { Mapping } from "./rich-mapping.ts";
import {
  inlineMarkdown,
  inlinesOf,
  isEmpty,
  isSame,
  saidBy,
  WAYS,
} from "./rich-markdown-inline.ts";
import {
  END,
  itemText,
  linesOf,
  markerOf,
  type Piece,
  piecesOf,
  type Token,
  trimmed,
} from "./rich-markdown-lines.ts";
import { richSchema } from "./rich-schema.ts";

/** A block or an item as it is written, and what is between it and the next one. */
interface Source {
  readonly type: string;
  readonly text: string;
  readonly gap: string;
}

interface Read {
  readonly node: Node;
  next?: Source;
  /** Of a list: no blank lines are between its items. */
  isTight?: boolean;
}

/** A break that is a line feed is one of the text alone, and shown as a space. */
const SOFT: Partial<NodeSpec> = {
  toDOM: ({ attrs: { of } }) => (of === "\n" ? ["span", " "] : ["br"]),
};

const KNOWN =
  /^(?:paragraph|heading|blockquote|code_block|bullet_list|ordered_list|list_item|horizontal_rule|hard_break|link|strong|em|strike|code)$/;

/** Lists and quotes within others below this are not taken apart. */
const DEEPEST = 20;

/**
 * H57b: a Markdown text ↔ the document of the editor. A block that has not changed is written as it was, within lists
 * and quotes too; what the editor does not know (HTML, tables, definitions of links) is kept as it is written.
 */
export class MarkdownMapping implements Mapping {
  readonly schema = richSchema({ hard_break: SOFT });
  readonly #parser: MarkdownIt;
  /** The definitions of links in the whole text. */
  #env: Record<string, unknown> = {};
  #doc: Node | undefined;
  #definitions: readonly Node[] = [];
  #around: readonly [before: string, after: string] = ["", ""];
  readonly #read = new WeakMap<Source, Read>();
  #isPlain = false;

  /** @param parser knows HTML as such */
  constructor(parser: MarkdownIt) {
    this.#parser = parser;
  }

  nameOf(kind: string): string | undefined {
    return KNOWN.test(kind) ? kind : undefined;
  }

  canEmbed(): boolean {
    return false;
  }

  read(value: JsonValue): Node {
    const text = String(value ?? "");
    this.#env = {};
    const blocks = this.#blocks(text, 0);
    const end = sourceOf(blocks.at(-1))?.gap ?? "";
    this.#doc = this.schema.node("doc", { of: text }, this.#filled(blocks));
    this.#definitions = definitionsIn(this.#doc);
    const first = sourceOf(blocks[0]);
    this.#around = [first ? text.slice(0, text.indexOf(first.text)) : "", end];
    return this.#doc;
  }

  write(doc: Node): string {
    const text: string = doc.attrs.of ?? "";
    if (this.#doc?.eq(doc)) return text;
    const end = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
    // A definition is not seen to be one: links of other blocks need it.
    const left = new Set(definitionsIn(doc).map(sourceOf));
    const lost = this.#definitions.filter((one) => !left.has(sourceOf(one)));
    const all = [...doc.children, ...lost];
    const [before, after] = this.#around;
    return before + this.#joined(all, () => "\n\n", end) + after;
  }

  #blocks(text: string, depth: number): Node[] {
    const lines = text.split(/(?<=\n)|(?<=\r)(?!\n)/);
    const pieces = piecesOf(this.#parser.parse(text, this.#env), lines);
    return this.#nodes(pieces, lines, (source, piece) => {
      const node = depth < DEEPEST ? this.#block(source, piece, depth) : undefined;
      return node ?? this.schema.node("opaque", { of: source });
    });
  }

  /** The nodes of pieces, each with its source. */
  #nodes(
    pieces: readonly Piece[],
    lines: readonly string[],
    made: (source: Source, piece: Piece) => Node,
  ): Node[] {
    let last: Read | undefined;
    return pieces.map((piece, at) => {
      const { from, to, open } = piece;
      const whole = lines.slice(from, to).join("");
      const text = whole.replace(END, "");
      const gap = whole.slice(text.length) + lines.slice(to, pieces[at + 1]?.from).join("");
      const source = { type: KINDS[open?.type ?? ""] ?? DEFINITION, text, gap };
      const read: Read = { node: made(source, piece) };
      if (last) last.next = source;
      last = read;
      this.#read.set(source, read);
      const hasTight = piece.inside.some(({ type, hidden }) => type === "paragraph_open" && hidden);
      if (hasTight) read.isTight = true;
      return read.node;
    });
  }

  #block(of: Source, { open, inside }: Piece, depth: number): Node | undefined {
    const { nodes } = this.schema;
    switch (open?.type) {
      case "paragraph_open":
      case "heading_open": {
        const [{ children, content }] = inside as [Token];
        const inlines = isStatement(content)
          ? undefined
          : inlinesOf(this.schema, children ?? [], of.text);
        if (open.tag === "p") return inlines && nodes.paragraph?.create({ of }, inlines);
        return inlines && nodes.heading?.create({ of, level: Number(open.tag[1]) }, inlines);
      }
      case "hr":
        return nodes.horizontal_rule?.create({ of });
      case "fence":
      case "code_block": {
        const text = open.content.replace(/\n$/, "");
        return nodes.code_block?.create({ of }, text === "" ? [] : [this.schema.text(text)]);
      }
      case "blockquote_open": {
        // How wide a tab is depends on what is around the quote.
        if (/^[ >\t]*(?:(?:[-*+]|\d{1,9}[.)])[ >]*)*\t/m.test(of.text)) return undefined;
        const inner = linesOf(of.text).map((line) => line.replace(/^ {0,3}> ?/, ""));
        const blocks = this.#filled(this.#blocks(inner.join("\n"), depth + 1));
        return nodes.blockquote?.createChecked({ of }, blocks);
      }
      case "bullet_list_open":
      case "ordered_list_open": {
        const lines = of.text.split(/(?<=\n)|(?<=\r)(?!\n)/);
        const top = open.map?.[0] ?? 0;
        const items = inside
          .filter(({ type, level }) => type === "list_item_open" && level === open.level + 1)
          .map((one): Piece => {
            const [from, to] = one.map as [number, number];
            return { ...trimmed(lines, from - top, to - top), open: one, inside: [] };
          });
        const made = this.#nodes(items, lines, (source) => {
          const blocks = this.#filled(this.#blocks(itemText(source.text), depth + 1));
          return this.schema.node("list_item", { of: source }, blocks);
        });
        return this.schema.node(of.type, { of }, made);
      }
      default:
        return undefined;
    }
  }

  /** Where there is no block, an empty one. */
  #filled(blocks: readonly Node[]): readonly Node[] {
    return blocks.length > 0 ? blocks : [this.schema.node("paragraph")];
  }

  /** Undefined also where a block is written as a new one is. */
  #sourceOf(node: Node | null | undefined): Source | undefined {
    return this.#isPlain ? undefined : sourceOf(node);
  }

  #isRead(node: Node): boolean {
    const of = this.#sourceOf(node);
    return of !== undefined && this.#read.get(of)?.node.eq(node) === true;
  }

  /** A block as it was, or as it is by now. */
  #text(node: Node): string {
    const of = this.#sourceOf(node);
    if (node.type.name === "opaque") {
      const { text } = node.attrs.of;
      return this.#isPlain ? text.trimStart() : text;
    }
    if (of && this.#isRead(node)) return of.text;
    const text = this.#built(node, of);
    const [read, ...others] = this.#isPlain ? [] : this.#blocks(text, 0);
    if (this.#isPlain || (others.length === 0 && read && isSame(read, node))) return text;
    // As it was written it would be something else by now.
    return this.#plain(node);
  }

  /** As a new one is. */
  #plain(node: Node): string {
    this.#isPlain = true;
    const text = this.#text(node);
    this.#isPlain = false;
    return text;
  }

  #built(node: Node, of: Source | undefined): string {
    switch (node.type.name) {
      case "heading":
        return this.#heading(node, of);
      case "code_block": {
        const longest = /`{3,}/g.exec(node.textContent) ? "~~~~" : "```";
        const [, fence = longest, info = ""] =
          /^ {0,3}(`{3,}|~{3,})(.*)/.exec(of?.text ?? "") ?? [];
        const own = node.textContent.includes(fence) ? longest : fence;
        return `${own}${info.trimEnd()}\n${node.textContent}\n${own}`;
      }
      case "blockquote": {
        const lines = this.#joined(node.children, () => "\n\n").split("\n");
        return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
      }
      case "bullet_list":
      case "ordered_list":
        return this.#list(node, of);
      case "horizontal_rule":
        return "___";
      default:
        return this.#fitting(node, (text) => text);
    }
  }

  #heading(node: Node, of: Source | undefined): string {
    const level = Number(node.attrs.level);
    const [line] = /\n {0,3}(?:=+|-+)[ \t]*$/.exec(of?.text.replace(/\r\n?/g, "\n") ?? "") ?? [];
    const isUnderlined = line !== undefined && (line.includes("=") ? 1 : 2) === level;
    return this.#fitting(node, (text) =>
      isUnderlined && text !== "" ? text + line : `${"#".repeat(level)} ${text}`.trimEnd(),
    );
  }

  /** With as few escapes as it takes to be read as what it says. */
  #fitting(node: Node, around: (text: string) => string): string {
    const isBreak = (one: Node) => one.type.name === "hard_break";
    const first = node.children.findIndex((one) => !isBreak(one));
    const last = node.children.findLastIndex((one) => !isBreak(one));
    const isHeading = node.type.name === "heading";
    const inner = node.children
      .slice(first, last + 1)
      .map((one) => (isHeading && isBreak(one) ? this.schema.text(" ", one.marks) : one));
    let text = "";
    for (const way of WAYS) {
      const line = inlineMarkdown(inner, way).trim();
      // An empty line would end the paragraph.
      text = around(
        line.replace(/(?:\\| {2})?\n(?:[ \t]*\\?\n)+/g, (all) =>
          /\\| {2}\n/.test(all) ? "\\\n" : "\n",
        ),
      );
      const [read, ...others] = this.#blocks(text, 0);
      const isOne = read?.type === node.type && others.length === 0;
      if (isOne && read.attrs.level === node.attrs.level && saidBy(read) === saidBy(node)) break;
    }
    return text;
  }

  #list(list: Node, of: Source | undefined): string {
    const numbers = list.type.name === "ordered_list";
    const read = of && this.#read.get(of);
    const isTight = read === undefined || read.isTight === true;
    const original = read?.node.type === list.type ? of?.text : undefined;
    const [, , begin = numbers ? "1" : "-", dot = numbers ? "." : ""] = markerOf(original) ?? [];
    const numbersOf = read?.node.children.map((item) => markerOf(this.#sourceOf(item)?.text)?.[2]);
    const isConstant = numbers && numbersOf?.[1] === begin;
    const isInOrder =
      original !== undefined &&
      list.childCount === read?.node.childCount &&
      list.children.every(
        (item, at) => this.#sourceOf(item) === this.#sourceOf(read.node.child(at)),
      );
    const items = list.children.filter((item) => this.#isRead(item) || !isEmpty(item));
    const texts = items.map((item, at) => {
      const next = numbers && !isConstant ? String(Number(begin) + at) : begin;
      const marker = markerOf(this.#sourceOf(item)?.text);
      const isOfKind = marker !== null && (marker[3] !== "") === numbers;
      const [whole = "", indent = "", own = next, ownDot, spaces = ""] = isOfKind ? marker : [];
      const sign = isInOrder && numbers ? own : next;
      if (own === sign && ownDot === dot && this.#isRead(item))
        return this.#sourceOf(item)?.text ?? "";
      const width = spaces.length > 4 ? 0 : whole.length;
      const marked = `${indent}${sign}${dot} `.padEnd(width);
      const lines = this.#joined(item.children, (_, next) =>
        isTight && /_list$/.test(next.type.name) ? "\n" : "\n\n",
      ).split("\n");
      const [first = "", ...others] = lines;
      const inner = others.map((line) => (line === "" ? "" : " ".repeat(marked.length) + line));
      return [first === "" ? marked.trimEnd() : marked + first, ...inner].join("\n");
    });
    return texts.reduce((all, text, at) => {
      if (at === 0) return text;
      const [last, next] = items.slice(at - 1) as [Node, Node];
      return all + (this.#gap(last, next) ?? (isTight ? "\n" : "\n\n")) + text;
    }, "");
  }

  /** @param end of a line, where that is to be another one than a line feed */
  #joined(blocks: readonly Node[], gap: (last: Node, next: Node) => string, end = "\n"): string {
    const all = blocks.filter((one) => this.#isRead(one) || !isEmpty(one));
    const withEnds = (one: string) => (end === "\n" ? one : one.replace(/\r?\n/g, end));
    const texts = all.map((one) =>
      this.#isRead(one) ? this.#text(one) : withEnds(this.#text(one)),
    );
    const gaps = all.slice(1).map((next, at) => {
      const last = all[at] as Node;
      const was = this.#gap(last, next);
      const isAsRead = [last, next].every((one, n) => texts[at + n] === sourceOf(one)?.text);
      if (was !== undefined && isAsRead) return was;
      // What is before it may take it in, as a list does with what is indented.
      const isApart = (one: string) => {
        const [before = "", own = ""] = texts.slice(at, at + 2);
        return sourceOf(this.#blocks(before + one + own, 0).at(-1))?.text === own;
      };
      const found = [was ?? withEnds(gap(last, next)), withEnds("\n\n")].find(isApart);
      if (found === undefined && !this.#isPlain) {
        for (const [n, one] of [last, next].entries()) texts[at + n] = withEnds(this.#plain(one));
      }
      return found ?? withEnds("\n\n");
    });
    return texts.map((text, at) => (at === 0 ? "" : gaps[at - 1]) + text).join("");
  }

  /** What was between two blocks, where they still are what they were. */
  #gap(last: Node, next: Node): string | undefined {
    const [of, other] = [last, next].map((one) => this.#sourceOf(one));
    const reads = [of, other].map((one) => one && this.#read.get(one));
    const isSame = [last, next].every(({ type }, at) => reads[at]?.node.type === type);
    return isSame && reads[0]?.next === other ? of?.gap : undefined;
  }
}

const DEFINITION = "Definition";

/** What is known, by the names of the schema; else what the editor calls it. */
const KINDS: Readonly<Record<string, string>> = {
  paragraph_open: "paragraph",
  heading_open: "heading",
  hr: "horizontal_rule",
  fence: "code_block",
  code_block: "code_block",
  blockquote_open: "blockquote",
  bullet_list_open: "bullet_list",
  ordered_list_open: "ordered_list",
  list_item_open: "list_item",
  html_block: "HTML",
  table_open: "Table",
};

function definitionsIn(doc: Node): readonly Node[] {
  const found: Node[] = [];
  doc.descendants((node) => {
    if (sourceOf(node)?.type === DEFINITION) found.push(node);
  });
  return found;
}

function sourceOf(node: Node | null | undefined): Source | undefined {
  return node?.attrs.of?.gap === undefined ? undefined : node.attrs.of;
}
