import fc from "fast-check";
import type { Mark, Node } from "prosemirror-model";
import { Transform } from "prosemirror-transform";
import { describe, expect, it } from "vitest";
import { withValue } from "../../src/folder/json-editor.ts";
import { mappingOf } from "../../src/page/browser/rich-dialects.ts";
import type { RichMapping } from "../../src/page/browser/rich-mapping.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { contentfulTree, portableTree, proseMirrorTree } from "../support/page/drawn-rich-text.ts";
import { edited, edits } from "../support/page/rich-edits.ts";
import { randomRuns } from "../support/random-runs.ts";

const DIALECTS: [string, fc.Arbitrary<JsonValue>][] = [
  ["Contentful", contentfulTree],
  ["ProseMirror", proseMirrorTree],
  ["Portable Text", portableTree],
];

const mapping = (tree: JsonValue) => mappingOf(tree, { sample: null }) as RichMapping;

/** The places of all texts of a document, and what is around the first. */
function textblocks(doc: Node): { at: number; top: number }[] {
  const found: { at: number; top: number }[] = [];
  doc.descendants((node, at) => {
    if (node.isTextblock) found.push({ at: at + 1, top: doc.resolve(at).index(0) });
  });
  return found;
}

/** What a document says, whatever it was made of. */
function said(node: Node): unknown {
  const { of: _, ...attrs } = node.attrs;
  const inside: { marks: string; text: string }[] = [];
  for (const child of node.inlineContent ? node.children : []) {
    const isText = child.isText || child.type.name === "hard_break";
    const marks = isText ? child.marks.flatMap(saidOf).sort().join() : "";
    const text = isText ? (child.text ?? "\n") : JSON.stringify(child.attrs.of);
    const last = inside.at(-1);
    if (last?.marks === marks) last.text += text;
    else inside.push({ marks, text });
  }
  // Code that became text has its line ends, which are read as breaks.
  for (const one of inside) one.text = one.text.replace(/\r\n?/g, "\n");
  const blocks = node.inlineContent ? inside : node.children.map(said);
  const own = node.type.name === "opaque" ? { of: node.attrs.of } : attrs;
  const isFlat = node.type.name === "doc" && node.type.schema.nodes.blockquote?.isTextblock;
  return isFlat ? node.children.flatMap((one) => items(one, 0)) : [node.type.name, own, blocks];
}

/** Portable Text has blocks with the kind and the level of their list, and no items around them. */
function items(node: Node, level: number, kind?: string): unknown[] {
  if (node.type.name === "list_item")
    return node.children.flatMap((one) => items(one, level, kind));
  if (!node.type.name.endsWith("_list")) return [[kind, level, said(node)]];
  return node.children.flatMap((one) => items(one, level + 1, node.type.name));
}

function saidOf({ type, attrs: { href, pointer, of } }: Mark): string[] {
  if (type.name === "leaf") return [];
  const opaque = type.name === "opaque_mark" ? [of] : [];
  return [JSON.stringify([type.name, href, pointer, ...opaque])];
}

describe("H57: rich text ↔ the editor's document", () => {
  it.each(DIALECTS)(
    "H57: %s: read and written without a change it is the same value",
    (_, trees) => {
      fc.assert(
        fc.property(trees, (tree) => {
          const own = mapping(tree);
          const doc = own.read(tree);
          doc.check();
          expect(own.write(doc)).toBe(tree);
        }),
        { numRuns: randomRuns(3000) },
      );
    },
  );

  it.each(DIALECTS)(
    "H57: %s: one changed text changes the bytes of its block alone",
    (_, trees) => {
      fc.assert(
        fc.property(trees, fc.nat(), (tree, which) => {
          const own = mapping(tree);
          const doc = own.read(tree);
          const places = textblocks(doc);
          fc.pre(places.length > 0);
          const { at } = places[which % places.length] as (typeof places)[number];
          const changed = new Transform(doc).insert(at, own.schema.text("NEW")).doc;
          const after = own.write(changed);
          const text = JSON.stringify(tree, null, 2);
          const written = withValue(text, after);
          expect(JSON.parse(written)).toEqual(after);
          // All that is before and behind the block is as it was.
          const [before, now] = [blocksOf(tree), blocksOf(after)];
          const isSame = (one: JsonValue, n: number) => one === before[n];
          const first = now.findIndex((one, n) => !isSame(one, n));
          expect(now.length).toBe(Math.max(before.length, 1));
          expect(now.filter((one, n) => n !== first && !isSame(one, n))).toEqual([]);
          const others = (value: JsonValue) =>
            withValue(JSON.stringify(value, null, 2), withBlock(value, first));
          expect(others(after)).toBe(others(withBlock(tree, first)));
        }),
        { numRuns: randomRuns(2000) },
      );
    },
  );

  it.each(DIALECTS)("H57: %s: what was written says what the editor showed", (_, trees) => {
    fc.assert(
      fc.property(trees, edits, (tree, all) => {
        const own = mapping(tree);
        const transform = new Transform(own.read(tree));
        for (const one of all) edited(transform, one);
        transform.doc.check();
        const after = own.write(transform.doc);
        expect(said(own.read(after))).toEqual(said(transform.doc));
        expect(JSON.stringify(after)).not.toContain("\\u0000");
      }),
      { numRuns: randomRuns(3000) },
    );
  });
});

