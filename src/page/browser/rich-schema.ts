import { type Mark, type NodeSpec, Schema } from "prosemirror-model";
import type { JsonValue } from "../../workspace/json.ts";

/** What differs from the one schema in a dialect, by the names of nodes; null: it lacks that one. */
export type SchemaChanges = Readonly<Record<string, Partial<NodeSpec> | null>>;

/** The JSON value that a node or a mark was made of; null: it is new (H57). */
const OF = { of: { default: null } };

const block = (tag: string, spec: Partial<NodeSpec> = {}): NodeSpec => ({
  group: "block",
  content: "inline*",
  parseDOM: [{ tag }],
  toDOM: () => [tag, 0],
  ...spec,
  attrs: { ...OF, ...spec.attrs },
});

const HEADINGS = [1, 2, 3, 4, 5, 6];

const NODES: Record<string, NodeSpec> = {
  doc: { content: "block+", attrs: OF },
  paragraph: block("p"),
  heading: block("h2", {
    attrs: { level: { default: 2 } },
    defining: true,
    parseDOM: HEADINGS.map((level) => ({
      tag: `h${level}`,
      getAttrs: (dom) => ({ level: Number(dom.getAttribute("data-level")) || level }),
    })),
    // As it is read: the title of the entry is the heading of the page.
    toDOM: ({ attrs: { level } }) => [
      `h${Math.min(6, Number(level) + 1)}`,
      { "data-level": String(level) },
      0,
    ],
  }),
  blockquote: block("blockquote", { content: "block+", defining: true }),
  code_block: block("pre", {
    content: "text*",
    marks: "",
    code: true,
    defining: true,
    parseDOM: [{ tag: "pre", preserveWhitespace: "full" }],
    toDOM: () => ["pre", ["code", 0]],
  }),
  bullet_list: block("ul", { content: "list_item+", group: "block list" }),
  ordered_list: block("ol", { content: "list_item+", group: "block list" }),
  list_item: block("li", { content: "block+", group: "", defining: true }),
  horizontal_rule: block("hr", { content: "", toDOM: () => ["hr"] }),
  opaque: block("div", {
    content: "",
    atom: true,
    draggable: true,
    parseDOM: [{ tag: "div[data-kept]" }],
    toDOM: () => ["div", { "data-kept": "" }],
  }),
  text: { group: "inline" },
  hard_break: block("br", {
    inline: true,
    group: "inline",
    content: "",
    selectable: false,
    toDOM: () => ["br"],
  }),
  opaque_inline: block("span", {
    inline: true,
    group: "inline",
    content: "",
    atom: true,
    draggable: true,
    parseDOM: [{ tag: "span[data-kept]" }],
    toDOM: () => ["span", { "data-kept": "" }],
  }),
};

/** `leaf` is on each text that was there, and keeps what its node has besides text and marks. */
const MARKS = {
  link: {
    attrs: { ...OF, href: { default: null }, pointer: { default: null } },
    inclusive: false,
    parseDOM: [
      {
        tag: "a[href]",
        getAttrs: (dom: HTMLElement) => {
          const href = dom.getAttribute("href") ?? "";
          return isSafeAddress(href) && { href };
        },
      },
    ],
    toDOM: ({ attrs }: Mark) =>
      ["a", isSafeAddress(attrs.href) ? { href: attrs.href } : {}, 0] as const,
  },
  strong: mark("strong", ["strong", "b"]),
  em: mark("em", ["em", "i"]),
  underline: mark("u", ["u"]),
  strike: mark("s", ["s", "del", "strike"]),
  code: mark("code", ["code"]),
  opaque_mark: {
    attrs: OF,
    excludes: "",
    toDOM: ({ attrs }: Mark) =>
      ["span", { class: "unknown-mark", title: nameIn(attrs.of) }, 0] as const,
  },
  leaf: { attrs: OF, toDOM: () => ["span", 0] as const },
};

function mark(tag: string, tags: readonly string[]) {
  const parseDOM = tags.map((one) => ({ tag: one }));
  return { attrs: OF, parseDOM, toDOM: () => [tag, 0] as const };
}

/** K5a: an address that runs no script. */
export function isSafeAddress(href: unknown): href is string {
  return typeof href === "string" && /^(?:https?:|mailto:|tel:|[^:]*[/?#]|[^:]+$)/i.test(href);
}

/** What a node or a mark that the editor does not know is called. */
export function nameIn(of: JsonValue): string {
  if (typeof of !== "object" || of === null || Array.isArray(of)) return String(of);
  const { nodeType, _type, type } = of as Record<string, JsonValue>;
  return String([nodeType, _type, type].find((one) => typeof one === "string") ?? "Value");
}

/** H57: one schema for all dialects, as far as a dialect has what is in it. */
export function richSchema(changes: SchemaChanges): Schema {
  const nodes = Object.entries(NODES).flatMap(([name, spec]) => {
    const change = changes[name];
    return change === null ? [] : [[name, { ...spec, ...change }] as const];
  });
  return new Schema({ nodes: Object.fromEntries(nodes), marks: MARKS } as never);
}
