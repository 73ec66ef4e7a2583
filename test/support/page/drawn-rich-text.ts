import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../../src/workspace/json.ts";

/** Trees of the dialects of rich text, with nodes, marks and members that the editor does not know. */

const words = fc.constantFrom("", "a", "two words", "line\nline", " edge ", "ä<&>", "x\r\ny");
const members: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom({ id: 7 }, { "x-y": [1, { a: null }] }, { styled: { color: "red" } }),
);
const anything: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  ...[null, 3, "text", true, {}, [], { assetId: "a" }, { contentEntryId: "e" }],
);

const some = <T>(one: fc.Arbitrary<T>, maxLength = 4) => fc.array(one, { maxLength });
const rarely = <T>(one: fc.Arbitrary<T>, other: fc.Arbitrary<JsonValue> = anything) =>
  fc.oneof({ weight: 12, arbitrary: one as fc.Arbitrary<JsonValue> }, other);

/** A node of one of these names, with more members at times. */
function node(nameMember: string, names: readonly string[], inside: fc.Arbitrary<JsonObject>) {
  return fc
    .tuple(fc.constantFrom(...names), members, inside)
    .map(([name, more, own]) => ({ [nameMember]: name, ...own, ...more }));
}

const contentfulMarks = some(
  rarely(node("type", ["bold", "italic", "code", "superscript"], fc.constant({}))),
  2,
);
const contentfulText = node(
  "nodeType",
  ["text"],
  fc.record({ value: words, marks: contentfulMarks, data: fc.constant({}) }),
);
const contentfulLink = fc
  .tuple(
    fc.constantFrom<[string, JsonObject]>(
      ["hyperlink", { uri: "https://example.com" }],
      ["hyperlink", {}],
      ["entry-hyperlink", { target: { contentEntryId: "e" } }],
      ["asset-hyperlink", { target: { assetId: "a" } }],
      ["embedded-entry-inline", { target: { contentEntryId: "e" } }],
    ),
    some(rarely(contentfulText), 2),
    members,
  )
  .map(([[nodeType, data], content, more]) => ({ nodeType, data, content, ...more }));
const contentfulBlock = fc.letrec<{ block: JsonValue; item: JsonValue }>((tie) => {
  const inlines = fc.record({
    data: fc.constant({}),
    content: some(rarely(fc.oneof({ weight: 3, arbitrary: contentfulText }, contentfulLink))),
  });
  const blocks = (of: fc.Arbitrary<JsonValue>) =>
    fc.record({ data: fc.constant({}), content: fc.array(of, { minLength: 1, maxLength: 3 }) });
  const textNames = ["paragraph", "heading-2", "heading-9"];
  return {
    item: node("nodeType", ["list-item"], blocks(tie("block"))),
    block: fc.oneof(
      { maxDepth: 4, depthIdentifier: "contentful" },
      rarely(node("nodeType", textNames, inlines)),
      node("nodeType", ["unordered-list", "ordered-list"], blocks(tie("item"))),
      node("nodeType", ["blockquote", "table"], blocks(tie("block"))),
      node("nodeType", ["hr", "embedded-asset-block"], fc.constant({ data: {}, content: [] })),
    ),
  };
}).block;

export const contentfulTree = some(contentfulBlock).map((content) => ({
  nodeType: "document",
  data: {},
  content,
}));

