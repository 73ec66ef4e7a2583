import { hash } from "node:crypto";
import { fieldType } from "../fields/registry.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { type JsonObject, ownMember } from "../workspace/json.ts";
import type { Model } from "../workspace/records.ts";

/** A hash has 128 bits: this many numbers of 32. */
export const WORDS = 4;
const NO_VALUE: readonly number[] = new Array(WORDS).fill(0);
const NONE: readonly number[] = [];

/** V10: of each unique field of the model, in their order, the hash of the value; 0: no value. */
export function uniqueHashes(model: Model | undefined, data: JsonObject): readonly number[] {
  const fields = uniqueFields(model);
  if (fields.length === 0) return NONE;
  return fields.flatMap((field) => {
    const value = ownMember(data, field.key) ?? null;
    if (value === null || !fieldType(field.type).hasShape(value)) return NO_VALUE;
    const digest = hash("sha256", JSON.stringify([model?.id, field.key, value]), "buffer");
    return Array.from({ length: WORDS }, (_, word) => digest.readInt32LE(4 * word));
  });
}

export function uniqueFields(model: Model | undefined): readonly FieldDefinition[] {
  return model?.fields.filter(({ unique }) => unique === true) ?? [];
}
