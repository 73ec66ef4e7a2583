import fc from "fast-check";
import { isEmptyTree } from "../../../src/fields/rich-text-tree.ts";
import type { FieldDefinition } from "../../../src/workspace/field.ts";
import type { JsonObject, JsonValue } from "../../../src/workspace/json.ts";
import type { Block, Entry, Model } from "../../../src/workspace/records.ts";
import type { RandomField } from "./random-fields.ts";
import { anyJson, NEARLY_RIGHT, rightScalar } from "./random-scalars.ts";

/** What random values may refer to. */
export interface World {
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly entries: readonly Omit<Entry, "data">[];
  /** Whether values may be missing, of a wrong shape, or break a constraint. */
  readonly faulty: boolean;
}

/** Stored data for the fields. `from` is the index of the entry that it belongs to. */
export function randomData(
  fields: readonly FieldDefinition[],
  world: World,
  from: number,
  depth = 0,
): fc.Arbitrary<JsonObject> {
  const values = fields.map((field) => randomStored(field, world, from, depth));
  return fc.tuple(...values).map((stored) =>
    // Not a literal: `constructor` and the like are ordinary members.
    Object.fromEntries([
      ["left-over", "of a field that is gone"],
      ...stored.flatMap((value, index) =>
        value === undefined ? [] : [[fields[index]?.key, value] as const],
      ),
    ]),
  );
}

function randomStored(field: RandomField, world: World, from: number, depth: number) {
  const right = fc.constant(0).chain(() => rightValue(field, world, from, depth));
  const one = world.faulty
    ? fc.oneof({ weight: 6, arbitrary: right }, wrongValue(field, world))
    : right;
  const { required, repeatable, minItems = 0, maxItems = 3 } = field;
  const length = world.faulty ? { maxLength: 3 } : { minLength: minItems, maxLength: maxItems };
  const value = repeatable ? fc.array(one, length) : one;
  if (!world.faulty && (required || minItems > 0)) return value;
  return fc.oneof({ weight: 4, arbitrary: value }, fc.constantFrom(undefined, null));
}

function rightValue(
  field: RandomField,
  world: World,
  from: number,
  depth: number,
): fc.Arbitrary<JsonValue> {
  if (field.type === "content-block") return randomBlock(field, world, from, depth);
  if (field.type === "reference") return randomPointer(field, world, from);
  if (field.type === "rich-text") {
    // V11: an empty tree is no value of a required field.
    return randomTree(field, world, from, depth).filter(
      (tree) => field.required !== true || !isEmptyTree(tree),
    );
  }
  return rightScalar(field);
}

/** A tree of one of three dialects with pointers in nodes, beside nodes and in other members. */
function randomTree(
  field: RandomField,
  world: World,
  from: number,
  depth: number,
): fc.Arbitrary<JsonValue> {
  const reference = randomPointer(field, world, from).map(({ contentEntryId = "" }) => ({
    contentEntryId,
  }));
  const pointer = fc.oneof(
    reference,
    rightScalar({ key: "k", type: "asset" }),
    randomBlock(field, world, from, depth),
  );
  const dialects = [
    { name: "nodeType", list: "content", mark: { type: "bold" }, isList: false },
    { name: "_type", list: "children", mark: "bold", isList: true },
    { name: "type", list: "content", mark: { type: "bold", attrs: {} }, isList: false },
  ];
  return fc.constantFrom(...dialects).chain(({ name, list, mark, isList }) => {
    const leaf = fc.record({ [name]: fc.constant("doc"), marks: fc.constant([mark]) });
    const { node } = fc.letrec<{ node: JsonValue }>((tie) => ({
      node: fc.record({
        [name]: fc.constant("block"),
        data: fc.oneof(anyJson, pointer, fc.record({ target: pointer })),
        [list]: fc.array(fc.oneof({ maxDepth: 3 }, leaf, pointer, tie("node")), { maxLength: 3 }),
      }) as fc.Arbitrary<JsonValue>,
    }));
    return isList ? fc.array(node, { maxLength: 3 }) : node;
  });
}

/** A block that the field accepts, or one whose definition is gone. */
function randomBlock(
  { category, blocks }: RandomField,
  world: World,
  from: number,
  depth: number,
): fc.Arbitrary<JsonObject> {
  const accepted = world.blocks.filter(
    (block) => (!category || block.category === category) && (blocks?.includes(block.key) ?? true),
  );
  const gone = { id: "blk-gone", fields: [] };
  return fc.constantFrom(gone, ...(depth < 2 ? [...accepted, ...accepted] : [])).chain((block) =>
    fc.record({
      contentBlockId: fc.constant(block.id),
      data: randomData(block.fields, world, from, depth + 1),
    }),
  );
}

/**
 * A pointer to an entry that the field accepts, or a dangling one. Most refer to one of the next two
 * entries, so that distances differ.
 */
function randomPointer(
  { models: keys }: RandomField,
  { models, entries }: World,
  from: number,
): fc.Arbitrary<JsonObject> {
  const isAccepted = ({ modelId }: { modelId: string }) => {
    const modelKey = models.find(({ id }) => id === modelId)?.key;
    return !modelKey || (keys?.includes(modelKey) ?? true);
  };
  const onwards = entries.slice(from + 1, from + 3).filter(isAccepted);
  const none = [{ id: "gone" }, { id: "foreign" }];
  return fc
    .oneof(
      { weight: 12, arbitrary: fc.constantFrom(...onwards, ...(onwards.length > 0 ? [] : none)) },
      { weight: 1, arbitrary: fc.constantFrom(...entries.filter(isAccepted), ...none) },
      { weight: 1, arbitrary: fc.constantFrom(...none) },
    )
    .map(({ id }) => ({ contentEntryId: id, contentModelKey: "not-what-is-served" }));
}

/** Sometimes valid nevertheless. */
function wrongValue({ type }: RandomField, { blocks, entries }: World): fc.Arbitrary<JsonValue> {
  const ofRecords =
    ["content-block", "rich-text"].includes(type) && blocks.length > 0
      ? blocks.map(({ id }) => ({ contentBlockId: id, data: {} }))
      : entries.map(({ id }) => ({ contentEntryId: id }));
  const nearly = NEARLY_RIGHT[type] ?? ofRecords;
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...nearly) },
    fc.constantFrom<JsonValue>(null, "", 0, true, [], [null], {}, { contentBlockId: "blk-gone" }),
    anyJson,
  );
}