const marks = some(
  rarely(
    fc.oneof(
      node("type", ["bold", "strong", "italic", "code", "textStyle"], fc.constant({})),
      fc.constantFrom<JsonObject>(
        { type: "link", attrs: { href: "https://example.com", target: "_blank" } },
        { type: "link", attrs: { href: "/a", uuid: 1 } },
        { type: "link", attrs: { entry: { contentEntryId: "e" } } },
        { type: "link", attrs: {} },
      ),
    ),
  ),
  2,
);
const text = node(
  "type",
  ["text"],
  fc.oneof(fc.record({ text: words }), fc.record({ text: words, marks })),
);
const proseMirrorBlock = fc.letrec<{ block: JsonValue; item: JsonValue }>((tie) => {
  const inline = fc.oneof(
    { weight: 4, arbitrary: text },
    node("type", ["hard_break", "hardBreak", "emoji", "mention"], fc.constant({})),
  );
  const inlines = fc.oneof(fc.constant({}), fc.record({ content: some(rarely(inline)) }));
  const blocks = (of: fc.Arbitrary<JsonValue>) =>
    fc.record({ content: fc.array(of, { minLength: 1, maxLength: 3 }) });
  const heading = fc.constantFrom<JsonValue>(1, 3, "2", 9, null).map((level) => ({ level }));
  return {
    item: node("type", ["list_item", "listItem"], blocks(tie("block"))),
    block: fc.oneof(
      { maxDepth: 4, depthIdentifier: "prosemirror" },
      rarely(node("type", ["paragraph", "code_block"], inlines)),
      node(
        "type",
        ["heading"],
        fc.tuple(heading, inlines).map(([attrs, own]) => ({ attrs, ...own })),
      ),
      node("type", ["bullet_list", "orderedList"], blocks(tie("item"))),
      node("type", ["blockquote", "table", "callout"], blocks(tie("block"))),
      node("type", ["horizontal_rule", "image", "blok"], fc.constant({})),
    ),
  };
}).block;

export const proseMirrorTree = some(proseMirrorBlock).map((content) => ({ type: "doc", content }));

const spanMarks = some(
  fc.constantFrom<JsonValue>("strong", "em", "highlight", "link1", "note1", "lost"),
  2,
);
const span = node("_type", ["span"], fc.record({ text: words, marks: spanMarks }));
const definitions = fc.subarray<JsonObject>([
  { _key: "link1", _type: "link", href: "https://example.com", blank: true },
  { _key: "note1", _type: "note", text: "n" },
  { _key: "unused", _type: "internalLink", reference: { contentEntryId: "e" } },
]);
const listed = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.record({
    listItem: fc.constantFrom("bullet", "number", "check"),
    level: fc.constantFrom(1, 2, 3, 1, 0),
  }),
  fc.constant({ listItem: "bullet" }),
);
/** Without marks of definitions that the block lacks: those get a meaning where it is joined with another. */
function withDefined<T extends { children: JsonValue[]; markDefs: JsonObject[] }>(block: T): T {
  const keys = block.markDefs.map(({ _key }) => _key);
  const isDefined = (mark: JsonValue) => !/1$/.test(String(mark)) || keys.includes(mark);
  const children = block.children.map((one) => {
    const { marks } = (one ?? {}) as { marks?: JsonValue[] };
    return marks === undefined ? one : { ...(one as JsonObject), marks: marks.filter(isDefined) };
  });
  return { ...block, children };
}

const portableBlock = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.record({
          style: fc.constantFrom("normal", "h2", "blockquote", "lead"),
          children: some(
            rarely(fc.oneof({ weight: 4, arbitrary: span }, fc.constant({ _type: "author" }))),
          ),
          markDefs: definitions,
        }),
        listed,
        members,
      )
      .map(([block, item, more]) => ({ _type: "block", ...withDefined(block), ...item, ...more })),
  },
  node("_type", ["image", "reference", "code"], fc.constant({ asset: { assetId: "a" } })),
  anything,
);

/** Each with a key, or none. */
export const portableTree = fc
  .tuple(some(portableBlock, 6), fc.boolean())
  .map(([blocks, hasKeys]) => [
    { _type: "block", ...(hasKeys && { _key: "first" }), children: [] },
    ...blocks.map((one, at) =>
      hasKeys && one !== null && typeof one === "object" && "_type" in one
        ? { _key: `k${at}`, ...one }
        : one,
    ),
  ]) as fc.Arbitrary<readonly JsonValue[]>;
