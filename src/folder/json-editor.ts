import jsonc, { type Node } from "jsonc-parser";
import { align } from "../diff/align-lists.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import { jsonTree, memberName, memberValue, treeValue } from "./json-text.ts";
import { TOKEN_KIND } from "./text-positions.ts";

export type Path = readonly (string | number)[];

/** What all JSON texts of a file have in common. */
export interface FileLayout {
  readonly indent: string;
  readonly eol: string;
}

/** Once a file: it searches the whole text. */
export function fileLayout(file: string): FileLayout {
  return {
    indent: /\n([ \t]+)\S/.exec(file)?.[1] ?? "  ",
    eol: file.includes("\r\n") ? "\r\n" : "\n",
  };
}

interface Style {
  readonly hasLines: boolean;
  /** After a colon, and after a comma on the same line. */
  readonly space: string;
  /** Within the braces of an object on one line. */
  readonly pad: string;
}

/** A member or an element of a new text; `margin` is the indentation of its line. */
export interface Child {
  /** Its index in the old text, if it was there. */
  readonly from?: number | undefined;
  text(margin: string, comma: string): string;
  /** Whether it consists of complete lines, with the comma. */
  readonly isLines?: true;
}

/**
 * M2, G5: the text with another value, in which everything that stays is as it was: white space, the
 * order of members, how numbers and strings are written, comments. New values are written as their
 * neighbours are. Another order of the same members is no change.
 *
 * @param layout of the file of which the text is a part.
 */
export function withValue(text: string, value: JsonValue, layout?: FileLayout): string {
  const source = new JsonSource(text, layout);
  return source.withRoot(rewritten(source, source.root, value, source.style));
}

/** A JSON text, comments and trailing commas allowed, and where its values are. */
export class JsonSource {
  readonly text: string;
  readonly root: Node;
  readonly layout: FileLayout;
  readonly style: Style;

  constructor(text: string, layout = fileLayout(text)) {
    this.text = text;
    this.root = jsonTree(text);
    this.layout = layout;
    const hasLines = /\n\s*\S/.test(text);
    this.style = { hasLines, space: /":\S/.test(text) ? "" : " ", pad: "" };
  }

  nodeAt(path: Path): Node {
    return jsonc.findNodeAtLocation(this.root, [...path]) as Node;
  }

  textOf({ offset, length }: Node): string {
    return this.text.slice(offset, offset + length);
  }

  /** The name and colon before the value of a member; "" for another value. */
  labelOf({ parent, offset }: Node): string {
    return parent?.type === "property" ? this.text.slice(parent.offset, offset) : "";
  }

  /** The indentation of the line on which a value begins. */
  marginOf({ offset }: Node): string {
    const start = this.text.lastIndexOf("\n", offset - 1) + 1;
    return /^[ \t]*/.exec(this.text.slice(start, offset))?.[0] ?? "";
  }

  /** The whole text with another one in place of its value. */
  withRoot(text: string): string {
    const { offset, length } = this.root;
    return this.text.slice(0, offset) + text + this.text.slice(offset + length);
  }

  /** An object or a list with these members or elements. */
  assembled(node: Node, children: readonly Child[], { hasLines, space, pad }: Style): string {
    const [open, close] = node.type === "object" ? "{}" : "[]";
    const { gaps, tail } = this.#gapsOf(node);
    // A comment before the end is about none of the children, and stays without them.
    if (children.length === 0) return `${open}${tail.trim() === "" ? "" : tail}${close}`;
    const { eol, indent } = this.layout;
    const outside = this.marginOf(node);
    const newLine = `${eol}${outside}${indent}`;
    const inside = node.type === "object" ? pad : "";
    const [first = hasLines ? newLine : inside, second] = gaps.map(({ lead }) => spaceBefore(lead));
    const next = second ?? (first.includes("\n") ? first : space);
    let end = gaps.length > 0 ? tail : hasLines ? `${eol}${outside}` : inside;
    const remark = gaps.length === 0 ? tail.trimEnd() : "";
    let [text, margin, wasLines] = [open + remark, outside, remark.includes("//")];
    for (const [at, { from = -1, isLines = false, text: textOf }] of children.entries()) {
      const old = gaps[from];
      const comma = at < children.length - 1 || gaps.at(-1)?.hasComma ? "," : "";
      const isInPlace = (at === 0) === (from === 0);
      const kept = isInPlace || old?.lead.includes("\n") ? old?.lead : undefined;
      let lead = kept ?? (at === 0 ? first : next) + (old?.lead.trim() ?? "");
      if (isLines || (wasLines && !lead.includes("\n"))) lead = newLine + lead.trim();
      margin = /\n([ \t]*)[^\n]*$/.exec(lead)?.[1] ?? margin;
      text += isLines
        ? eol + textOf(margin, comma)
        : lead + textOf(margin, comma) + (comma && `${old?.space ?? ""},`) + (old?.remark ?? "");
      // A comment to the end of its line must not hide what follows.
      wasLines = isLines || old?.remark.includes("//") === true;
    }
    if (wasLines && !end.includes("\n")) end = `${eol}${outside}${end.trim()}`;
    return text + end + close;
  }

  /** What is around each child of an object or a list, and before its end. */
  #gapsOf(node: Node): { gaps: readonly Gap[]; tail: string } {
    const end = node.offset + node.length - 1;
    let at = node.offset + 1;
    const gaps = (node.children ?? []).map(({ offset, length }) => {
      const lead = this.text.slice(at, offset);
      const after = gapAfter(this.text.slice(offset + length, end));
      at = offset + length + after.length;
      return { ...after, lead };
    });
    return { gaps, tail: this.text.slice(at, end) };
  }
}

