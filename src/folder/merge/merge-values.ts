import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import type { Path } from "../json-editor.ts";
import { alignSides, isEqual, type Side, sortOf, sortOfMember } from "./align-sides.ts";

/**
 * What becomes of a place: the value of a side at its path there, members or elements of which each is
 * merged, or a conflict between two values. "absent": neither is left.
 */
export type Merged =
  | { readonly kind: "ours" | "theirs"; readonly path: Path }
  | { readonly kind: "absent" }
  | { readonly kind: "conflict"; readonly ours?: Path; readonly theirs?: Path }
  | { readonly kind: "object"; readonly path: Path; readonly members: readonly MergedMember[] }
  | { readonly kind: "array"; readonly path: Path; readonly elements: readonly Merged[] };

interface MergedMember {
  readonly name: string;
  readonly value: Merged;
}

/** A value on three sides, with its path in ours and in theirs. */
interface Sides {
  readonly base: Side;
  readonly ours: Side;
  readonly theirs: Side;
  readonly oursAt: Path;
  readonly theirsAt: Path;
}

/** G4, G4b: merges by member and by element; a conflict is where both sides changed one value. */
export function mergeValues(sides: Sides): Merged {
  const { base, ours, theirs, oursAt, theirsAt } = sides;
  if (isEqual(ours, theirs) || isEqual(base, theirs)) {
    return ours === undefined ? { kind: "absent" } : { kind: "ours", path: oursAt };
  }
  // Also when only theirs changed, so that the layout of ours stays.
  if (isJsonObject(ours) && isJsonObject(theirs) && isOneObject(sides, base, ours, theirs)) {
    return mergeObjects(isJsonObject(base) ? base : {}, ours, theirs, sides);
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const before = Array.isArray(base) ? (base as readonly JsonValue[]) : [];
    const elements = mergeLists(before, ours, theirs, sides);
    if (elements !== undefined) return { kind: "array", path: oursAt, elements };
  }
  if (isEqual(base, ours)) {
    return theirs === undefined ? { kind: "absent" } : { kind: "theirs", path: theirsAt };
  }
  return {
    kind: "conflict",
    ...(ours !== undefined && { ours: oursAt }),
    ...(theirs !== undefined && { theirs: theirsAt }),
  };
}

/** G4b: another record, asset, target or block is one change, not one for each member. */
function isOneObject({ oursAt }: Sides, base: Side, ours: JsonObject, theirs: JsonObject): boolean {
  const all = isJsonObject(base) ? [base, ours, theirs] : [ours, theirs];
  const sort = typeof oursAt.at(-1) === "string" ? sortOfMember : sortOf;
  return new Set(all.map(sort)).size === 1;
}

function mergeObjects(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  { oursAt, theirsAt }: Sides,
): Merged {
  const members = memberOrder(ours, theirs).map((name) => ({
    name,
    value:
      mergedDraft(name, base, ours, theirs, { oursAt, theirsAt }) ??
      mergeValues({
        base: ownMember(base, name),
        ours: ownMember(ours, name),
        theirs: ownMember(theirs, name),
        oursAt: [...oursAt, name],
        theirsAt: [...theirsAt, name],
      }),
  }));
  return {
    kind: "object",
    path: oursAt,
    members: members.filter(({ value }) => value.kind !== "absent"),
  };
}

/**
 * A1: an entry without `draft` is as one with `draft: false`. Undefined: it is no such member, or each
 * side changed it, with locales (A7) member by member.
 */
function mergedDraft(
  name: string,
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  { oursAt, theirsAt }: Pick<Sides, "oursAt" | "theirsAt">,
): Merged | undefined {
  if (name !== "draft" || typeof ownMember(ours, "modelId") !== "string") return undefined;
  const [before, own, other] = [base, ours, theirs].map((one) => ownMember(one, name) ?? false);
  const isTheirs = isEqual(own, before) && !isEqual(other, before);
  if (!isTheirs && !isEqual(own, other) && !isEqual(other, before)) return undefined;
  if (!Object.hasOwn(isTheirs ? theirs : ours, name)) return { kind: "absent" };
  return isTheirs
    ? { kind: "theirs", path: [...theirsAt, name] }
    : { kind: "ours", path: [...oursAt, name] };
}

/** The members of ours in order, those of theirs alone behind their predecessor there. */
function memberOrder(ours: JsonObject, theirs: JsonObject): string[] {
  const names = Object.keys(ours);
  let before: string | undefined;
  for (const name of Object.keys(theirs)) {
    if (!Object.hasOwn(ours, name)) {
      names.splice(before === undefined ? 0 : names.indexOf(before) + 1, 0, name);
    }
    before = name;
  }
  return names;
}

/** Undefined when both sides ordered the list in different ways. */
function mergeLists(
  base: readonly JsonValue[],
  ours: readonly JsonValue[],
  theirs: readonly JsonValue[],
  { oursAt, theirsAt }: Sides,
): Merged[] | undefined {
  const at = (list: readonly JsonValue[], index: number | undefined) =>
    index === undefined ? undefined : list[index];
  return alignSides(base, ours, theirs)
    ?.map((element) =>
      mergeValues({
        base: at(base, element.base),
        ours: at(ours, element.ours),
        theirs: at(theirs, element.theirs),
        oursAt: [...oursAt, element.ours ?? 0],
        theirsAt: [...theirsAt, element.theirs ?? 0],
      }),
    )
    .filter(({ kind }) => kind !== "absent");
}
