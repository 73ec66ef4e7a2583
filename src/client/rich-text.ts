import { markTag, nodeTag } from "./rich-text-tags.ts";
import type { AnyPointer, ServedAsset } from "./types.ts";

export type { AnyPointer, RichText, RichTextValue } from "./types.ts";

/** A node or a mark; what it has depends on its dialect. */
// biome-ignore lint/suspicious/noExplicitAny: handlers know the dialect, and read members without casts
export type RichTextNode = { [member: string]: any };

/** What to make of a node or a mark; `inner` is what was made of what is in it. */
export type Handler<T> = (inner: T, node: RichTextNode, name: string) => T;

/**
 * What to make of each part of a tree. A node goes by its `nodeType`, `_type` or `type`, a Portable Text
 * block by its `style` (`normal`, `h1`), an item of a list there by `listItem`, the list by `bullet`
 * or `number`.
 */
export interface Handlers<P, T> {
  text(text: string): T;
  /** Several parts, in order, as one. */
  join(parts: T[]): T;
  /** By name. */
  nodes?: { readonly [name: string]: Handler<T> };
  marks?: { readonly [name: string]: Handler<T> };
  /**
   * Pointers, each with the node or mark that it is in; without one where it is itself a part of the
   * text. Nodes and marks that have a handler by name are left to that.
   */
  entry?(pointer: Extract<P, { contentEntryId: string }>, inner: T, node?: RichTextNode): T;
  asset?(asset: Extract<P, { id: string }>, inner: T, node?: RichTextNode): T;
  block?(block: Extract<P, { contentBlockKey: string }>, inner: T, node?: RichTextNode): T;
  /** All others. Default: what is in them. */
  node?: Handler<T>;
  mark?: Handler<T>;
}

/** The pointers of a type of tree: what is neither plain JSON nor a node. */
export type PointersOf<Tree> = [InLists<Tree>] extends [never] ? AnyPointer : InLists<Tree>;
type InLists<Tree> = Tree extends readonly (infer V)[] ? PointersAmong<V> : never;
type PointersAmong<V> = V extends null | boolean | number | string | readonly unknown[]
  ? never
  : string extends keyof V
    ? never
    : V;

/** The API serves at most 100 levels of nodes; a level of lists in Portable Text adds 2. */
const [MAXIMUM_DEPTH, MAXIMUM_LIST_LEVEL] = [200, 50];

/**
 * Walks a tree of Contentful rich text, Portable Text or ProseMirror (K5).
 *
 * @throws RangeError when nodes are nested more than 200 levels deep, which the API never serves (K5b).
 */
export function walk<Tree extends object, T>(
  tree: Tree,
  handlers: Handlers<PointersOf<Tree>, T>,
): T {
  const none = () => handlers.join([]);
  let depth = 0;

  const list = (values: readonly unknown[], definitions: readonly RichTextNode[]): T => {
    if (depth >= MAXIMUM_DEPTH) throw new RangeError("rich text is nested too deeply");
    depth += 1;
    const parts = withLists(values).map((value) => part(value, definitions));
    depth -= 1;
    return handlers.join(parts);
  };

  const part = (value: unknown, definitions: readonly RichTextNode[]): T => {
    if (typeof value === "string") return handlers.text(value);
    if (!isObject(value)) return none();
    const kind = kindOf(value, true);
    if (kind) return handlers[kind]?.(value as never, none()) ?? none();
    const name = nameOf(value);
    const { content, children, markDefs, marks } = value;
    const inside = [content, children].find(Array.isArray);
    const text = [value.text, value.value].find((one) => typeof one === "string");
    const made = /^(?:text|span)$/.test(name)
      ? handlers.text(text ?? "")
      : named(
          "node",
          value,
          name,
          inside ? list(inside, Array.isArray(markDefs) ? markDefs : definitions) : none(),
        );
    return (Array.isArray(marks) ? marks : []).reduceRight((inner: T, mark) => {
      const found = isObject(mark) ? mark : definitions.find((one) => one?._key === mark);
      const definition = found ?? { type: mark };
      return named("mark", definition, nameOf(definition), inner);
    }, made);
  };

  const named = (is: "node" | "mark", node: RichTextNode, name: string, inner: T): T => {
    const byName = handlers[`${is}s`] ?? {};
    if (Object.hasOwn(byName, name)) return (byName[name] as Handler<T>)(inner, node, name);
    for (const [value, kind] of pointersOf(node)) {
      const made = handlers[kind]?.(value as never, inner, node);
      if (made !== undefined) return made;
    }
    return handlers[is]?.(inner, node, name) ?? inner;
  };

  return Array.isArray(tree) ? list(tree, []) : part(tree, []);
}