interface Gap {
  /** What is between the comma before it, or the remark after that, and itself. */
  readonly lead: string;
  readonly space: string;
  readonly hasComma: boolean;
  /** The comments behind it. */
  readonly remark: string;
}

/** What follows a value: its comma, and comments that begin on its line. */
function gapAfter(text: string): Omit<Gap, "lead"> & { readonly length: number } {
  const scanner = jsonc.createScanner(text, true);
  const hasComma = scanner.scan() === TOKEN_KIND.comma;
  const before = hasComma ? text.slice(0, scanner.getTokenOffset()) : "";
  const rest = text.slice(hasComma ? before.length + 1 : 0);
  const [remark = ""] = (hasComma ? LINE_REMARK : REMARKS).exec(rest) ?? [];
  const length = text.length - rest.length + remark.length;
  if (before.trim() === "") return { hasComma, space: before, remark, length };
  return { hasComma, space: "", remark: before + remark, length };
}

const LINE_REMARK = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/(?=[ \t]*\r?\n))/;
/** Of the last value: those on lines of their own are not about it. */
const REMARKS = /^(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[\s\S]*?\*\/))+/;

/** The white space before a value, without comments and empty lines. */
function spaceBefore(lead: string): string {
  return /\r?\n[ \t]*$/.exec(lead)?.[0] ?? /[ \t]*$/.exec(lead)?.[0] ?? "";
}

function rewritten(source: JsonSource, node: Node, after: JsonValue, style: Style): string {
  const before = treeValue(node);
  if (JSON.stringify(before) === JSON.stringify(after)) return source.textOf(node);
  const inner = innerStyle(source, node, style);
  if (isJsonObject(before) && isJsonObject(after)) {
    return source.assembled(node, members(source, node, after, inner), inner);
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return source.assembled(node, elements(source, node, after, inner), inner);
  }
  return printed(after, style, source.layout, source.marginOf(node));
}

/** How new members or elements are written: as their neighbours are. */
function innerStyle(source: JsonSource, node: Node, style: Style): Style {
  const children = node.children ?? [];
  if (children.length === 0) return style;
  const texts = children
    .map((child) => (node.type === "object" ? memberValue(child) : child))
    .filter((child) => (child.children?.length ?? 0) > 0)
    .map((child) => source.textOf(child));
  const own = source.textOf(node);
  const hasLines = (texts.length > 0 ? texts : [own]).some((one) => one.includes("\n"));
  return { ...style, hasLines, pad: /^[[{]( *)/.exec(texts.at(-1) ?? own)?.[1] ?? "" };
}

function members(source: JsonSource, node: Node, after: JsonObject, style: Style): Child[] {
  const nodes = node.children ?? [];
  const before = nodes.map(memberName);
  const names = Object.keys(after);
  const sources = origins(before, names);
  const isNew = (name: string) => !before.includes(name);
  const children = nodes.flatMap((member, from) => {
    const old = before[from] as string;
    // A new member that takes the place of one that is gone is that one, renamed.
    const name = names.includes(old)
      ? old
      : names.find((one, at) => sources[at] === from && isNew(one));
    if (name === undefined) return [];
    const value = memberValue(member);
    const label = source.labelOf(value);
    const written =
      name === old ? label : JSON.stringify(name) + label.slice(member.children?.[0]?.length);
    const text = () => written + rewritten(source, value, after[name] as JsonValue, style);
    return [{ name, from, text } as Child & { name: string }];
  });
  for (const [at, [name, value]] of Object.entries(after).entries()) {
    const placed = children.map((child) => child.name);
    if (placed.includes(name)) continue;
    const text = (margin: string) =>
      `${JSON.stringify(name)}:${style.space}${printed(value, style, source.layout, margin)}`;
    children.splice(placed.indexOf(names[at - 1] ?? "") + 1, 0, { name, text });
  }
  return children;
}

function elements(
  source: JsonSource,
  node: Node,
  after: readonly JsonValue[],
  style: Style,
): Child[] {
  const nodes = node.children ?? [];
  const before = nodes.map((child) => JSON.stringify(treeValue(child)));
  const texts = after.map((one) => JSON.stringify(one));
  const sources = origins(before, texts);
  return sources.map((own, at): Child => {
    const value = after[at] as JsonValue;
    // One that was moved keeps its text, too.
    const moved = own === undefined ? before.indexOf(texts[at] ?? "") : -1;
    const from = moved < 0 || sources.includes(moved) ? own : moved;
    const old = from === undefined ? undefined : nodes[from];
    if (old === undefined)
      return { text: (margin) => printed(value, style, source.layout, margin) };
    return { from, text: () => rewritten(source, old, value, style) };
  });
}

/** The index in a list of each element of the next one: of an equal one, or of one whose place it takes. */
function origins(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  return align(before, after).flatMap(({ isSame, from, fromCount, toCount }) =>
    Array.from({ length: toCount }, (_, n) => (isSame || n < fromCount ? from + n : undefined)),
  );
}

function printed(
  value: JsonValue,
  style: Style,
  { indent, eol }: FileLayout,
  margin: string,
): string {
  if (!style.hasLines) return compact(value, style);
  return JSON.stringify(value, null, indent).replaceAll("\n", eol + margin);
}

function compact(value: JsonValue, style: Style): string {
  const { space, pad } = style;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const comma = `,${space}`;
  if (Array.isArray(value)) return `[${value.map((one) => compact(one, style)).join(comma)}]`;
  const all = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${space}${compact(one, style)}`,
  );
  return all.length === 0 ? "{}" : `{${pad}${all.join(comma)}${pad}}`;
}
