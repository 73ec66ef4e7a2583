import fc from "fast-check";
import { expect, it } from "vitest";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/workspace/json.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { dataOn } from "../support/documents/served-data.ts";
import { randomRuns } from "../support/random-runs.ts";
import { SURFACES, TestBed } from "../support/test-bed.ts";
import { anyJson } from "../support/workspaces/random-scalars.ts";
import { NEIGHBOUR, type RandomWorkspace } from "../support/workspaces/random-workspace.ts";
import { forEachWorkspace, previewTexts } from "./workspace-laws.ts";

/** The workspace with a tree in place of each value of a reference, asset or block field. */
function inTrees(parts: RandomWorkspace, wrap: (pointer: JsonValue) => JsonValue): RandomWorkspace {
  const ofFields = (fields: readonly FieldDefinition[]) =>
    fields.map((field) => (isPointed(field) ? { ...field, type: "rich-text" } : field));
  const ofData = (fields: readonly FieldDefinition[], data: JsonObject): JsonObject => {
    const members = Object.entries(data).map(([key, value]) => {
      const field = fields.find((one) => one.key === key);
      if (field === undefined || value === null) return [key, value];
      const one = (element: JsonValue) => {
        if (isPointed(field)) return wrap(element);
        const hasBlocks = field.type === "content-block" || field.type === "rich-text";
        return hasBlocks ? ofBlocks(element) : element;
      };
      return [key, field.repeatable && Array.isArray(value) ? value.map(one) : one(value)];
    });
    return Object.fromEntries(members);
  };
  const ofBlocks = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(ofBlocks);
    if (!isJsonObject(value)) return value;
    const block = parts.blocks.find(({ id }) => id === value.contentBlockId);
    if (block !== undefined) {
      return { contentBlockId: block.id, data: ofData(block.fields, value.data as JsonObject) };
    }
    const members = Object.entries(value).map(([key, member]) => [key, ofBlocks(member)]);
    return Object.fromEntries(members);
  };
  const modelOf = (entry: Entry) => parts.models.find(({ id }) => id === entry.modelId);
  return {
    ...parts,
    fields: ofFields(parts.fields),
    models: parts.models.map((model) => ({ ...model, fields: ofFields(model.fields) })),
    blocks: parts.blocks.map((block) => ({ ...block, fields: ofFields(block.fields) })),
    entries: parts.entries.map((entry) => ({
      ...entry,
      data: ofData(modelOf(entry)?.fields ?? [], entry.data),
    })),
    projects: parts.projects.map((project) => ({
      ...project,
      fields: ofData(parts.fields, project.fields ?? {}),
    })),
  };
}

function isPointed({ type }: FieldDefinition): boolean {
  return type === "reference" || type === "asset";
}

/** Only the members of a stored pointer. */
function exact(pointer: JsonValue): JsonValue {
  const { contentModelKey: _, ...rest } = pointer as JsonObject;
  return rest;
}

const WRAPS: readonly (readonly [string, (pointer: JsonValue) => JsonValue])[] = [
  ["/content/0/data/target", (target) => ({ type: "doc", content: [{ data: { target } }] })],
  ["/0", (pointer) => [pointer]],
];

it.each(WRAPS)(
  "V11a, E2, P3: pointers at %s of rich text have the references and problems of fields",
  (place, wrap) => {
    const other = new TestBed(NEIGHBOUR);
    forEachWorkspace({ faulty: false, numRuns: 50, isPlain: true }, (bed, parts) => {
      other.import(inTrees(parts, (pointer) => wrap(exact(pointer))));
      const [plain, rich] = [bed, other].map((one) => ({
        shown: [...previewTexts(one)]
          .filter(([path]) => path.endsWith("content.json"))
          .map(([path, text]) => {
            const listed: Entry[] = JSON.parse(text).references;
            return [path, listed.map(({ id }) => id)] as const;
          }),
        problems: one
          .check("w")
          // P16 is of fields of references, too.
          .filter(({ code }) => !code.startsWith("document-over") && code !== "parent-loop")
          .map(({ code, at, args }) => {
            const path = at.path.replaceAll(place, "");
            // P17 is of fields of references.
            return JSON.stringify([code, { ...at, path }, { ...args, lacks: undefined }]);
          })
          .sort(),
      }));
      fc.pre(plain?.shown.some(([, ids]) => ids.length > 0) === true);
      expect(rich).toEqual(plain);
    });
  },
);

/** Pointers, each with what is served in its place; undefined: nothing. */
const POINTERS: readonly (readonly [JsonObject, JsonObject | undefined])[] = [
  [{ contentEntryId: "home" }, { contentEntryId: "home", contentModelKey: "subject" }],
  [{ contentEntryId: "gone" }, { contentEntryId: "gone" }],
  [
    { assetId: "none", versionId: "v" },
    { id: "none", versionId: "v" },
  ],
  [
    { contentBlockId: "b", data: { x: 1 } },
    { contentBlockId: "b", contentBlockKey: "box", data: {} },
  ],
  [{ contentBlockId: "gone", data: {} }, undefined],
];

interface Both {
  readonly stored: JsonValue;
  readonly served: JsonValue | undefined;
}

const listOf = (list: readonly Both[]): Both => ({
  stored: list.map(({ stored }) => stored),
  served: list.flatMap(({ served }) => (served === undefined ? [] : [served])),
});

/** A node in which `members` hold values, and one member a list of nodes, by dialect. */
const trees = fc.constantFrom("nodeType", "_type", "type").chain((name) => {
  const leaf = fc.oneof(
    fc.constantFrom(...POINTERS).map(([stored, served]): Both => ({ stored, served })),
    anyJson.map((value): Both => ({ stored: value, served: value })),
  );
  const { node } = fc.letrec<{ node: Both; list: Both; value: Both }>((tie) => ({
    list: fc.array(tie("value"), { maxLength: 4 }).map(listOf),
    value: fc.oneof({ maxDepth: 4 }, leaf, tie("list"), tie("node")),
    node: fc
      .tuple(
        fc.constantFrom("doc", "odd", ""),
        fc.dictionary(fc.string(), tie("value")),
        tie("list"),
      )
      .map(([type, members, nodes]): Both => {
        const all = Object.entries({
          ...members,
          [name === "_type" ? "children" : "content"]: nodes,
        });
        const side = (which: keyof Both) =>
          all.flatMap(([key, both]) => (both[which] === undefined ? [] : [[key, both[which]]]));
        const [stored, served] = [side("stored"), side("served")];
        return {
          stored: Object.fromEntries([...stored, [name, type]]),
          served: Object.fromEntries([...served, [name, type]]),
        };
      }),
  }));
  return name === "_type" ? fc.array(node, { maxLength: 3 }).map(listOf) : node;
});

it.each(SURFACES)("V11a: on the %s surface, trees change nowhere but at pointers", (surface) => {
  const fields = [{ key: "tree", type: "rich-text" }];
  const blocks = [{ id: "b", key: "box", name: "Box", fields: [] }];
  const law = fc.property(trees, ({ stored, served }) => {
    fc.pre(JSON.stringify(stored) !== JSON.stringify(served));
    expect(dataOn(surface, fields, { tree: stored }, { blocks })).toEqual({
      // JSON has no -0.
      tree: JSON.parse(JSON.stringify(served)),
    });
  });
  fc.assert(law, { numRuns: randomRuns(100) });
});
