import { fieldType } from "../fields/registry.ts";
import { mapTree } from "../fields/rich-text-tree.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Entry, Model } from "../workspace/records.ts";

/** A constraint that was dropped, since entries break it. */
export interface DroppedConstraint {
  readonly model: string;
  readonly field: string;
  /** The member of the field's definition; `type` when values have another shape. */
  readonly constraint: string;
  /** The field's new type, if it has changed. */
  readonly now?: string;
  /** Further constraints of the field that the new type does not have. */
  readonly with?: readonly string[];
  /** How many entries break it. */
  readonly entries: number;
  /** The id of one of these entries. */
  readonly example: string;
}

type Field = FieldDefinition & Readonly<Record<string, JsonValue | undefined>>;

/**
 * Drops exactly those constraints of the models that an entry breaks. A field whose values have
 * several shapes becomes `json`, which fits every value; references in it are no longer pointers
 * (V8).
 */
export function relax(
  models: readonly Model[],
  entries: readonly Entry[],
): { models: Model[]; dropped: DroppedConstraint[] } {
  const modelKeys = new Map(models.map(({ id, key }) => [id, key]));
  const modelKeyOf = new Map(entries.map(({ id, modelId }) => [id, modelKeys.get(modelId)]));
  const entriesOf = Map.groupBy(entries, ({ modelId }) => modelId);
  const dropped: DroppedConstraint[] = [];
  const relaxed = models.map((model) => {
    const own = entriesOf.get(model.id) ?? [];
    const fields = model.fields.map((field) => {
      const broken = new Map<string, { entries: number; example: string }>();
      const values = new Set<JsonValue>();
      for (const { id, data } of own) {
        const value = ownMember(data, field.key);
        const found = brokenConstraints(field as Field, value, modelKeyOf);
        if (field.unique && value !== undefined && fieldType(field.type).hasShape(value)) {
          if (values.has(value)) found.add("unique");
          values.add(value);
        }
        for (const constraint of found) {
          const known = broken.get(constraint);
          broken.set(constraint, {
            entries: (known?.entries ?? 0) + 1,
            example: known?.example ?? id,
          });
        }
      }
      const kept = withoutConstraints(field as Field, [...broken.keys()]);
      for (const [constraint, count] of broken) {
        const change = CHANGES_TYPE.has(constraint) ? typeChange(field, kept, broken) : {};
        dropped.push({ model: model.key, field: field.key, constraint, ...change, ...count });
      }
      return kept;
    });
    return { ...model, fields };
  });
  return { models: relaxed, dropped };
}

/** A field's new type, and the constraints that were lost with the old one without being broken. */
function typeChange(
  field: FieldDefinition,
  kept: FieldDefinition,
  broken: ReadonlyMap<string, unknown>,
): Pick<DroppedConstraint, "now" | "with"> {
  const lost = Object.keys(field).filter(
    (member) => !Object.hasOwn(kept, member) && !broken.has(member) && member !== "repeatable",
  );
  return { now: kept.type, ...(lost.length > 0 && { with: lost }) };
}

/** Constraints that can be dropped only by changing the field's type. */
const CHANGES_TYPE: ReadonlySet<string> = new Set(["type", "repeatable", "options"]);

/** The names of the constraints that a stored value breaks. */
function brokenConstraints(
  field: Field,
  value: JsonValue | undefined,
  modelKeyOf: ReadonlyMap<string, string | undefined>,
): Set<string> {
  const broken = new Set<string>();
  if (value === undefined || value === null) {
    if (field.required) broken.add("required");
    // A missing list counts as an empty one.
    if (field.repeatable && (field.minItems ?? 0) > 0) broken.add("minItems");
    return broken;
  }
  const { repeatable } = field;
  // A null element would not be served (V3); inside a json value it is.
  if (repeatable && !(Array.isArray(value) && value.every((one: JsonValue) => one !== null))) {
    return broken.add("repeatable");
  }
  const elements = (repeatable ? value : [value]) as readonly JsonValue[];
  if (repeatable && elements.length < (field.minItems ?? 0)) broken.add("minItems");
  if (repeatable && elements.length > (field.maxItems ?? Number.POSITIVE_INFINITY)) {
    broken.add("maxItems");
  }
  for (const element of elements) {
    for (const name of constraintsBrokenByValue(field, element, modelKeyOf)) broken.add(name);
  }
  return broken;
}

function constraintsBrokenByValue(
  field: Field,
  value: JsonValue,
  modelKeyOf: ReadonlyMap<string, string | undefined>,
): string[] {
  const type = fieldType(field.type);
  if (!type.hasShape(value)) return ["type"];
  const refusesTarget = ({ contentEntryId }: JsonObject) => {
    const target = modelKeyOf.get(String(contentEntryId));
    const accepted = field.models as readonly string[] | undefined;
    return target !== undefined && accepted?.includes(target) === false;
  };
  if (field.type === "reference") {
    return isJsonObject(value) && refusesTarget(value) ? ["models"] : [];
  }
  if (field.type === "rich-text") return brokenInTree(field, value, refusesTarget);
  return Object.keys(type.options).filter((option) => {
    if (field[option] === undefined) return false;
    const alone = { key: field.key, type: field.type, [option]: field[option] };
    return type.brokenConstraint?.(alone, value) !== undefined;
  });
}

/** Blocks are not compared: the formats that are relaxed have none. */
function brokenInTree(
  field: Field,
  tree: JsonValue,
  refusesTarget: (pointer: JsonObject) => boolean,
): string[] {
  const broken: string[] = [];
  mapTree(tree, {
    pointer(kind, stored) {
      if (kind === "reference" && refusesTarget(stored)) broken.push("models");
      return stored;
    },
    named(option, name = "") {
      const accepted = field[option] as readonly string[] | undefined;
      if (accepted?.includes(name) === false) broken.push(option);
    },
    reserved: () => broken.push("type"),
  });
  return broken;
}

/** The field without these constraints, and with another type where they require it. */
function withoutConstraints(field: Field, constraints: readonly string[]): FieldDefinition {
  if (constraints.length === 0) return field;
  const { key, name, required } = field;
  const bare = { key, ...(name !== undefined && { name }) };
  const kept = required && !constraints.includes("required") ? { required } : {};
  // `json` fits every stored value.
  if (constraints.includes("repeatable")) return { ...bare, type: "json", ...kept };
  if (constraints.includes("type")) {
    const { repeatable, minItems, maxItems } = field;
    const list = { repeatable, minItems, maxItems };
    const members = Object.entries(list).filter(
      ([member, value]) => value !== undefined && !constraints.includes(member),
    );
    return { ...bare, type: "json", ...kept, ...Object.fromEntries(members) };
  }
  const members = Object.entries(field).filter(([member]) => !constraints.includes(member));
  const rest = Object.fromEntries(members) as unknown as FieldDefinition;
  // `select` requires options, so it becomes `text`.
  return constraints.includes("options") ? { ...rest, type: "text" } : rest;
}
