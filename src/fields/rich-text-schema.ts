import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonObject } from "../workspace/json.ts";
import { asset } from "./asset.ts";
import { servedBlocks, storedBlocks } from "./content-block.ts";
import type { Definitions, JsonSchema } from "./field-type.ts";
import { reference } from "./reference.ts";
import { MARK_LISTS, NAME_MEMBERS, NODE_LISTS, RESERVED_MEMBERS } from "./rich-text-tree.ts";

export interface RichTextField extends FieldDefinition {
  /** V11b: the keys of the accepted models. Absent: every model is accepted. */
  readonly models?: readonly string[];
  /** The keys of the accepted blocks. Absent: every block is accepted. */
  readonly blocks?: readonly string[];
  /** V11f: the accepted names. Absent: every name is accepted. */
  readonly nodeTypes?: readonly string[];
  readonly marks?: readonly string[];
}

/**
 * S10: the schema of a served tree. `at`: where it is in its document (`#/…`), since it refers to
 * itself.
 */
export function servedTree(field: RichTextField, all: Definitions, at: string): JsonSchema {
  const pointers = [
    reference.schema(field, all, at),
    asset.schema(field, all, at),
    servedBlocks(acceptedBlocks(field, all)),
  ];
  const reserved = RESERVED_MEMBERS.map((names) => ({
    properties: Object.fromEntries(names.map((name) => [name, true])),
    required: names,
  }));
  return treeSchema(field, at, pointers, reserved);
}

/** G7: the same of a stored tree. */
export function storedTree(field: RichTextField, all: Definitions, at: string): JsonSchema {
  const pointers = [
    reference.storedSchema?.(field, all, at) ?? {},
    asset.storedSchema?.(field, all, at) ?? {},
    storedBlocks(acceptedBlocks(field, all)),
  ];
  return treeSchema(field, at, pointers, STORED_POINTERS);
}

function acceptedBlocks({ blocks: accepted }: RichTextField, { blocks }: Definitions) {
  return blocks.filter(({ key }) => accepted?.includes(key) ?? true);
}

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

/** @param notNodes what an object in the tree can be only as one of the pointers. */
function treeSchema(
  { nodeTypes, marks }: RichTextField,
  at: string,
  pointers: readonly JsonSchema[],
  notNodes: readonly JsonSchema[],
): JsonSchema {
  const ref = (name: string) => ({ $ref: `${at}/$defs/${name}` });
  const object = {
    type: "object",
    not: { anyOf: notNodes },
    additionalProperties: ref("value"),
  };
  const listOf = (items: JsonSchema) => ({ type: "array", items });
  // What is frequent comes first, since validators try one after the other.
  const oneOf = (kind: string, list: JsonSchema) => ({
    anyOf: [TEXT, list, ref(kind), ref("pointer"), ...SCALARS],
  });
  const pointer = { anyOf: pointers };
  if (nodeTypes === undefined && marks === undefined) {
    const value = oneOf("node", listOf(ref("value")));
    return {
      anyOf: [ref("node"), listOf(ref("value"))],
      $defs: { node: object, pointer, value },
    };
  }
  // Only nodes and marks have names, so other objects have a definition of their own.
  const values = listOf(ref("value"));
  const membersOf = (kind: string, names: readonly string[]) => {
    const list = oneOf("object", listOf(oneOf(kind, values)));
    return Object.fromEntries(names.map((name) => [name, list]));
  };
  const members = { ...membersOf("node", NODE_LISTS), ...membersOf("mark", MARK_LISTS) };
  return {
    anyOf: [ref("node"), listOf(oneOf("node", values))],
    $defs: {
      mark: { ...object, ...named(marks) },
      node: { ...object, properties: members, ...named(nodeTypes) },
      object,
      pointer,
      value: oneOf("object", values),
    },
  };
}

function named(names: readonly string[] | undefined): JsonSchema {
  if (names === undefined) return {};
  // An empty `enum` does not compile.
  const name = names.length === 0 ? { not: {} } : { enum: names };
  return {
    anyOf: NAME_MEMBERS.map((member) => ({ properties: { [member]: name }, required: [member] })),
  };
}
