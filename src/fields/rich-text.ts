import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonObject, JsonValue } from "../workspace/json.ts";
import { asset, type StoredAsset } from "./asset.ts";
import { renderBlock, type StoredBlock, servedBlocks, storedBlocks } from "./content-block.ts";
import type { Definitions, FieldType, JsonSchema, SchemaContext } from "./field-type.ts";
import { reference, refuse, type StoredReference } from "./reference.ts";
import type { Renderer } from "./renderer.ts";
import {
  isEmptyTree,
  MARK_LISTS,
  mapTree,
  NAME_MEMBERS,
  NODE_LISTS,
  type PointerKind,
  pointerKind,
  RESERVED_MEMBERS,
} from "./rich-text-tree.ts";
import { acceptedOf, setName, shortHash } from "./shared-schemas.ts";

interface RichTextField extends FieldDefinition {
  /** V11b: the keys of the accepted models. Absent: every model is accepted. */
  readonly models?: readonly string[];
  /** The keys of the accepted blocks. Absent: every block is accepted. */
  readonly blocks?: readonly string[];
  /** V11f: the accepted names. Absent: every name is accepted. */
  readonly nodeTypes?: readonly string[];
  readonly marks?: readonly string[];
}

const NAMES = { type: "array", items: { type: "string" }, uniqueItems: true };

/** V11: a tree of nodes, in which pointers are served as the fields of their types serve them. */
export const richText: FieldType<RichTextField, JsonObject | readonly JsonValue[]> = {
  name: "rich-text",
  options: { models: NAMES, blocks: NAMES, nodeTypes: { ...NAMES, minItems: 1 }, marks: NAMES },
  unknownNames(field, definitions) {
    const ofModels = reference.unknownNames?.(field, definitions) ?? [];
    return [...ofModels, ...unknownBlocks(field, definitions)];
  },
  shape: "rich-text",
  hasShape: (value: JsonValue): value is JsonObject | readonly JsonValue[] =>
    typeof value === "object" && value !== null && pointerKind(value) === undefined,
  isEmpty: isEmptyTree,
  render: (field, tree, renderer) =>
    mapTree(tree, {
      pointer: (kind, stored) => renderPointer(field, kind, stored, renderer),
      isServed: (node) => renderer.isServed(field, node),
      named(option, name) {
        const options = field[option];
        if (options === undefined || (name !== undefined && options.includes(name))) return;
        renderer.report("value-constraint", { constraint: option, value: name ?? null, options });
      },
      reserved: () => renderer.report("value-constraint", { constraint: "pointer" }),
      malformed: (what) => renderer.report("rich-text-malformed", what),
      enter: (segment) => renderer.enter(segment),
      leave: () => renderer.leave(),
    }),
  schema: servedTree,
  storedSchema: storedTree,
  holdsBlocks: true,
};

function renderPointer(
  field: RichTextField,
  kind: PointerKind,
  stored: JsonObject,
  renderer: Renderer,
): JsonValue | undefined {
  switch (kind) {
    case "reference":
      return reference.render?.(field, stored as StoredReference, renderer);
    case "asset":
      return asset.render?.(field, stored as StoredAsset, renderer);
    case "block":
      return renderBlock(stored as StoredBlock, renderer, ({ key }) => {
        const accepted = field.blocks;
        if (accepted === undefined || accepted.includes(key)) return;
        refuse(field, { option: "blocks", name: key, accepted }, renderer, () =>
          renderer.report("block-not-accepted", { block: key, accepted }),
        );
      });
  }
}

function unknownBlocks({ blocks: accepted = [] }: RichTextField, { blocks }: Definitions) {
  const known = blocks.map(({ key }) => key);
  return accepted.flatMap((name, index) =>
    known.includes(name) ? [] : { option: "blocks" as const, name, path: ["blocks", index], known },
  );
}

/** S10, S11: the schema of a served tree, which fields of the same options share. */
function servedTree(field: RichTextField, context: SchemaContext): JsonSchema {
  const reserved = RESERVED_MEMBERS.map((names) => ({
    properties: Object.fromEntries(names.map((name) => [name, true])),
    required: names,
  }));
  const pointers = [
    reference.schema(field, context),
    asset.schema(field, context),
    servedBlocks(acceptedOf(context.blocks, field.blocks), context),
  ];
  return sharedTree(field, context, pointers, reserved);
}

