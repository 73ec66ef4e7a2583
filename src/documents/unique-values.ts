import { hash } from "node:crypto";
import { fieldType } from "../fields/registry.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { type JsonObject, jsonPointer, ownMember } from "../workspace/json.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { Model } from "../workspace/records.ts";
import type { EntryNumber } from "./entry-lookup.ts";
import type { Rendering } from "./rendering.ts";

/** A hash has 128 bits: this many numbers of 32. */
const WORDS = 4;
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

/**
 * V10: the entries whose value of a unique field another entry has too. Of entries with the same
 * value, the first by id is named by the problems of all others. One pass over kept hashes, and
 * nothing when no model has a unique field. Call it when no entry is stale, and ranks are computed.
 */
export function duplicateValues({ table, lookup }: Rendering): Problem[] {
  const fieldsOf = table.modelIds.list.map((id) => uniqueFields(lookup.models.get(id)));
  const width = Math.max(0, ...fieldsOf.map(({ length }) => length));
  if (width === 0) return [];
  /** Each value as its entry * width + the index of its field. */
  const values: number[] = [];
  for (let entry = 0; entry < table.size; entry += 1) {
    if (!table.exists(entry)) continue;
    const hashes = table.uniques.get(entry);
    for (let at = 0; at < hashes.length; at += WORDS) {
      if (hashes.subarray(at, at + WORDS).some((word) => word !== 0)) {
        values.push(entry * width + at / WORDS);
      }
    }
  }
  const entryOf = (value: number): EntryNumber => Math.floor(value / width);
  const word = (value: number, index: number) =>
    table.uniques.get(entryOf(value))[(value % width) * WORDS + index] as number;
  const compareHashes = (a: number, b: number) => {
    for (let index = 0; index < WORDS; index += 1) {
      const difference = word(a, index) - word(b, index);
      if (difference !== 0) return difference;
    }
    return 0;
  };
  const rank = (value: number) => table.ranks?.[entryOf(value)] as number;
  values.sort((a, b) => compareHashes(a, b) || rank(a) - rank(b));
  const problems: Problem[] = [];
  let first = values[0] as number;
  for (const value of values.slice(1)) {
    if (compareHashes(first, value) !== 0) {
      first = value;
      continue;
    }
    const entry = entryOf(value);
    const fields = fieldsOf[table.models[entry] as number] as readonly FieldDefinition[];
    const { key } = fields[value % width] as FieldDefinition;
    const place = { kind: "entry", id: table.ids.id(entry), path: jsonPointer([key]) } as const;
    const other = table.ids.id(entryOf(first));
    problems.push(problem(place, "value-duplicate", { field: key, other }));
  }
  return problems;
}

function uniqueFields(model: Model | undefined): readonly FieldDefinition[] {
  return model?.fields.filter(({ unique }) => unique === true) ?? [];
}