/** HTML, escaped (K5a). The `alt` of an image is its `description`, else its `title` (V4c). Links to entries are their text alone, and blocks nothing, without a handler. */
export function toHtml<Tree extends object>(
  tree: Tree,
  handlers: Partial<Handlers<PointersOf<Tree>, string>> = {},
): string {
  return walk<Tree, string>(tree, {
    text: escapeHtml,
    join: (parts) => parts.join(""),
    ...elements<string>((tag, attributes, inner) => {
      const written = Object.entries(attributes).map(
        ([name, value]) => ` ${name}="${escapeHtml(`${value}`)}"`,
      );
      const start = `<${tag}${written.join("")}>`;
      return inner === undefined ? start : `${start}${inner}</${tag}>`;
    }),
    ...handlers,
  });
}

/**
 * Handlers that make elements of HTML of nodes, marks and assets (K5, K5a), for `walk()`.
 *
 * @param element makes one, of its tag, its attributes and what is in it; undefined: nothing can be
 */
export function elements<T>(
  element: (tag: string, attributes: Record<string, string | number>, inner?: T) => T,
) {
  // Unless its address is one that could run a script.
  const link = (href: unknown, inner: T) =>
    typeof href === "string" && SAFE.test(href) ? element("a", { href }, inner) : inner;
  return {
    node: (inner: T, node: RichTextNode, name: string) => {
      const tag = nodeTag(name, node);
      if (tag === "a") return link(node.data?.uri, inner);
      if (tag === "hr" || tag === "br") return element(tag, {});
      return tag ? element(tag, {}, inner) : inner;
    },
    mark: (inner: T, mark: RichTextNode, name: string) => {
      if (name === "link") return link(mark.attrs?.href ?? mark.href, inner);
      const tag = markTag(name);
      return tag ? element(tag, {}, inner) : inner;
    },
    asset: (asset: { id: string }, inner: T) => {
      const { url, mimeType = "", width, height, title, description } = asset as ServedAsset;
      if (typeof url !== "string" || inner || !/^image/.test(mimeType)) return link(url, inner);
      const isSized = typeof width === "number" && typeof height === "number";
      const alt = [description, title].find((one) => typeof one === "string") ?? "";
      return element("img", { src: url, alt, ...(isSized && { width, height }) });
    },
  };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

const SAFE = /^(?:https?:|mailto:|tel:|[^:]*[/?#]|[^:]+$)/i;

function isObject(value: unknown): value is RichTextNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOf({ nodeType, _type, type, style = "normal" }: RichTextNode): string {
  const names = _type === "block" ? [style] : [nodeType, _type, type];
  return names.find((one) => typeof one === "string") ?? "";
}

/** The kind of a served pointer. A missing asset has no more than an id. */
function kindOf(value: unknown, orMissing: boolean): "entry" | "asset" | "block" | undefined {
  if (!isObject(value)) return undefined;
  const { contentEntryId, contentBlockKey, id, mimeType } = value;
  if (typeof contentEntryId === "string") return "entry";
  if (typeof contentBlockKey === "string") return "block";
  const isMissing = orMissing && Object.keys(value).every((name) => /^(?:i|versionI)d$/.test(name));
  return typeof id === "string" && (typeof mimeType === "string" || isMissing)
    ? "asset"
    : undefined;
}

/** The pointers of a node: its `data` or `attrs`, members of these, and other members. */
function pointersOf({ content, children, marks, markDefs, data, attrs, ...members }: RichTextNode) {
  const around = [data, attrs].filter(isObject);
  return [
    ...around.map((value) => [value, kindOf(value, false)] as const),
    ...[...around, members]
      .flatMap((one) => Object.values(one))
      .map((value) => [value, kindOf(value, true)] as const),
  ].flatMap(([value, kind]) => (kind ? [[value, kind] as const] : []));
}

/** Portable Text has list items one after the other: each run as a list, deeper ones within items. */
function withLists(values: readonly unknown[]): unknown[] {
  const result: unknown[] = [];
  let lists: RichTextNode[] = [];
  for (const value of values) {
    if (!isObject(value) || typeof value.listItem !== "string") {
      lists = [];
      result.push(value);
      continue;
    }
    const { listItem, children } = value;
    const level = typeof value.level === "number" ? Math.min(value.level, MAXIMUM_LIST_LEVEL) : 1;
    const own = [children ?? []].flat();
    const item = { ...value, _type: "listItem", listItem: undefined, children: own };
    while (lists.length > 0 && (lists.at(-1) as RichTextNode).level > level) lists.pop();
    const last = lists.at(-1);
    if (last?._type === listItem && last?.level === level) {
      last?.children.push(item);
      continue;
    }
    if (last?.level === level) lists.pop();
    const list = { _type: listItem, level, children: [item] };
    (lists.at(-1)?.children.at(-1).children ?? result).push(list);
    lists.push(list);
  }
  return result;
}