/** G7: the same of a stored tree. */
function storedTree(field: RichTextField, context: SchemaContext): JsonSchema {
  const pointers = [
    reference.storedSchema?.(field, context) ?? {},
    asset.storedSchema?.(field, context) ?? {},
    storedBlocks(acceptedOf(context.blocks, field.blocks), context),
  ];
  return sharedTree(field, context, pointers, STORED_POINTERS);
}

/** @param notNodes what an object in the tree can be only as one of the pointers. */
function sharedTree(
  field: RichTextField,
  { models, blocks, shared }: SchemaContext,
  pointers: readonly JsonSchema[],
  notNodes: readonly JsonSchema[],
): JsonSchema {
  const options = [
    setName("models", acceptedOf(models, field.models), models),
    setName("blocks", acceptedOf(blocks, field.blocks), blocks),
    field.nodeTypes ?? "*",
    field.marks ?? "*",
  ];
  const text = JSON.stringify(options);
  const name = text === ACCEPTS_ALL ? "rich-text" : `rich-text.${shortHash(text)}`;
  return shared.ref(name, (at) => treeSchema(field, at, pointers, notNodes));
}

const ACCEPTS_ALL = '["models","blocks","*","*"]';

const TEXT = { type: "string" };
const exactly = (properties: JsonObject, required: readonly string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** The stored forms of pointers, whatever they name. */
const STORED_POINTERS = [
  exactly({ contentEntryId: TEXT }, ["contentEntryId"]),
  exactly({ assetId: TEXT, versionId: TEXT }, ["assetId"]),
  exactly({ contentBlockId: TEXT, data: { type: "object" } }, ["contentBlockId", "data"]),
];

const SCALARS = ["number", "boolean", "null"].map((type) => ({ type }));

function treeSchema(
  { nodeTypes, marks }: RichTextField,
  at: string,
  pointers: readonly JsonSchema[],
  notNodes: readonly JsonSchema[],
): JsonSchema {
  const ref = (name: string) => ({ $ref: `${at}/$defs/${name}` });
  const listOf = (items: JsonSchema) => ({ type: "array", items });
  // What is frequent comes first, since validators try one after the other.
  const oneOf = (kind: string, list: JsonSchema) => ({
    anyOf: [TEXT, list, ref(kind), ref("pointer"), ref("scalar")],
  });
  const object = {
    type: "object",
    not: ref("reserved"),
    additionalProperties: ref("value"),
  };
  const values = listOf(ref("value"));
  const shared = {
    pointer: { anyOf: pointers },
    reserved: { type: "object", anyOf: notNodes },
    scalar: { anyOf: SCALARS },
  };
  if (nodeTypes === undefined && marks === undefined) {
    return {
      anyOf: [ref("node"), values],
      $defs: { ...shared, node: object, value: oneOf("node", values) },
    };
  }
  // Only nodes and marks have names, so other objects have a definition of their own.
  const membersOf = (list: string, names: readonly string[]) =>
    names.map((name) => [name, ref(list)]);
  const members = [...membersOf("nodes", NODE_LISTS), ...membersOf("marks", MARK_LISTS)];
  const named = (option: string) => ({
    anyOf: NAME_MEMBERS.map((name) => ({
      properties: { [name]: ref(option) },
      required: [name],
    })),
  });
  return {
    anyOf: [ref("node"), listOf(ref("inNodes"))],
    $defs: {
      ...shared,
      ...(marks !== undefined && { markName: oneName(marks) }),
      ...(nodeTypes !== undefined && { nodeName: oneName(nodeTypes) }),
      inMarks: oneOf("mark", values),
      inNodes: oneOf("node", values),
      mark: { ...object, ...(marks !== undefined && named("markName")) },
      marks: oneOf("object", listOf(ref("inMarks"))),
      node: {
        ...object,
        properties: Object.fromEntries(members),
        ...(nodeTypes !== undefined && named("nodeName")),
      },
      nodes: oneOf("object", listOf(ref("inNodes"))),
      object,
      value: oneOf("object", values),
    },
  };
}

function oneName(names: readonly string[]): JsonSchema {
  // An empty `enum` does not compile.
  return names.length === 0 ? { not: {} } : { enum: names };
}
