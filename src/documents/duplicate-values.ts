import type { FieldDefinition } from "../workspace/field.ts";
import { jsonPointer } from "../workspace/json.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { EntryNumber } from "./entry-lookup.ts";
import type { EntryTable } from "./entry-table.ts";
import { asWarning } from "./own-problems.ts";
import type { Rendering } from "./rendering.ts";
import { uniqueFields, WORDS } from "./unique-hashes.ts";

/** A value of a unique field. */
interface UniqueValue {
  readonly entry: EntryNumber;
  /** The index of the field among the unique ones of its model. */
  readonly field: number;
  readonly hash: Int32Array;
}

/**
 * V10: the entries whose value of a unique field another entry has too. Of entries with the same
 * value, the first by id is named by the problems of all others. Reads kept hashes only, and does
 * nothing when no model has a unique field. Call it when no entry is stale, and ranks are computed.
 */
export function duplicateValues({ table, lookup }: Rendering): Problem[] {
  const fieldsOf = table.modelIds.list.map((id) => uniqueFields(lookup.models.get(id)));
  if (fieldsOf.every(({ length }) => length === 0)) return [];
  const candidates = valuesOf(table, repeatedPrefixes(table));
  const rank = ({ entry }: UniqueValue) => table.ranks?.[entry] as number;
  // A3: that an unfinished entry comes first is no error of one that is published.
  const late = ({ entry }: UniqueValue) => Number(table.isHidden(entry));
  candidates.sort(
    (a, b) => Buffer.compare(bytes(a), bytes(b)) || late(a) - late(b) || rank(a) - rank(b),
  );
  const problems: Problem[] = [];
  let first: UniqueValue | undefined;
  for (const value of candidates) {
    if (first === undefined || Buffer.compare(bytes(first), bytes(value)) !== 0) {
      first = value;
      continue;
    }
    const fields = fieldsOf[table.models[value.entry] as number] as readonly FieldDefinition[];
    const { key, localized } = fields[value.field] as FieldDefinition;
    const id = table.idOf(value.entry);
    const [locale] = lookup.languages[table.forms.languageOf(value.entry)] ?? [];
    const names = localized && locale !== undefined && { locale };
    const args = { field: key, other: table.idOf(first.entry), ...names };
    const place = { kind: "entry", id, path: jsonPointer([key]) } as const;
    const found = problem(place, "value-duplicate", args);
    problems.push(table.isHidden(value.entry) ? asWarning(found) : found);
  }
  return problems;
}

/** Sorts numbers instead of hashes, which is ten times as fast. */
function repeatedPrefixes(table: EntryTable): ReadonlySet<number> {
  const prefixes: number[] = [];
  for (let entry = 0; entry < table.size; entry += 1) {
    if (!table.exists(entry)) continue;
    const hashes = table.uniques.get(entry);
    for (let at = 0; at < hashes.length; at += WORDS) prefixes.push(prefixOf(hashes, at));
  }
  const sorted = Float64Array.from(prefixes).sort();
  return new Set(sorted.filter((prefix, at) => prefix === sorted[at - 1] && prefix !== 0));
}

/** The values whose hashes have one of these prefixes. */
function valuesOf(table: EntryTable, prefixes: ReadonlySet<number>): UniqueValue[] {
  const values: UniqueValue[] = [];
  for (let entry = 0; entry < table.size && prefixes.size > 0; entry += 1) {
    if (!table.exists(entry)) continue;
    const hashes = table.uniques.get(entry);
    for (let at = 0; at < hashes.length; at += WORDS) {
      if (!prefixes.has(prefixOf(hashes, at))) continue;
      values.push({ entry, field: at / WORDS, hash: hashes.subarray(at, at + WORDS) });
    }
  }
  return values;
}

/** 53 bits of the hash, as many as a number has; 0: no value. */
function prefixOf(hashes: Int32Array, at: number): number {
  return (hashes[at] as number) * 2 ** 21 + ((hashes[at + 1] as number) >>> 11);
}

function bytes({ hash }: UniqueValue): Uint8Array {
  return new Uint8Array(hash.buffer, hash.byteOffset, hash.byteLength);
}
