import { diffArrays } from "diff";
import { canonicalJson } from "../documents/canonical-json.ts";
import { isJsonObject, type JsonValue, ownMember } from "../workspace/json.ts";

/** The index of an element before and after; undefined where it is absent. */
export type Aligned = readonly [before: number | undefined, after: number | undefined];

/** How elements are recognized. */
export interface Naming {
  /** Equal for the same element; undefined: it is recognized by its value. */
  identityOf(value: JsonValue): string | undefined;
  /** Equal for elements that may be the same, changed: blocks of one definition, two texts. */
  sortOf(value: JsonValue): string;
}

/** Served values. */
const SERVED: Naming = { identityOf, sortOf };

/**
 * Aligns the elements of two lists, in order: the same elements first, then the rest between two
 * of them by sort.
 */
export function alignLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  by: Naming = SERVED,
): Aligned[] {
  const sameness = (value: JsonValue) => by.identityOf(value) ?? canonicalJson(value);
  return align(before.map(sameness), after.map(sameness)).flatMap((run) => {
    const { from, fromCount, to, toCount, isSame } = run;
    if (isSame || fromCount === 0 || toCount === 0) return pairs(run);
    const olds = before.slice(from, from + fromCount).map(by.sortOf);
    const news = after.slice(to, to + toCount).map(by.sortOf);
    return align(olds, news).flatMap((inner) =>
      pairs({ ...inner, from: inner.from + from, to: inner.to + to }),
    );
  });
}

/** A run of elements that are equal, or that differ: those before are replaced by those after. */
interface Run {
  readonly isSame: boolean;
  readonly from: number;
  readonly fromCount: number;
  readonly to: number;
  readonly toCount: number;
}

/** Lists with more edits than this are treated as completely different. */
const MOST_EDITS = 1000;

export function align(before: readonly string[], after: readonly string[]): Run[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
  if (parts === undefined) {
    const all = { from: 0, fromCount: before.length, to: 0, toCount: after.length };
    return [{ isSame: false, ...all }];
  }
  const runs: Run[] = [];
  let [from, to] = [0, 0];
  for (const { added, removed, count } of parts) {
    const isSame = !added && !removed;
    const run = { isSame, from, fromCount: added ? 0 : count, to, toCount: removed ? 0 : count };
    from += run.fromCount;
    to += run.toCount;
    const last = runs.at(-1);
    if (last === undefined || isSame || last.isSame) runs.push(run);
    else {
      const fromCount = last.fromCount + run.fromCount;
      runs[runs.length - 1] = { ...last, fromCount, toCount: last.toCount + run.toCount };
    }
  }
  return runs;
}

/** Pairs equal elements; otherwise lists the removed ones, then the added ones. */
function pairs({ isSame, from, fromCount, to, toCount }: Run): Aligned[] {
  if (isSame) return Array.from({ length: toCount }, (_, n) => [from + n, to + n]);
  return [
    ...Array.from({ length: fromCount }, (_, n): Aligned => [from + n, undefined]),
    ...Array.from({ length: toCount }, (_, n): Aligned => [undefined, to + n]),
  ];
}

/** The id of an asset or record, the target of a pointer, or the key of an element of Portable Text. */
const NAMES = ["id", "contentEntryId", "_key"];

function identityOf(value: JsonValue): string | undefined {
  return identityBy(NAMES, value);
}

function sortOf(value: JsonValue): string {
  return sortBy(NAMES, value);
}

/** Equal for objects that may be the same, changed: by identity, or blocks of one definition. */
export function likenessOf(value: JsonValue): string | undefined {
  return likenessBy(NAMES, value);
}

/** The first of these members that is a text; undefined: the value has no name. */
export function identityBy(names: readonly string[], value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const name = names.find((one) => typeof ownMember(value, one) === "string");
  return name === undefined ? undefined : `${name} ${value[name]}`;
}

function likenessBy(names: readonly string[], value: JsonValue): string | undefined {
  return identityBy(["contentBlockId", ...names], value);
}

/** Equal for values that may be one, changed: by likeness, or by type. */
export function sortBy(names: readonly string[], value: JsonValue): string {
  const type = Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
  return likenessBy(names, value) ?? type;
}
