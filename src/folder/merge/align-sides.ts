import { alignLists, identityBy, sortBy } from "../../diff/align-lists.ts";
import { canonicalJson } from "../../documents/canonical-json.ts";
import { isJsonObject, type JsonValue } from "../../workspace/json.ts";

type List = readonly JsonValue[];

/** An element of a list: its index on the sides that have it. */
export interface Element {
  readonly base?: number;
  ours?: number;
  theirs?: number;
}

/**
 * G4, G4b: the elements of three lists in the order of the merged one; undefined when both sides ordered
 * theirs in different ways. What both inserted at one place is there twice, ours first.
 */
export function alignSides(base: List, ours: List, theirs: List): Element[] | undefined {
  return ordered(elementsOf(base, ours, theirs));
}

function elementsOf(base: List, ours: List, theirs: List): Element[] {
  const elements: Element[] = base.map((_, index) => ({ base: index }));
  const inserted: Element[] = [];
  for (const [before, after] of matched(base, ours)) {
    if (before === undefined) inserted.push({ ours: after });
    else (elements[before] as Element).ours = after;
  }
  const ofOurs = new Waiting(inserted, (one) => ours[one.ours as number] as JsonValue);
  for (const [before, after] of matched(base, theirs)) {
    if (before !== undefined) {
      (elements[before] as Element).theirs = after;
      continue;
    }
    const same = ofOurs.take(theirs[after] as JsonValue);
    if (same === undefined) inserted.push({ theirs: after });
    else same.theirs = after;
  }
  return [...elements, ...inserted];
}

/** Each element of a side with its index in the base, moved ones too. */
function matched(base: List, side: List): (readonly [number | undefined, number])[] {
  const aligned = alignLists(base, side, { identityOf, sortOf });
  const indexes = aligned.flatMap(([before, after]) =>
    after === undefined && before !== undefined ? [before] : [],
  );
  const removed = new Waiting(indexes, (index) => base[index] as JsonValue);
  return aligned.flatMap(([before, after]) => {
    if (after === undefined) return [];
    return [[before ?? removed.take(side[after] as JsonValue), after] as const];
  });
}

/** Elements, of which the first that is the same as a value is taken. A list may be long. */
class Waiting<T> {
  readonly #byValue: Map<string, T[]>;

  constructor(elements: readonly T[], valueIn: (element: T) => JsonValue) {
    this.#byValue = Map.groupBy([...elements].reverse(), (one) => sameness(valueIn(one)));
  }

  take(value: JsonValue): T | undefined {
    return this.#byValue.get(sameness(value))?.pop();
  }
}

/** Equal for elements with the same name, or without one for equal elements. */
function sameness(value: JsonValue): string {
  return identityOf(value) ?? canonicalJson(value);
}

/** The order of the side that moved elements, with the other's own behind their predecessors. */
function ordered(elements: readonly Element[]): Element[] | undefined {
  const [ours, theirs] = [inOrderOf(elements, "ours"), inOrderOf(elements, "theirs")];
  const [before, oursCommon, theirsCommon] = [inOrderOf(elements, "base"), ours, theirs].map(
    (list) => list.filter(isOnAll),
  ) as [Element[], Element[], Element[]];
  if (!isSameOrder(ours.filter(isInsertedInBoth), theirs.filter(isInsertedInBoth))) {
    return undefined;
  }
  const isTheirsMoved = !isSameOrder(before, theirsCommon);
  if (isTheirsMoved && !isSameOrder(before, oursCommon)) {
    if (!isSameOrder(oursCommon, theirsCommon)) return undefined;
  }
  return isTheirsMoved
    ? withInsertions(theirs, ours, () => false)
    : withInsertions(ours, theirs, isInsertedInOurs);
}

/** @param isPassed elements of `list` behind which an insertion goes. */
function withInsertions(
  list: readonly Element[],
  other: readonly Element[],
  isPassed: (element: Element) => boolean,
): Element[] {
  const own = new Set(list);
  const insertions = new Map<Element | undefined, Element[]>();
  let previous: Element | undefined;
  for (const element of other) {
    if (own.has(element)) previous = element;
    else {
      const behind = insertions.get(previous) ?? [];
      behind.push(element);
      insertions.set(previous, behind);
    }
  }
  const merged: Element[] = [];
  const waiting = insertions.get(undefined) ?? [];
  for (const element of list) {
    if (!isPassed(element)) for (const one of waiting.splice(0)) merged.push(one);
    merged.push(element);
    for (const one of insertions.get(element) ?? []) waiting.push(one);
  }
  return [...merged, ...waiting];
}

function inOrderOf(elements: readonly Element[], side: "base" | "ours" | "theirs"): Element[] {
  return elements
    .filter((one) => one[side] !== undefined)
    .sort((a, b) => (a[side] as number) - (b[side] as number));
}

function isSameOrder(a: readonly Element[], b: readonly Element[]): boolean {
  return a.every((element, index) => element === b[index]);
}

function isOnAll({ base, ours, theirs }: Element): boolean {
  return base !== undefined && ours !== undefined && theirs !== undefined;
}

function isInsertedInBoth({ base, ours, theirs }: Element): boolean {
  return base === undefined && ours !== undefined && theirs !== undefined;
}

function isInsertedInOurs({ base, theirs }: Element): boolean {
  return base === undefined && theirs === undefined;
}

/** A value of one side; undefined where it is absent. */
export type Side = JsonValue | undefined;

export function isEqual(a: Side, b: Side): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || canonicalJson(a) === canonicalJson(b);
}

/** The members by which the same target or asset is recognized on two sides, or any element. */
const POINTER_NAMES = ["contentEntryId", "assetId"];
const NAMES = ["id", "key", ...POINTER_NAMES, "_key"];

/** G4a: equal for one element on two sides, changed or not; undefined when it has no name. */
function identityOf(value: JsonValue): string | undefined {
  const name = identityBy(NAMES, value);
  // Collections of two models may have the same pattern.
  return name?.includes("{") && isJsonObject(value) ? `${name} ${value.model}` : name;
}

/** G4a: equal for elements that may be one, changed: by identity, blocks of one definition, or type. */
export function sortOf(value: JsonValue): string {
  return sortBy(NAMES, value);
}

/** The same of a member's value, whose own members may be locales: `id` is Indonesian (G4a, B2). */
export function sortOfMember(value: JsonValue): string {
  return sortBy(POINTER_NAMES, value);
}
