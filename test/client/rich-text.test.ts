import fc from "fast-check";
import type { VNode } from "preact";
import { createElement, type ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { RichText } from "../../src/client/react.ts";
import { escapeHtml, type RichText as Tree, toHtml, walk } from "../../src/client/rich-text.ts";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { schemaDocument } from "../codegen/schema-sample.ts";
import { compile } from "../support/compiler.ts";
import { randomRuns } from "../support/random-runs.ts";

const ENTRY = { contentEntryId: "sam", contentModelKey: "author" };
const IMAGE = {
  id: "a",
  url: "/a.png?x=1&y=2",
  mimeType: "image/png",
  sizeBytes: 1,
  fileName: "a.png",
  width: 3,
  height: 2,
};
const BLOCK = { contentBlockId: "b", contentBlockKey: "note", data: { text: "N" } };

/** The same document in each dialect. */
const contentfulText = (value: string, ...marks: string[]) => ({
  nodeType: "text",
  value,
  data: {},
  marks: marks.map((type) => ({ type })),
});
const node = (nodeType: string, content: object[], data = {}) => ({ nodeType, data, content });
const CONTENTFUL = node("document", [
  node("heading-2", [contentfulText("A & <B>")]),
  node("paragraph", [
    contentfulText("one ", "bold", "italic"),
    node("hyperlink", [contentfulText("two")], { uri: "https://a.example/?x=1&y" }),
    node("entry-hyperlink", [contentfulText("three")], { target: ENTRY }),
  ]),
  node("unordered-list", [
    node("list-item", [node("paragraph", [contentfulText("x")])]),
    node("list-item", [node("paragraph", [contentfulText("y")])]),
  ]),
  node("embedded-asset-block", [], { target: IMAGE }),
  node("embedded-entry-block", [], { target: BLOCK }),
]);

const span = (text: string, ...marks: string[]) => ({ _type: "span", text, marks });
const block = (style: string, children: object[], more = {}) => ({
  _type: "block",
  _key: "k",
  style,
  children,
  markDefs: [],
  ...more,
});
const PORTABLE = [
  block("h2", [span("A & <B>")]),
  block("normal", [span("one ", "strong", "em"), span("two", "l"), span("three", "e")], {
    markDefs: [
      { _key: "l", _type: "link", href: "https://a.example/?x=1&y" },
      { _key: "e", _type: "internal", entry: ENTRY },
    ],
  }),
  block("normal", [span("x")], { listItem: "bullet", level: 1 }),
  block("normal", [span("y")], { listItem: "bullet", level: 1 }),
  { _type: "image", asset: IMAGE },
  BLOCK,
];

const text = (words: string, ...marks: object[]) => ({ type: "text", text: words, marks });
const PROSE = {
  type: "doc",
  content: [
    { type: "heading", attrs: { level: 2, id: "a" }, content: [text("A & <B>")] },
    {
      type: "paragraph",
      content: [
        text("one ", { type: "bold" }, { type: "italic" }),
        text("two", { type: "link", attrs: { href: "https://a.example/?x=1&y" } }),
        text("three", { type: "internal", attrs: { entry: ENTRY } }),
      ],
    },
    {
      type: "bulletList",
      content: ["x", "y"].map((one) => ({
        type: "listItem",
        content: [{ type: "paragraph", content: [text(one)] }],
      })),
    },
    { type: "image", attrs: { asset: IMAGE } },
    { type: "embed", attrs: BLOCK },
  ],
};

const HTML =
  "<h2>A &#38; &#60;B&#62;</h2><p><strong><em>one </em></strong>" +
  '<a href="https://a.example/?x=1&#38;y">two</a><a href="/people/sam">three</a></p>' +
  "<ul><li><p>x</p></li><li><p>y</p></li></ul>" +
  '<img src="/a.png?x=1&#38;y=2" alt="" width="3" height="2"><aside>N</aside>';

const HANDLERS = {
  entry: ({ contentEntryId }: { contentEntryId: string }, inner: string) =>
    `<a href="/people/${contentEntryId}">${inner}</a>`,
  block: ({ data }: { data: object }) => `<aside>${(data as { text: string }).text}</aside>`,
};

describe("K5: toHtml", () => {
  it.each([
    ["Contentful rich text", CONTENTFUL],
    ["ProseMirror", PROSE],
    ["Portable Text", PORTABLE],
  ] as [string, Tree][])("K5: %s", (name, tree) => {
    const html = toHtml(tree, HANDLERS);
    // Items of Portable Text have no paragraphs in them.
    expect(html).toBe(
      name === "Portable Text" ? HTML.replaceAll(/<li><p>(.)<\/p>/g, "<li>$1") : HTML,
    );
    const bare = toHtml(tree);
    expect(bare).toContain("</a>three</p>");
    expect(bare).not.toContain("N");
  });

  it.each([CONTENTFUL, PROSE, PORTABLE] as Tree[])(
    "K18: RichText makes the elements of toHtml() %#",
    (value) => {
      const html = (node: ReactNode): string => {
        if (Array.isArray(node)) return node.map(html).join("");
        if (typeof node !== "object" || node === null) return escapeHtml(`${node ?? ""}`);
        const { type, props } = node as VNode<{ children?: ReactNode }>;
        const { children, ...attributes } = props;
        if (typeof type !== "string") return html(children);
        const handled = Object.entries(attributes).map(([name, one]) => `${name}="${one}"`);
        const start = `<${[type, ...handled.map((one) => one.replaceAll("&", "&#38;"))].join(" ")}>`;
        return type === "img" ? start : `${start}${html(children)}</${type}>`;
      };
      const handlers = {
        entry: ({ contentEntryId }: { contentEntryId: string }, inner: ReactNode) =>
          createElement("a", { href: `/people/${contentEntryId}` }, inner),
        block: ({ data }: { data: object }) =>
          createElement("aside", null, (data as { text: string }).text),
      };
      expect(html(RichText({ value, ...handlers }))).toBe(toHtml(value, HANDLERS));
      expect(html(RichText({ value }))).toBe(toHtml(value));
    },
  );

  it("K5: Portable Text lists: by kind, and deeper ones inside of items", () => {
    const item = (words: string, level: number, listItem = "bullet") =>
      block("normal", [span(words)], { listItem, level });
    const items = [
      item("a", 1),
      item("b", 2),
      item("c", 3),
      item("d", 1),
      item("e", 1, "number"),
      block("normal", [span("-")]),
      item("f", 2),
      item("g", 1),
    ];
    expect(toHtml(items)).toBe(
      "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul><ol><li>e</li></ol>" +
        "<p>-</p><ul><li>f</li></ul><ul><li>g</li></ul>",
    );
  });

  it("K5: handlers by name come first, and those of unknown names leave what is inside", () => {
    const tree = { type: "doc", content: [{ type: "odd", content: [text("x", { type: "big" })] }] };
    expect(toHtml(tree)).toBe("x");
    const nodes = { odd: (inner: string) => `<i>${inner}</i>` };
    expect(toHtml(tree, { nodes, marks: { big: (inner) => `<b>${inner}</b>` } })).toBe(
      "<i><b>x</b></i>",
    );
    for (const type of ["constructor", "__proto__", "toString"]) {
      const odd = { type, content: [text("x", { type })] };
      expect(toHtml(odd, { nodes, marks: {} })).toBe("x");
    }
  });

  it("K5a: a missing asset, and a link that could run a script, are their text", () => {
    const missing = node("asset-hyperlink", [contentfulText("x")], { target: { id: "gone" } });
    expect(toHtml(missing)).toBe("x");
    expect(toHtml([{ id: "gone", versionId: "v" }])).toBe("");
    const linked = (uri: unknown) => toHtml(node("hyperlink", [contentfulText("x")], { uri }));
    const unsafe = ["javascript:alert(1)", " javascript:x", "java\nscript:x/", "data:text/html,x"];
    for (const uri of [...unsafe, undefined, ""]) expect(linked(uri)).toBe("x");
    for (const uri of ["/a:b", "?a:b", "#a:b", "a", "HTTPS://a", "mailto:a@b", "tel:1"]) {
      expect(linked(uri)).toBe(`<a href="${uri}">x</a>`);
    }
  });

  it("K5: an image has its description as alt, else its title", () => {
    const altOf = (texts: object) => /alt="(.*?)"/.exec(toHtml([{ ...IMAGE, ...texts }]))?.[1];
    expect(altOf({})).toBe("");
    expect(altOf({ title: 'A "b"' })).toBe("A &#34;b&#34;");
    expect(altOf({ title: "A", description: "B" })).toBe("B");
    expect(altOf({ title: "A", description: "" })).toBe("");
    expect(altOf({ title: {}, description: null })).toBe("");
  });

  it("K5b: as deep as the API serves it; deeper nodes are an error, deeper lists less deep", () => {
    const deep = (levels: number) =>
      Array.from({ length: levels }).reduce<object>(
        (inner) => ({ type: "paragraph", content: [inner] }),
        text("x"),
      );
    expect(toHtml(deep(200))).toBe(`${"<p>".repeat(200)}x${"</p>".repeat(200)}`);
    for (const levels of [201, 100_000]) expect(() => toHtml(deep(levels))).toThrow(RangeError);
    const items = Array.from({ length: 10_000 }, (_, index) =>
      block("normal", [span("x")], { listItem: "bullet", level: index + 1 }),
    );
    const html = toHtml(items as object);
    expect(html.match(/<ul>/g)).toHaveLength(50);
    expect(html.match(/x/g)).toHaveLength(10_000);
  });

  it("K5a: of any JSON, the only markup is that of known tags", () => {
    const odd = fc.constantFrom('"><script>', "h1", "a", "text", "heading", "link", "&", "'");
    const json = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, odd, tie("object"), fc.array(tie("value"))),
      object: fc.dictionary(
        fc.constantFrom(
          "type",
          "_type",
          "nodeType",
          "text",
          "value",
          "content",
          "children",
          "marks",
          "markDefs",
          "data",
          "attrs",
          "href",
          "uri",
          "url",
          "id",
          "mimeType",
          "level",
          "style",
          "listItem",
          "_key",
          "contentEntryId",
        ),
        tie("value"),
        { noNullPrototype: true },
      ),
    }));
    const law = fc.property(fc.array(json.value), (tree) => {
      const html = toHtml(tree as Tree);
      const rest = html.replaceAll(/<\/?\w+(?: \w+="[^"<>]*")*>/g, "");
      expect(rest).not.toMatch(/[<>"']/);
      expect(html).not.toMatch(/<script/i);
    });
    fc.assert(law, { numRuns: randomRuns(1000) });
  });
});

