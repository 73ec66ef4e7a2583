import fc from "fast-check";
import type { FieldDefinition } from "../../../src/workspace/field.ts";

/** A definition with the options of whichever type it has. */
export interface RandomField extends FieldDefinition {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly options?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly category?: string;
  readonly models?: readonly string[];
  readonly blocks?: readonly string[];
  readonly nodeTypes?: readonly string[];
  readonly marks?: readonly string[];
}

const KEYS = ["a", "b-c", "id", "type", "required", "constructor", "toString", "default"];

/** By type: the options that a definition is given. No model and no category is called `nobody`. */
export const FIELD_OPTIONS: Readonly<Record<string, readonly Omit<RandomField, "key" | "type">[]>> =
  {
    text: [{}, { minLength: 2, maxLength: 4 }, { pattern: "^\\p{Lu}" }],
    select: [{ options: ["red", "green", ""] }],
    number: [{}, { minimum: -1.5, maximum: 8 }],
    integer: [{}, { minimum: 0, maximum: 3 }],
    boolean: [{}],
    date: [{}],
    "date-time": [{}],
    "iso-date": [{}],
    url: [{}],
    email: [{}],
    json: [{}],
    asset: [{}],
    "html-asset": [{}],
    "content-block": [{}, {}, { category: "wide" }, { category: "nobody" }],
    reference: [{}, {}, { models: ["article"] }, { models: ["constructor", "nobody"] }],
    "rich-text": [
      {},
      { models: ["article"], blocks: ["hero", "nobody"] },
      { models: [], blocks: [], nodeTypes: ["doc", "block"], marks: ["bold"] },
    ],
  };

const REPETITIONS = [{}, {}, { repeatable: true }, { repeatable: true, minItems: 1, maxItems: 2 }];

/** A definition of any type; what has references is more frequent. */
const randomField: fc.Arbitrary<RandomField> = fc
  .record({
    key: fc.constantFrom(...KEYS),
    type: fc.constantFrom(...Object.keys(FIELD_OPTIONS), "reference", "content-block", "rich-text"),
    common: fc.record({ name: fc.string(), required: fc.boolean() }, { requiredKeys: [] }),
    repetition: fc.constantFrom(...REPETITIONS),
  })
  .chain(({ key, type, common, repetition }) =>
    fc
      .constantFrom(...(FIELD_OPTIONS[type] ?? []))
      .map((options) => ({ key, type, ...common, ...repetition, ...options })),
  );

/** The fields of a model, of a block or of the projects, under awkward keys. */
export const randomFields: fc.Arbitrary<RandomField[]> = fc.uniqueArray(randomField, {
  maxLength: 4,
  selector: ({ key }) => key,
});
