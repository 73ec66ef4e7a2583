import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonObject } from "../workspace/json.ts";
import { asset } from "./asset.ts";
import { servedBlocks, storedBlocks } from "./content-block.ts";
import type { JsonSchema, SchemaContext } from "./field-type.ts";
import { reference } from "./reference.ts";
import { MARK_LISTS, NAME_MEMBERS, NODE_LISTS, RESERVED_MEMBERS } from "./rich-text-tree.ts";
import { acceptedOf, setName, shortHash } from "./shared-schemas.ts";

export interface RichTextField extends FieldDefinition {
  /** V11b: the keys of the accepted models. Absent: every model is accepted. */
  readonly models?: readonly string[];
  /** The keys of the accepted blocks. Absent: every block is accepted. */
  readonly blocks?: readonly string[];
  /** V11f: the accepted names. Absent: every name is accepted. */
  readonly nodeTypes?: readonly string[];
  readonly marks?: readonly string[];
}

/** S10, S11: the schema of a served tree, which fields of the same options share. */
export function servedTree(field: RichTextField, context: SchemaContext): JsonSchema {
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
export function storedTree(field: RichTextField, context: SchemaContext): JsonSchema {
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
