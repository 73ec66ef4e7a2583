import { diffArrays } from "diff";
import { canonicalJson } from "../documents/canonical-json.ts";
import { isJsonObject, type JsonValue } from "../workspace/json.ts";

/** The index of an element before and after; undefined where it is not. */
export type Aligned = readonly [before: number | undefined, after: number | undefined];

/**
 * Which element of a list after is which element of the list before, in order. Elements that are
 * the same by `identity` first; what is left between two of them, by its `sort`.
 */
export function alignLists(before: readonly JsonValue[], after: readonly JsonValue[]): Aligned[] {
  return align(before.map(identity), after.map(identity)).flatMap((run) => {
    const { from, fromCount, to, toCount, isSame } = run;
    if (isSame || fromCount === 0 || toCount === 0) return pairs(run);
    const olds = before.slice(from, from + fromCount).map(sort);
    const news = after.slice(to, to + toCount).map(sort);
    return align(olds, news).flatMap((inner) =>
      pairs({ ...inner, from: inner.from + from, to: inner.to + to }),
    );
  });
}

/** Neighbours that are the same, or that are not. */
interface Run {
  readonly isSame: boolean;
  readonly from: number;
  readonly fromCount: number;
  readonly to: number;
  readonly toCount: number;
}

/** Lists that differ in more places than this are taken as different from end to end. */
const MOST_EDITS = 1000;

function align(before: readonly string[], after: readonly string[]): Run[] {
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

/** Element by element where they are the same; else what went, then what came. */
function pairs({ isSame, from, fromCount, to, toCount }: Run): Aligned[] {
  if (isSame) return Array.from({ length: toCount }, (_, n) => [from + n, to + n]);
  return [
    ...Array.from({ length: fromCount }, (_, n): Aligned => [from + n, undefined]),
    ...Array.from({ length: toCount }, (_, n): Aligned => [undefined, to + n]),
  ];
}

/** What makes an element the same one: its id, what it points at, or all that it is. */
function identity(value: JsonValue): string {
  return named(value, ["id", "contentEntryId"]) ?? canonicalJson(value);
}

/** Elements of one sort may be the same element, changed: blocks of one definition, two texts. */
function sort(value: JsonValue): string {
  const type = Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
  return named(value, ["contentBlockId", "id", "contentEntryId"]) ?? type;
}

function named(value: JsonValue, members: readonly string[]): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const name = members.find((one) => Object.hasOwn(value, one) && typeof value[one] === "string");
  return name && `${name} ${value[name]}`;
}
