import jsonc, { type Node } from "jsonc-parser";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { TOKEN_KIND } from "../text-positions.ts";
import { fileStyle, type JsonStyle, leadingIn, printed, textStyle } from "./json-style.ts";

/** The text of a JSON value, comments allowed, and the value that it becomes. */
interface Edited {
  readonly text: string;
  readonly style: JsonStyle;
}

/**
 * The text with another value, in which everything that stays is as it was: white space, the order of
 * members, how numbers and strings are written, comments. New members have the style of their
 * neighbours. Another order of the same members is no change.
 *
 * @param file the style of the file of which the text is a part.
 */
export function rewriteJson(text: string, after: JsonValue, file = fileStyle(text)): string {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new TypeError("the text to edit is not JSON");
  const edited = { text, style: textStyle(text, file) };
  const { offset, length } = root;
  return text.slice(0, offset) + rewritten(edited, root, after) + text.slice(offset + length);
}

/** The value of a text. Unlike jsonc-parser's, with a member `__proto__` where the text has one. */
export function jsonValue(text: string): JsonValue | undefined {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  return root && valueAt(root);
}

function valueAt({ type, children = [], value }: Node): JsonValue {
  if (type === "array") return children.map(valueAt);
  if (type !== "object") return value;
  return Object.fromEntries(children.map((member) => [keyOf(member), valueAt(valueNode(member))]));
}

const keyOf = ({ children }: Node): string => children?.[0]?.value;
const valueNode = ({ children }: Node) => children?.[1] as Node;

function rewritten(edited: Edited, node: Node, after: JsonValue): string {
  const { text, style } = edited;
  const before = valueAt(node);
  const own = text.slice(node.offset, node.offset + node.length);
  if (JSON.stringify(before) === JSON.stringify(after)) return own;
  const inner = { text, style: innerStyle(edited, node) };
  if (isJsonObject(before) && isJsonObject(after)) {
    return assembled(inner, node, memberItems(inner, node, before, after), after);
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return assembled(inner, node, elementItems(inner, node, after), after);
  }
  return printed(after, style, text.slice(0, node.offset));
}

