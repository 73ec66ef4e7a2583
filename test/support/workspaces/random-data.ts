import fc from "fast-check";
import type { FieldDefinition } from "../../../src/workspace/field.ts";
import type { JsonObject, JsonValue } from "../../../src/workspace/json.ts";
import type { Block, Entry, Model } from "../../../src/workspace/records.ts";
import type { RandomField } from "./random-fields.ts";
import { anyJson, NEARLY_RIGHT, rightScalar } from "./random-scalars.ts";

/** What values are drawn from. */
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
  return rightScalar(field);
}

/** A block that the field accepts, or one whose definition is gone. */
function randomBlock(
  { category }: RandomField,
  world: World,
  from: number,
  depth: number,
): fc.Arbitrary<JsonObject> {
  const accepted = world.blocks.filter((block) => !category || block.category === category);
  const gone = { id: "blk-gone", fields: [] };
  return fc.constantFrom(gone, ...(depth < 2 ? [...accepted, ...accepted] : [])).chain((block) =>
    fc.record({
      contentBlockId: fc.constant(block.id),
      data: randomData(block.fields, world, from, depth + 1),
    }),
  );
}

/**
 * A pointer to an entry that the field accepts, or to none. Most lead one or two entries onwards,
 * so that distances differ.
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

/** Now and then right all the same. */
function wrongValue({ type }: RandomField, { blocks, entries }: World): fc.Arbitrary<JsonValue> {
  const ofRecords =
    type === "content-block" && blocks.length > 0
      ? blocks.map(({ id }) => ({ contentBlockId: id, data: {} }))
      : entries.map(({ id }) => ({ contentEntryId: id }));
  const nearly = NEARLY_RIGHT[type] ?? ofRecords;
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...nearly) },
    fc.constantFrom<JsonValue>(null, "", 0, true, [], [null], {}, { contentBlockId: "blk-gone" }),
    anyJson,
  );
}
