import { valueIn } from "../fields/localized.ts";
import { fieldType } from "../fields/registry.ts";
import { mapTree } from "../fields/rich-text-tree.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";

/** A field with the options of its type. */
export type FieldWithOptions = FieldDefinition & Readonly<Record<string, JsonValue | undefined>>;

/** What one language has of a stored value (B1): undefined for none. */
export interface LanguageValue {
  /** Equal for values that are compared with each other (B4). */
  readonly language: string;
  readonly value: JsonValue | undefined;
}

/**
 * B6: the values of a field in each language; without languages, in each locale that has one. Undefined
 * when the value of a localized field has no locales.
 */
export function languageValues(
  field: FieldWithOptions,
  stored: JsonValue | undefined,
  languages: readonly Language[],
): readonly LanguageValue[] | undefined {
  if (field.localized !== true || stored === undefined || stored === null) {
    return [{ language: "", value: stored }];
  }
  if (!isJsonObject(stored)) return undefined;
  if (languages.length > 0) {
    return languages.map((one) => ({
      language: one.join(" "),
      value: valueIn(stored, one)?.value,
    }));
  }
  const values = Object.entries(stored).map(([language, value]) => ({ language, value }));
  const found = values.filter(({ value }) => value !== null);
  return found.length > 0 ? found : [{ language: "", value: undefined }];
}

/**
 * The names of the constraints that a value of one language breaks, without `models`: `onTarget`
 * gets the targets of a field that has it.
 */
export function brokenConstraints(
  field: FieldWithOptions,
  value: JsonValue | undefined,
  onTarget: (id: string) => void,
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
  if (field.required && !repeatable && fieldType(field.type).isEmpty?.(value))
    broken.add("required");
  for (const element of elements) {
    for (const name of constraintsBrokenByValue(field, element, onTarget)) broken.add(name);
  }
  return broken;
}

function constraintsBrokenByValue(
  field: FieldWithOptions,
  value: JsonValue,
  onTarget: (id: string) => void,
): string[] {
  const type = fieldType(field.type);
  if (!type.hasShape(value)) return ["type"];
  const noteTarget = ({ contentEntryId }: JsonObject) => {
    if (field.models !== undefined) onTarget(String(contentEntryId));
  };
  if (field.type === "reference") {
    if (isJsonObject(value)) noteTarget(value);
    return [];
  }
  if (field.type === "rich-text") return brokenInTree(field, value, noteTarget);
  return Object.keys(type.options).filter((option) => {
    if (field[option] === undefined) return false;
    const alone = { key: field.key, type: field.type, [option]: field[option] };
    return type.brokenConstraint?.(alone, value) !== undefined;
  });
}

/** Blocks are not compared: the formats that are relaxed have none. */
function brokenInTree(
  field: FieldWithOptions,
  tree: JsonValue,
  noteTarget: (pointer: JsonObject) => void,
): string[] {
  const broken: string[] = [];
  mapTree(tree, {
    pointer(kind, stored) {
      if (kind === "reference") noteTarget(stored);
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
