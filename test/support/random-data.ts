import fc from "fast-check";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import type { Block, Entry, Model } from "../../src/workspace/records.ts";
import type { RandomField } from "./random-fields.ts";

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
  const one = world.faulty ? fc.oneof({ weight: 6, arbitrary: right }, wrongValue(world)) : right;
  const { required, repeatable, minItems: minLength = 0, maxItems: maxLength = 3 } = field;
  const value = repeatable ? fc.array(one, { minLength, maxLength }) : one;
  if (!world.faulty && (required || minLength > 0)) return value;
  return fc.oneof({ weight: 4, arbitrary: value }, fc.constantFrom(undefined, null));
}

function rightValue(
  field: RandomField,
  world: World,
  from: number,
  depth: number,
): fc.Arbitrary<JsonValue> {
  const { minLength, maxLength, pattern, options = [], minimum, maximum } = field;
  switch (field.type) {
    case "text":
      if (pattern !== undefined) return fc.constantFrom("Ä", "Zoë", "𝐀");
      return fc.string({ unit: "binary", minLength: minLength ?? 0, maxLength: maxLength ?? 9 });
    case "select":
      return fc.constantFrom(...options);
    case "number":
      return fc.double({ noNaN: true, min: minimum ?? -1e300, max: maximum ?? 1e300 });
    case "integer":
      return fc.integer({ min: minimum ?? -9, max: maximum ?? 9 });
    case "boolean":
      return fc.boolean();
    case "date":
      return fc.constantFrom("2024-02-29", "1999-12-31");
    case "date-time":
      return fc.constantFrom("2024-02-29T23:59:60Z", "1999-12-31T00:00:00.5+05:30");
    case "url":
      return fc.constantFrom("https://example.org/?q=1#a", "mailto:a@example.org", "TEL:+4912");
    case "email":
      return fc.constantFrom("a@example.org", "a.b+c@x.example");
    case "json":
      return fc.oneof(anyJson, fc.constant(JSON.parse('{"__proto__":{"10":1,"9":[]}}')));
    case "asset":
    case "html-asset":
      return fc.record(
        {
          assetId: fc.constantFrom("film", "page", "photo", "gone"),
          versionId: fc.constantFrom("v1", "v2"),
        },
        { requiredKeys: ["assetId"] },
      );
    case "content-block":
      return randomBlock(field, world, from, depth);
    case "reference":
      return randomPointer(field, world, from);
    default:
      throw new TypeError(`no values for the type ${field.type}`);
  }
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

const anyJson = fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null) as fc.Arbitrary<
  Exclude<JsonValue, null>
>;

/** Now and then right all the same. */
function wrongValue({ blocks, entries }: World): fc.Arbitrary<JsonValue> {
  return fc.oneof(
    anyJson as fc.Arbitrary<JsonValue>,
    fc.constantFrom<JsonValue>(null, "", "ab", "Abcde", 0, 2.5, 1e9, true, "2023-02-29", "x:y"),
    fc.constantFrom<JsonValue>([], [null], {}, { assetId: 4 }, { contentBlockId: "blk-gone" }),
    fc.constantFrom(...entries).map(({ id }) => ({ contentEntryId: id })),
    fc
      .constantFrom({ id: "blk-gone" }, ...blocks)
      .map(({ id }) => ({ contentBlockId: id, data: {} })),
  );
}