it("K5: walk makes anything, in the order of the text", () => {
  const words: string[] = [];
  const tree = walk(CONTENTFUL, {
    text: (one): unknown[] => {
      words.push(one);
      return [one];
    },
    join: (parts) => parts.flat(),
    entry: ({ contentModelKey }) => [contentModelKey],
    asset: ({ url }) => [url],
    block: ({ data }) => Object.values(data),
    mark: (inner, _mark, name) => [name, ...inner],
  });
  expect(tree).toEqual([
    "A & <B>",
    "bold",
    "italic",
    "one ",
    "two",
    "author",
    "x",
    "y",
    IMAGE.url,
    "N",
  ]);
  expect(words.join("|")).toBe("A & <B>|one |two|three|x|y");
  expect(escapeHtml(`<a href="'&">`)).toBe("&#60;a href=&#34;&#39;&#38;&#34;&#62;");
});

describe("T1: the types of rich text", () => {
  const schema = () =>
    schemaDocument({
      models: {
        author: { name: { type: "text", required: true } },
        page: {
          body: { type: "rich-text", required: true, models: ["author"], blocks: ["hero"] },
          any: { type: "rich-text", required: true },
        },
      },
      blocks: ["hero", "quote"],
    });
  const errorsOf = (code: string) =>
    compile({
      "types.ts": generateTypes([{ document: schema() }], { constants: false }),
      "code.ts": `
import { toHtml, walk } from "@svc-publish/client/rich-text";
import type { Content } from "@svc-publish/client";
import type { Page, Schema } from "./types.ts";
declare const page: Page;
declare const content: Content<Schema>;
${code}`,
    });

  it("T1, K4: handlers get the pointers that the field accepts, and resolve() their entries", () => {
    expect(
      errorsOf(
        `
export const html = toHtml(page.body, {
  entry: (pointer, inner) => {
    const author = content.resolve(pointer);
    if (author?.contentModelKey !== "author") return inner;
    author.data.name satisfies string;
    return \`<a href="/\${author.id}">\${inner}</a>\`;
  },
  asset: (asset) => asset.url ?? asset.id,
  block: ({ contentBlockKey }) => contentBlockKey satisfies "hero",
});
export const count = walk(page.any, {
  text: (text) => text.length,
  join: (parts) => parts.reduce((sum, one) => sum + one, 0),
  entry: (pointer) => {
    pointer.contentModelKey satisfies "author" | "page" | undefined;
    return 1;
  },
  // @ts-expect-error it may be "quote" too
  block: ({ contentBlockKey }) => { contentBlockKey satisfies "hero"; return 1; },
}) satisfies number;
`,
      ),
    ).toEqual([]);
  });
});