describe("H57: examples", () => {
  /** The tree with words typed at the beginning of a text, as the editor does it. */
  const typed = (tree: JsonValue) => {
    const own = mapping(tree);
    const doc = own.read(tree);
    const { at } = textblocks(doc)[0] as { at: number };
    // Not into a link, which is not made longer at its ends.
    const marks = (doc.nodeAt(at)?.marks ?? []).filter(({ type }) => type.spec.inclusive !== false);
    const isLink = marks.length < (doc.nodeAt(at)?.marks.length ?? 0);
    const text = own.schema.text("NEW ", isLink ? [] : marks);
    return own.write(new Transform(doc).insert(at, text).doc);
  };

  it("H57: Contentful: unknown members, marks and nodes of a changed text stay", () => {
    const link = { nodeType: "hyperlink", data: { uri: "/a", rel: "x" }, content: [leaf("link")] };
    const mention = { nodeType: "mention", data: { id: 1 }, content: [] };
    const bold = { ...leaf("bold"), marks: [{ type: "glow" }, { type: "bold", by: 1 }], own: true };
    const content = [leaf("text"), bold, leaf(""), link, leaf(""), mention, leaf("")];
    const tree = {
      nodeType: "document",
      data: { version: 2 },
      content: [
        { nodeType: "table", data: {}, content: [{ nodeType: "row" }] },
        { nodeType: "paragraph", data: { indent: 1 }, content, id: "p" },
      ],
    };
    const expected = structuredClone(tree);
    (expected.content[1] as { content: JsonValue[] }).content[0] = leaf("NEW text");
    // A text without letters is where the dialect has one.
    (expected.content[1] as { content: JsonValue[] }).content.splice(2, 1);
    const now = typed(tree) as typeof tree;
    expect(now.content[0]).toBe(tree.content[0]);
    expect(now).toEqual(expected);
  });

  it("H57: ProseMirror: attributes and names of the text's own way stay", () => {
    const mark = { type: "link", attrs: { href: "/a", target: "_blank", uuid: null } };
    const paragraph = {
      type: "paragraph",
      attrs: { textAlign: "right" },
      content: [
        { type: "text", text: "a", marks: [mark] },
        { type: "emoji", attrs: { name: "x" } },
      ],
    };
    const list = { type: "bulletList", content: [{ type: "listItem", content: [paragraph] }] };
    const tree = { type: "doc", attrs: { v: 1 }, content: [list] };
    const own = mapping(tree);
    expect([own.nameOf("ordered_list"), own.nameOf("hard_break")]).toEqual([
      "orderedList",
      "hardBreak",
    ]);
    expect(typed(tree)).toEqual({
      ...tree,
      content: [
        {
          ...list,
          content: [
            {
              type: "listItem",
              content: [
                { ...paragraph, content: [{ type: "text", text: "NEW " }, ...paragraph.content] },
              ],
            },
          ],
        },
      ],
    });
  });

  it("H57: Portable Text: keys, styles, levels and unused definitions stay; halves of a block have keys of their own", () => {
    const definition = { _key: "l", _type: "link", href: "/a", blank: true };
    const block = {
      _type: "block",
      _key: "b",
      style: "lead",
      level: 2,
      listItem: "number",
      markDefs: [definition, { _key: "unused", _type: "note" }],
      children: [
        { _type: "span", _key: "s", text: "one ", marks: [] },
        { _type: "span", _key: "t", text: "two", marks: ["l", "highlight"] },
      ],
    };
    const tree = [block, { _type: "map", _key: "m" }];
    const own = mapping(tree);
    const doc = own.read(tree);
    const { at } = textblocks(doc)[0] as { at: number };
    const [first, second, map] = own.write(
      new Transform(doc).split(at + 4, 2).doc,
    ) as (typeof block)[];
    expect(map).toBe(tree[1]);
    expect(first).toEqual({
      ...block,
      children: [block.children[0]],
      markDefs: [{ _key: "unused", _type: "note" }],
    });
    expect(second).toEqual({ ...block, _key: "b-1", children: [block.children[1]] });
  });
});

const leaf = (value: string) => ({ nodeType: "text", value, marks: [] as JsonValue[], data: {} });

const blocksOf = (tree: JsonValue) =>
  (Array.isArray(tree) ? tree : (tree as { content: JsonValue[] }).content) as JsonValue[];

function withBlock(tree: JsonValue, at: number): JsonValue {
  const blocks = blocksOf(tree).toSpliced(Math.max(at, 0), 1, "changed");
  return Array.isArray(tree) ? blocks : { ...(tree as object), content: blocks };
}