/** How new members or elements are written: as their neighbours are. */
function innerStyle({ text, style }: Edited, node: Node): JsonStyle {
  const children = node.children ?? [];
  const texts = children
    .map((child) => (node.type === "object" ? valueNode(child) : child))
    .filter((child) => (child.children?.length ?? 0) > 0)
    .map(({ offset, length }) => text.slice(offset, offset + length));
  if (children.length === 0) return style;
  const own = text.slice(node.offset, node.offset + node.length);
  const hasLines = (texts.length > 0 ? texts : [own]).some((one) => one.includes("\n"));
  return { ...style, hasLines, pad: /^[[{]( *)/.exec(texts.at(-1) ?? own)?.[1] ?? "" };
}

/** A member or an element of the new text: an old one, or a new one. */
type Item =
  | { readonly from: number; readonly body: string }
  | { readonly from?: undefined; body(leading: string): string };

function memberItems(edited: Edited, node: Node, before: JsonObject, after: JsonObject): Item[] {
  const { text, style } = edited;
  const newNames = renamedMembers(Object.keys(before), Object.keys(after));
  const names: string[] = [];
  const items: Item[] = [];
  for (const [from, member] of (node.children ?? []).entries()) {
    const key = keyOf(member);
    const name = newNames.get(key) ?? key;
    if (!Object.hasOwn(after, name)) continue;
    const value = valueNode(member);
    const keyEnd = member.offset + (member.children?.[0]?.length ?? 0);
    const written = name === key ? text.slice(member.offset, keyEnd) : JSON.stringify(name);
    const body = `${written}${text.slice(keyEnd, value.offset)}${rewritten(edited, value, after[name] as JsonValue)}`;
    names.push(name);
    items.push({ from, body });
  }
  for (const [at, [name, value]] of Object.entries(after).entries()) {
    if (names.includes(name)) continue;
    const place = names.indexOf(Object.keys(after)[at - 1] ?? "") + 1;
    names.splice(place, 0, name);
    items.splice(place, 0, {
      body: (leading) => `${JSON.stringify(name)}:${style.space}${printed(value, style, leading)}`,
    });
  }
  return items;
}

/** The members whose place another one takes: the new names by the old ones. */
function renamedMembers(before: readonly string[], after: readonly string[]): Map<string, string> {
  const newNames = new Map<string, string>();
  const oldName = new Map<string, string>();
  for (const [at, name] of after.entries()) {
    if (before.includes(name)) {
      oldName.set(name, name);
      continue;
    }
    const previous = after[at - 1];
    const known = previous === undefined ? undefined : oldName.get(previous);
    if (previous !== undefined && known === undefined) continue;
    const gone = before[known === undefined ? 0 : before.indexOf(known) + 1];
    if (gone === undefined || after.includes(gone)) continue;
    newNames.set(gone, name);
    oldName.set(name, gone);
  }
  return newNames;
}

/** Elements at the beginning and the end that stay are kept; the others are changed one by one. */
function elementItems(edited: Edited, node: Node, after: readonly JsonValue[]): Item[] {
  const children = node.children ?? [];
  const texts = children.map((child) => JSON.stringify(valueAt(child)));
  const isSame = (from: number, to: number) => texts[from] === JSON.stringify(after[to]);
  const least = Math.min(children.length, after.length);
  let start = 0;
  while (start < least && isSame(start, start)) start += 1;
  let end = 0;
  const fromEnd = (length: number) => length - end - 1;
  while (end < least - start && isSame(fromEnd(children.length), fromEnd(after.length))) end += 1;
  const items: Item[] = [];
  const more = after.length - children.length;
  for (const [at, value] of after.entries()) {
    const from = at < after.length - end ? at : at - more;
    const child = children[from];
    if (child !== undefined && (at >= after.length - end || from < children.length - end)) {
      items.push({ from, body: rewritten(edited, child, value) });
    } else items.push({ body: (leading) => printed(value, edited.style, leading) });
  }
  return items;
}

/** The text of an object or an array with these members or elements. */
function assembled(
  { text, style }: Edited,
  node: Node,
  items: readonly Item[],
  after: JsonValue,
): string {
  const children = node.children ?? [];
  if (children.length === 0) return printed(after, style, text.slice(0, node.offset));
  const close = text[node.offset + node.length - 1] as string;
  if (items.length === 0) return `${text[node.offset]}${close}`;
  const around = children.map((child, at) => surroundings(text, node, child, children[at - 1]));
  const [first, second] = around.map(({ lead }) => leadingIn(lead));
  const next = second ?? (first?.includes("\n") ? first : style.space);
  const last = children.at(-1) as Node;
  const tail = text.slice(last.offset + last.length, node.offset + node.length - 1);
  const { hasComma } = gapIn(tail);
  const [beforeClose] = /\s*$/.exec(tail) as RegExpExecArray;
  const line = text.slice(text.lastIndexOf("\n", node.offset) + 1, node.offset);
  let result = text[node.offset] as string;
  for (const [position, item] of items.entries()) {
    const old = item.from === undefined ? undefined : around[item.from];
    const usual = position === 0 ? (first ?? "") : next;
    const isInPlace = (position === 0) === (item.from === 0);
    const lead = old && (isInPlace || old.lead.includes("\n")) ? old.lead : usual;
    const isLast = position === items.length - 1;
    const body = typeof item.body === "string" ? item.body : item.body(line + result + lead);
    const comma = isLast && !hasComma ? "" : `${old?.space ?? ""},`;
    result += `${lead}${body}${comma}${old?.remark ?? ""}`;
  }
  return result + beforeClose + close;
}

interface Surroundings {
  /** What is between the comma before it, or the remark after that, and itself. */
  readonly lead: string;
  /** White space before its comma. */
  readonly space: string;
  /** The comments between it and the next one, up to the end of their line. */
  readonly remark: string;
}

function surroundings(text: string, parent: Node, node: Node, previous?: Node): Surroundings {
  const end = parent.offset + parent.length - 1;
  const before = previous ? previous.offset + previous.length : parent.offset + 1;
  const between = text.slice(before, node.offset);
  const lead = previous ? between.slice(gapIn(between).end) : between;
  const { space, remark } = gapIn(text.slice(node.offset + node.length, end));
  return { lead, space, remark };
}

/** What follows a value: its comma, and comments up to the end of the line. */
function gapIn(text: string): { space: string; remark: string; hasComma: boolean; end: number } {
  const scanner = jsonc.createScanner(text, true);
  const hasComma = scanner.scan() === TOKEN_KIND.comma;
  const beforeComma = hasComma ? text.slice(0, scanner.getTokenOffset()) : "";
  const rest = text.slice(hasComma ? beforeComma.length + 1 : 0);
  const [remark = ""] = (hasComma ? LINE_REMARK : REMARKS).exec(rest) ?? [];
  const end = text.length - rest.length + remark.length;
  const isBlank = beforeComma.trim() === "";
  return {
    ...{ hasComma, end, space: isBlank ? beforeComma : "" },
    remark: (isBlank ? "" : beforeComma) + remark,
  };
}

const LINE_REMARK = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/(?=[ \t]*\r?\n))/;
/** All comments before the end of an object or array. */
const REMARKS = /^(?:\s*(?:\/\/[^\r\n]*|\/\*[\s\S]*?\*\/))+/;
