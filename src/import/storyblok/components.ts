import { Pattern } from "../../fields/pattern/pattern.ts";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import type { Notes } from "../formats/notes.ts";
import { type Expected, fieldOf, fieldsOf, type TypeSurvey } from "../formats/type-survey.ts";
import type { Component } from "./export-files.ts";
import { saysSomething } from "./story.ts";

export function expectComponents(
  survey: TypeSurvey,
  components: ReadonlyMap<string, Component>,
  roots: ReadonlyMap<string, unknown>,
  notes: Notes,
): void {
  for (const { name, isRoot, isNestable, schema } of components.values()) {
    const types = [
      ...(isRoot || roots.has(name) ? [survey.models] : []),
      ...(isNestable ? [survey.blocks] : []),
    ];
    for (const known of types) {
      const fields = fieldsOf(known, name);
      for (const [key, field] of Object.entries(schema)) {
        const expected = expectedOf(field, components, notes);
        for (const one of NOT_CARRIED) if (saysSomething(field[one])) notes.notCarried(one);
        const known = fieldOf(fields, key);
        if (expected !== undefined) known.expect(expected);
        // X15: a field that has no translation yet, too.
        if (field.translatable === true) known.isLocalized = true;
        if (field.type === "multilink") expectLinks(survey);
      }
    }
  }
}

/** Constraints that have no equivalent. */
const NOT_CARRIED = ["decimals", "steps", "filetypes", "filter_content_type", "folder_slug"];

function expectLinks({ blocks }: TypeSurvey): void {
  const fields = fieldsOf(blocks, "multilink");
  fieldOf(fields, "linktype").expect({ kind: "text" });
  fieldOf(fields, "url").expect({ kind: "text" });
  fieldOf(fields, "story").expect({ kind: "reference", as: "reference" });
}

const ASSET = { kind: "asset", as: "asset" } as const;

/** The kinds of fields that have no options of their own. */
const KINDS: ReadonlyMap<unknown, Expected> = new Map<string, Expected>([
  ["boolean", { kind: "boolean" }],
  ...["asset", "image", "file"].map((type) => [type, ASSET] as const),
  ["datetime", { kind: "text" }],
  ["richtext", { kind: "rich-text" }],
  ["multiasset", { ...ASSET, isList: true }],
  ["multilink", { kind: "block", types: ["multilink"] }],
]);

/** Undefined for what has no value, or is known by its values only. */
function expectedOf(
  field: JsonObject,
  components: ReadonlyMap<string, Component>,
  notes: Notes,
): Expected | undefined {
  const base = optionsOf(field);
  const known = KINDS.get(field.type);
  if (known !== undefined) return { ...known, options: base };
  switch (field.type) {
    case "number":
      return { kind: "number", options: { ...base, ...range(field) } };
    case "text":
    case "textarea":
    case "markdown": {
      const format = field.type === "markdown" && { format: "markdown" };
      return { kind: "text", options: { ...base, ...format, ...textOptions(field, notes) } };
    }
    case "option":
    case "options":
      return choiceOf(field, base);
    case "bloks":
      return {
        kind: "block",
        isList: true,
        types: acceptedBlocks(field, components),
        options: { ...base, ...limits(field, "minimum", "maximum", ["minItems", "maxItems"]) },
      };
  }
  return undefined;
}

function choiceOf(field: JsonObject, base: Expected["options"] & object): Expected {
  const isList = field.type === "options";
  const items = limits(field, "min_options", "max_options", ["minItems", "maxItems"]);
  const options = { ...base, ...(isList && items) };
  if (field.source === "internal_stories") {
    return { kind: "reference", as: "reference", isList, options };
  }
  const isOwn = field.source === undefined || field.source === "" || field.source === "self";
  const values = listOf(field.options)
    .map((option) => (option as JsonObject).value)
    .filter((value): value is string => typeof value === "string" && value !== "");
  const choices = isOwn && values.length > 0 ? { options: [...new Set(values)] } : {};
  return { kind: "text", isList, options: { ...options, ...choices } };
}

function optionsOf(field: JsonObject): Record<string, JsonValue> {
  const { required, display_name: name, description } = field;
  const isText = (text: JsonValue | undefined) => typeof text === "string" && text.trim() !== "";
  return {
    ...(isText(name) && { name }),
    ...(isText(description) && { description }),
    ...(required === true && { required }),
  } as Record<string, JsonValue>;
}

function textOptions(field: JsonObject, notes: Notes): Record<string, JsonValue> {
  const options: Record<string, JsonValue> = limits(field, "min_length", "max_length", [
    "minLength",
    "maxLength",
  ]);
  if (typeof field.regex !== "string" || field.regex === "") return options;
  try {
    Pattern.of(field.regex);
    return { ...options, pattern: field.regex };
  } catch {
    notes.notCarried("regex");
    return options;
  }
}

/** Limits are numbers, or texts of them. */
function limits(
  field: JsonObject,
  least: string,
  most: string,
  [minimum, maximum]: readonly [string, string],
): Record<string, JsonValue> {
  const count = (value: JsonValue | undefined) => {
    const number = typeof value === "string" ? Number(value) : value;
    return typeof number === "number" && Number.isInteger(number) && number > 0
      ? number
      : undefined;
  };
  const [from, to] = [count(field[least]), count(field[most])];
  if (from !== undefined && to !== undefined && from > to) return {};
  return {
    ...(from !== undefined && { [minimum]: from }),
    ...(to !== undefined && { [maximum]: to }),
  };
}

function range({ min_value, max_value }: JsonObject): Record<string, JsonValue> {
  const [minimum, maximum] = [min_value, max_value].map((value) =>
    saysSomething(value) || value === 0 ? Number(value) : Number.NaN,
  ) as [number, number];
  if (minimum > maximum) return {};
  return {
    ...(Number.isFinite(minimum) && { minimum }),
    ...(Number.isFinite(maximum) && { maximum }),
  };
}

/** The blocks that a field accepts: those named, those of the groups, or all. */
function acceptedBlocks(
  field: JsonObject,
  components: ReadonlyMap<string, Component>,
): readonly string[] {
  const nestable = [...components.values()].filter(({ isNestable }) => isNestable);
  const known = (names: readonly string[]) => names.filter((name) => components.has(name));
  if (field.restrict_components === true) {
    const groups = new Set(listOf(field.component_group_whitelist));
    const isByGroup = field.restrict_type === "groups" && groups.size > 0;
    const inGroups = nestable.filter(({ group }) => group !== undefined && groups.has(group));
    if (isByGroup) return inGroups.map(({ name }) => name);
    const named = listOf(field.component_whitelist).filter((name) => typeof name === "string");
    if (named.length > 0) return known(named);
  }
  return nestable.map(({ name }) => name);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
