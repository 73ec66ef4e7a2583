import { hash } from "node:crypto";
import { valueIn } from "../fields/localized.ts";
import { fieldType } from "../fields/registry.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { ownMember } from "../workspace/json.ts";
import type { Entry, Model } from "../workspace/records.ts";
import type { EntryLookup } from "./entry-lookup.ts";

/** A hash has 128 bits: this many numbers of 32. */
export const WORDS = 4;
const NO_VALUE: readonly number[] = new Array(WORDS).fill(0);
const NONE: readonly number[] = [];

/**
 * V10: of each unique field of the entry's model, in their order, the hash of the value; 0: no value.
 * B4: the values of a localized field are compared in each language, others in the first only.
 */
export function uniqueHashes(
  { models, languages }: EntryLookup,
  { modelId, data }: Entry,
  language: number,
): readonly number[] {
  const fields = uniqueFields(models.get(modelId));
  if (fields.length === 0) return NONE;
  return fields.flatMap(({ key, type, localized }) => {
    const stored = ownMember(data, key) ?? null;
    const value = localized ? valueIn(stored, languages[language] ?? [])?.value : stored;
    const isCompared = localized || language === 0;
    if (!isCompared || value == null || !fieldType(type).hasShape(value)) return NO_VALUE;
    const hashed = [modelId, key, value, ...(localized ? [language] : [])];
    const digest = hash("sha256", JSON.stringify(hashed), "buffer");
    return Array.from({ length: WORDS }, (_, word) => digest.readInt32LE(4 * word));
  });
}

export function uniqueFields(model: Model | undefined): readonly FieldDefinition[] {
  return model?.fields.filter(({ unique }) => unique === true) ?? [];
}
