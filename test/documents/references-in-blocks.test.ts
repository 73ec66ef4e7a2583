import { describe, expect, it } from "vitest";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Block, Entry } from "../../src/workspace/records.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";
import { GRAPH_CONTENT, referenceGraph } from "./reference-graph.ts";

const link = (contentEntryId: string) => ({ contentEntryId });
const section = (data: JsonObject) => ({ contentBlockId: "b-section", data });

/** A block that holds a link, links and blocks of any kind. */
const SECTION: Block = {
  id: "b-section",
  key: "section",
  name: "Section",
  fields: [
    { key: "link", type: "reference" },
    { key: "links", type: "reference", repeatable: true },
    { key: "inner", type: "content-block" },
    { key: "rows", type: "content-block", repeatable: true },
  ],
};

const PAGE_FIELDS: readonly FieldDefinition[] = [
  { key: "banner", type: "content-block" },
  { key: "body", type: "content-block", repeatable: true },
  { key: "note", type: "json" },
  { key: "near", type: "reference" },
  { key: "far", type: "reference" },
];

/** A page `home`, which the experience shows, and nodes that it can point at. */
function workspace(
  data: JsonObject,
  nodes: Record<string, string[]> = { a: [], b: [], c: [], d: [] },
  fields: readonly FieldDefinition[] = PAGE_FIELDS,
): Parts {
  const { models = [], entries = [], projects = [] } = referenceGraph(nodes, ["home"]);
  return {
    models: [...models, { id: "m-page", key: "page", name: "Page", fields }],
    blocks: [SECTION],
    entries: [...entries, { id: "home", modelId: "m-page", data }],
    projects,
  };
}

describe.each(SURFACES)("on the %s surface", (surface) => {
  const contentOf = (parts: Parts) => documentOn(new TestBed(parts), surface, GRAPH_CONTENT);
  const referencesOf = (parts: Parts) => contentOf(parts).references.map(({ id }: Entry) => id);

  it("E3: pointers inside blocks count like the entry's own, single and repeatable", () => {
    const data = {
      banner: section({ link: link("a") }),
      body: [section({ link: link("b") }), section({ links: [link("c"), link("d")] })],
    };
    expect(referencesOf(workspace(data))).toEqual(["a", "b", "c", "d"]);
  });

  it("E3: at any nesting", () => {
    const depths = Array.from({ length: 20 }).reduce<JsonObject>(
      (inner, _, index) =>
        section(index % 2 ? { inner } : { rows: [section({ link: link("b") }), inner] }),
      section({ link: link("a") }),
    );
    expect(referencesOf(workspace({ banner: depths }))).toEqual(["a", "b"]);
  });

  it("E3: blocks do not count towards the depth of their targets", () => {
    const nodes = { a: ["b"], b: ["c"], c: ["d"], d: ["e"], e: ["f"], f: [] };
    const data = { body: [section({ inner: section({ link: link("a") }) })] };
    expect(referencesOf(workspace(data, nodes))).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("V6: the pointers of a deleted block are ignored", () => {
    const gone = { contentBlockId: "b-gone", data: { link: link("a"), inner: section({}) } };
    expect(referencesOf(workspace({ banner: gone, body: [gone] }))).toEqual([]);
  });

  it("V8: an object like a pointer inside a json value is not a pointer", () => {
    const note = { link: link("a"), rows: [section({ link: link("b") })] };
    const content = contentOf(workspace({ note }));
    expect(content.references).toEqual([]);
    expect(content.content[0].data.note).toEqual(note);
  });

  it("V1: pointers under names that are not fields are ignored", () => {
    const data = { formerly: link("a"), banner: section({ formerly: link("b") }) };
    expect(referencesOf(workspace(data))).toEqual([]);
  });
});
