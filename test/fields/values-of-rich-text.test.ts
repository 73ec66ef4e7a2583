import { describe, expect, it } from "vitest";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { contentOn, dataOn, withEntry } from "../support/documents/served-data.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";

const FIELDS = [
  { key: "one", type: "rich-text" },
  { key: "many", type: "rich-text", repeatable: true },
];

const BODY = { key: "body", type: "rich-text" };
const AROUND = {
  models: [
    { id: "m-shop", key: "shop", name: "Shop", fields: [{ key: "name", type: "text" }] },
    { id: "m-tour", key: "tour", name: "Tour", fields: [] },
  ],
  blocks: [
    { id: "b-note", key: "note", name: "Note", fields: [BODY, { key: "see", type: "reference" }] },
    { id: "b-hero", key: "hero", name: "Hero", fields: [] },
  ],
  entries: [
    { id: "shop-1", modelId: "m-shop", data: { name: "First" } },
    { id: "tour-1", modelId: "m-tour", data: {} },
  ],
} satisfies Parts;

const to = (contentEntryId: string) => ({ contentEntryId });
const toShop = { contentEntryId: "shop-1", contentModelKey: "shop" };
const note = (data: JsonObject) => ({ contentBlockId: "b-note", data });
const served = (data: JsonObject) => ({ ...note(data), contentBlockKey: "note" });

const SCHEMA = { kind: "schema", projectId: "site" } as const;

/** Code and path of each problem of a value of one rich-text field with these options. */
function problemsOf(one: JsonValue, options: object = {}): string[] {
  const field = { key: "one", type: "rich-text", ...options };
  const bed = new TestBed(withEntry([field], { one }, AROUND));
  const problems = bed.check("w").filter(({ at }) => at.kind === "entry");
  return problems.map(({ code, at }) => `${code} ${at.path}`);
}

describe.each(SURFACES)("on the %s surface", (surface) => {
  const dataOf = (stored: JsonObject, fields: readonly FieldDefinition[] = FIELDS) =>
    dataOn(surface, fields, stored, AROUND);

  it("V11g: an object of nearly the form of a pointer is served as it is stored", () => {
    const near: JsonValue[] = [
      { contentEntryId: "shop-1", label: "x" },
      { contentEntryId: 1 },
      { assetId: "a", versionId: 2 },
      { assetId: null },
      { versionId: "v" },
      { contentBlockId: "b-hero" },
      { contentBlockId: "b-hero", data: [] },
      { contentBlockId: "b-hero", data: {}, key: "k" },
    ];
    expect(dataOf({ one: near }).one).toEqual(near);
    expect(problemsOf(near)).toEqual(
      [0, 1, 2, 3, 5, 6, 7].map((at) => `rich-text-malformed /one/${at}`),
    );
  });

  it("V11a, E3: a block in rich text has rich text of its own, with pointers that count", () => {
    const deep = (inner: JsonValue, wrap: typeof note): JsonObject =>
      wrap({ body: { type: "doc", content: [{ type: "p", content: [inner] }] } });
    const stored = { type: "doc", content: [deep(deep(to("shop-1"), note), note)] };
    const bed = new TestBed(withEntry(FIELDS, { one: stored }, AROUND));
    const { content, references } = contentOn(bed, surface);
    expect(content[0].data.one.content).toEqual([deep(deep(toShop, served), served)]);
    expect(references.map(({ id }: { id: string }) => id)).toEqual(["shop-1"]);
    const schema = new CompiledSchema(documentOn(bed, surface, SCHEMA));
    expect(schema.faults("contentModels/subject", content[0].data)).toEqual([]);
  });

  it("V11: as deep as a file may be (200 levels), and validated", () => {
    // The entry, its data and the tree's own node are three of the levels.
    const tree = (inner: JsonValue) =>
      Array.from({ length: 97 }).reduce<JsonValue>(
        (child) => ({ type: "p", content: [child] }),
        inner,
      );
    const bed = new TestBed(withEntry(FIELDS, { one: tree(to("shop-1")) }, AROUND));
    const { content } = contentOn(bed, surface);
    expect(content[0].data.one).toEqual(tree(toShop));
    const schema = new CompiledSchema(documentOn(bed, surface, SCHEMA));
    expect(schema.faults("contentModels/subject", content[0].data)).toEqual([]);
  });
});

