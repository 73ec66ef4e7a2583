import {
  DOMParser,
  DOMSerializer,
  Fragment,
  type Node,
  type Schema,
  Slice,
} from "prosemirror-model";
import type { EditorProps } from "prosemirror-view";
import type { JsonValue } from "../../workspace/json.ts";
import { isSafeAddress } from "./rich-schema.ts";

/**
 * H58: what is pasted or dropped becomes what the schema knows, and no more. What is opaque is copied within
 * its own editor alone, by a number: HTML from elsewhere cannot bring JSON in.
 */
export function clipboard(schema: Schema): EditorProps {
  const kept: JsonValue[] = [];
  const serializer = DOMSerializer.fromSchema(schema);
  const numbered = (tag: string) => (node: Node) =>
    [tag, { "data-kept": String(kept.push(node.attrs.of) - 1) }] as const;
  const nodes = {
    ...serializer.nodes,
    opaque: numbered("div"),
    opaque_inline: numbered("span"),
  };
  return {
    clipboardSerializer: new DOMSerializer(nodes, serializer.marks),
    clipboardParser: new PastedParser(schema, DOMParser.fromSchema(schema).rules, kept),
    // After the parser, as the clipboard may name nodes around what was copied, too.
    transformPasted(slice, view) {
      const known = new Set(kept);
      view.state.doc.descendants((node) => {
        known.add(node.attrs.of);
        for (const mark of node.marks) known.add(mark.attrs.of);
      });
      return new Slice(cleaned(slice.content, known), slice.openStart, slice.openEnd);
    },
  };
}

class PastedParser extends DOMParser {
  constructor(schema: Schema, rules: DOMParser["rules"], kept: readonly JsonValue[]) {
    const others = rules.filter(({ tag }) => !tag?.includes("data-kept"));
    const own = ["div", "span"].map((tag) => ({
      tag: `${tag}[data-kept]`,
      node: tag === "div" ? "opaque" : "opaque_inline",
      getAttrs(dom: HTMLElement) {
        const of = kept[Number(dom.getAttribute("data-kept"))];
        return of !== undefined && { of };
      },
    }));
    super(schema, [...own, ...others]);
  }

  override parseSlice(dom: HTMLElement, options = {}): Slice {
    tidy(dom);
    return super.parseSlice(dom, options);
  }
}

/** Of what was in no value of this text there is nothing but what it says. */
function cleaned(content: Fragment, known: ReadonlySet<JsonValue>): Fragment {
  const nodes = content.content.flatMap((node): Node[] => {
    const of = known.has(node.attrs.of) ? node.attrs.of : null;
    const isOpaque = node.type.name.startsWith("opaque");
    if (isOpaque && !known.has(node.attrs.of)) return [];
    const marks = node.marks.filter(({ type, attrs }) => {
      if (type.name === "link")
        return attrs.pointer ? known.has(attrs.of) : isSafeAddress(attrs.href);
      return known.has(attrs.of) || !/^(?:leaf|opaque_mark)$/.test(type.name);
    });
    const plain = marks.map((mark) =>
      known.has(mark.attrs.of) ? mark : mark.type.create({ ...mark.attrs, of: null }),
    );
    if (node.isText) return [node.mark(plain)];
    const level = [1, 2, 3, 4, 5, 6].includes(node.attrs.level) ? node.attrs.level : 2;
    return [node.type.create({ of, level }, cleaned(node.content, known), plain)];
  });
  return Fragment.from(nodes);
}

/** The HTML of Word and Google Docs as other programs would write it. */
function tidy(root: HTMLElement): void {
  const all = (selector: string) => [...root.querySelectorAll<HTMLElement>(selector)];
  for (const one of all("script, style, meta, link, title, template, iframe, object")) one.remove();
  for (const one of all("*")) {
    const style = one.getAttribute("style") ?? "";
    // Word: empty elements of its own, and the sign before an item.
    if (one.localName === "o:p" && one.textContent?.trim() === "") one.remove();
    // Google Docs: around everything.
    if (one.localName === "b" && /(?:^|;)\s*font-weight:\s*normal/.test(style))
      one.replaceWith(...one.childNodes);
    if (one.localName === "a") one.setAttribute("href", target(one.getAttribute("href") ?? ""));
    if (one.localName === "span") {
      for (const [pattern, tag] of STYLES) if (pattern.test(style)) wrapInside(one, tag);
    }
  }
  // A line between two blocks is none.
  for (const one of all("br")) {
    const beside = [one.previousElementSibling, one.nextElementSibling];
    if (beside.some((other) => other && BLOCKS.test(other.localName))) one.remove();
  }
  // Words of two cells are not one.
  for (const one of all("td, th")) if (!one.querySelector("p")) wrapInside(one, "p");
  for (const one of all("p")) if (itemLevel(one) > 0) listed(one);
}

const BLOCKS = /^(?:p|h[1-6]|ul|ol|blockquote|pre|div|table)$/;
const STYLES = [
  [/font-weight:\s*(?:bold|[6-9]00)/, "strong"],
  [/font-style:\s*italic/, "em"],
  [/text-decoration[^;]*line-through/, "s"],
] as const;

function wrapInside(element: HTMLElement, tag: string) {
  const inner = element.ownerDocument.createElement(tag);
  inner.append(...element.childNodes);
  element.append(inner);
}

/** Google Docs leads links through a page of its own. */
function target(href: string): string {
  const url = URL.parse(href);
  const isLed = url?.hostname === "www.google.com" && url.pathname === "/url";
  return (isLed && url.searchParams.get("q")) || href;
}

/** The level of a paragraph that is an item of a list in Word; 0: it is none. */
function itemLevel(one: Element | null): number {
  const [, level] = /mso-list:[^;]*\blevel(\d)/.exec(one?.getAttribute("style") ?? "") ?? [];
  return Number(level ?? 0);
}

/** A paragraph of Word and the items behind it as a list; deeper ones are in its items. */
function listed(first: Element): void {
  if (!first.parentElement) return;
  const { ownerDocument } = first;
  const level = itemLevel(first);
  const sign = ignoredIn(first)[0]?.textContent?.trim() ?? "";
  const list = ownerDocument.createElement(/^\w{1,4}[.)]/.test(sign) ? "ol" : "ul");
  first.before(list);
  let next: Element | null = first;
  while (next && itemLevel(next) > 0) {
    const one: Element = next;
    next = one.nextElementSibling;
    const here = itemLevel(one);
    if (here < level) break;
    if (here > level) {
      list.lastElementChild?.append(one);
      continue;
    }
    for (const ignored of ignoredIn(one)) ignored.remove();
    const item = ownerDocument.createElement("li");
    one.removeAttribute("style");
    item.append(one);
    list.append(item);
  }
}

/** The sign of an item of Word. */
const ignoredIn = (item: Element) =>
  [...item.querySelectorAll("span")].filter((one) =>
    /mso-list:\s*ignore/i.test(one.getAttribute("style") ?? ""),
  );