describe("the problems of rich text", () => {
  const doc = (...content: JsonValue[]) => ({ type: "doc", content });

  it("V11b: `models` and `blocks` are the accepted ones; an empty list accepts none", () => {
    const hero = { contentBlockId: "b-hero", data: {} };
    const stored = doc(to("shop-1"), to("tour-1"), hero, note({}));
    expect(problemsOf(stored, { models: ["shop"], blocks: ["note"] })).toEqual([
      "reference-model-not-accepted /one/content/1",
      "block-not-accepted /one/content/2",
    ]);
    expect(problemsOf(stored, { models: [], blocks: [] })).toHaveLength(4);
    expect(problemsOf(stored)).toEqual([]);
    // A model that does not exist is no reason to refuse a block.
    expect(problemsOf([note({})], { models: ["gone"], blocks: ["hero"] })).toEqual([
      "block-not-accepted /one/0",
    ]);
  });

  it("V11d, V11f: `nodeTypes` are the names of nodes; objects elsewhere have none", () => {
    const nodeTypes = ["doc", "text", "block", "span"];
    const names = { nodeTypes };
    expect(problemsOf(doc({ type: "text", attrs: { type: "odd" } }), names)).toEqual([]);
    expect(problemsOf(doc({ type: "text", attrs: doc({ type: "odd" }) }), names)).toEqual([]);
    expect(problemsOf(doc({ type: "odd" }, { text: "x" }, "x"), names)).toEqual([
      "value-constraint /one/content/0",
      "value-constraint /one/content/1",
    ]);
    const portable = [{ _type: "block", type: "odd", children: [{ _type: "span" }] }];
    expect(problemsOf(portable, names)).toEqual([]);
    expect(problemsOf([{ nodeType: "odd", _type: "block" }], names)).toEqual([
      "value-constraint /one/0",
    ]);
  });

  it("V11e, V11f: `marks` are the names of marks, and of the definitions that texts name by key", () => {
    const names = { marks: ["bold", "link"] };
    const text = (...marks: JsonValue[]) => doc({ type: "text", marks });
    expect(problemsOf(text({ type: "bold" }, "link"), names)).toEqual([]);
    expect(problemsOf(text({ type: "odd" }, {}, "odd"), names)).toEqual([
      "value-constraint /one/content/0/marks/0",
      "value-constraint /one/content/0/marks/1",
      "value-constraint /one/content/0/marks/2",
    ]);
    const block = (...markDefs: JsonValue[]) => [
      { _type: "block", markDefs, children: [{ _type: "span", marks: ["k"] }] },
    ];
    expect(problemsOf(block({ _type: "link", _key: "k" }), names)).toEqual([]);
    expect(problemsOf(block({ _type: "odd", _key: "k" }), names)).toEqual([
      "value-constraint /one/0/markDefs/0",
    ]);
    expect(problemsOf(block(), names)).toEqual(["value-constraint /one/0/children/0/marks/0"]);
  });

  it("V11g: a misspelt pointer is a warning, at any place", () => {
    const misspelt = [{ contentEntyId: "x" }, { assetID: "a" }, { contentblockId: "b", data: {} }];
    const stored = doc({ type: "link", attrs: misspelt[0] as JsonObject, data: misspelt.slice(1) });
    expect(problemsOf(stored)).toEqual([
      "rich-text-malformed /one/content/0/attrs/contentEntyId",
      "rich-text-malformed /one/content/0/data/0/assetID",
      "rich-text-malformed /one/content/0/data/1/contentblockId",
    ]);
    expect(problemsOf({ contentEntryId: 5 })).toEqual(["rich-text-malformed /one"]);
    // Members of other names, of more members, or that are no texts.
    const others = [{ target: "x", asset: "a" }, { assetIds: ["a"] }];
    expect(problemsOf(doc(...others, { assetID: "a", width: 1, height: 1 }))).toEqual([]);
  });

  it("V11i: a member of a node that is nearly one with nodes, marks or text, at any size", () => {
    const paragraph = { type: "paragraph", attrs: {}, id: "p", level: 1, lang: "en" };
    const misspelt = [
      { ...paragraph, contnet: [{ type: "text", text: "lost" }] },
      { ...paragraph, Children: [] },
      { ...paragraph, type: "text", txet: "lost" },
      { nodeType: "text", valeu: "lost", marks: [], data: {} },
      { ...paragraph, type: "text", text: "Hi", mark: ["bold"] },
    ];
    const names = ["contnet", "Children", "txet", "valeu", "mark"];
    expect(problemsOf(doc(...misspelt))).toEqual(
      names.map((name, index) => `rich-text-malformed /one/content/${index}/${name}`),
    );
    const fields = [{ key: "one", type: "rich-text" }];
    const [found] = new TestBed(withEntry(fields, { one: doc(...misspelt) })).check();
    expect(found?.args).toEqual({ found: "member", member: "contnet", suggestion: "content" });
    const others = [
      // Beside the member itself, of another kind of value, or in no node.
      { type: "a", content: [], contents: [] },
      { type: "a", context: {}, texts: ["x"], mark: true },
      { type: "a", attrs: { contnet: [], txet: "x" } },
      { type: "a", title: "x", items: [], style: "x", value: "x" },
    ];
    expect(problemsOf(doc(...others))).toEqual([]);
  });

  it("V11g: what is no node or mark is a warning in the place of one, and only there", () => {
    const odd = [null, 1, true, "text", []];
    const at = (path: string) =>
      [0, 1, 2].map((index) => `rich-text-malformed /one${path}/${index}`);
    expect(problemsOf(odd)).toEqual(at(""));
    expect(problemsOf(doc(...odd))).toEqual(at("/content"));
    expect(problemsOf({ type: "p", children: odd })).toEqual(at("/children"));
    expect(problemsOf(doc({ type: "text", marks: odd }))).toEqual([
      ...at("/content/0/marks"),
      "rich-text-malformed /one/content/0/marks/4",
    ]);
    expect(problemsOf(doc({ type: "x", attrs: { content: odd, widths: odd }, data: odd }))).toEqual(
      [],
    );
  });

  it("P2, V11h: a required field has no value with empty rich text, which is served", () => {
    const empty = [[], {}, doc(), { nodeType: "document", data: {}, content: [] }, { type: "doc" }];
    for (const one of empty) {
      expect(problemsOf(one, { required: true })).toEqual(["value-missing /one"]);
      expect(problemsOf(one)).toEqual([]);
      expect(dataOn("preview", [{ ...BODY, required: true }], { body: one }, AROUND)).toEqual({
        body: one,
      });
    }
    const others = [doc({ type: "paragraph" }), [[]], { type: "image", src: "/a.png" }, ["x"]];
    for (const one of others) expect(problemsOf(one, { required: true })).toEqual([]);
    expect(problemsOf([doc()], { required: true, repeatable: true })).toEqual([]);
  });

  it("V11c: what would be read as a served pointer is refused", () => {
    const block = { contentBlockId: "b", contentBlockKey: "hero", data: {} };
    expect(problemsOf(doc(toShop, block))).toEqual([
      "value-constraint /one/content/0",
      "value-constraint /one/content/1",
    ]);
  });

  it("P11a, V11b: a misspelt model or block is one error, at the field", () => {
    const parts = withEntry(
      [{ key: "one", type: "rich-text", models: ["shopp"], blocks: ["hero", "nota"] } as never],
      { one: doc(to("shop-1"), to("shop-1"), note({})) },
      AROUND,
    );
    const problems = new TestBed(parts).check("w");
    expect(problems.map(({ level, code, at }) => `${level} ${code} ${at.path}`)).toEqual([
      "error option-unknown /fields/0/blocks/1",
      "error option-unknown /fields/0/models/0",
    ]);
  });
});
