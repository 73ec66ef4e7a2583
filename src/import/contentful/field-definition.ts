import { Pattern } from "../../fields/pattern/pattern.ts";
import { fieldType } from "../../fields/registry.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { ContentTypeField } from "./export-files.ts";

interface FieldContext {
  readonly key: string;
  /** What editors read beside the field. */
  readonly help: string | undefined;
  /** Whether entries are listed by it. */
  readonly isTitle: boolean;
  /** Whether the values of several locales are imported. */
  readonly isLocalized: boolean;
  modelKey(contentTypeId: string): string;
  /** Called for each validation without an equivalent constraint. */
  readonly onNotCarried: (validation: string) => void;
}

type Options = Record<string, JsonValue>;

/** The definition of a field, with constraints for validations that have an equivalent. */
export function fieldDefinition(field: ContentTypeField, context: FieldContext): FieldDefinition {
  const isList = field.type === "Array";
  const one = isList ? { ...field.items, type: field.items?.type ?? "Object" } : field;
  const { validations = [] } = one;
  const others = validations.map(({ unique: _unique, ...rest }) => rest);
  const { type, options } = typeOf({ ...one, validations: others }, context);
  const isUnique = validations.some(({ unique }) => unique === true);
  const canBeUnique = !isList && fieldType(type).canBeUnique === true;
  if (isUnique && !canBeUnique) context.onNotCarried("unique");
  if (isList) Object.assign(options, optionsOf("list", field.validations ?? [], context));
  return {
    key: context.key,
    ...(field.name != null && { name: field.name }),
    ...(context.help !== undefined && { description: context.help }),
    type,
    ...options,
    ...(context.isTitle && !isList && fieldType(type).shape === "string" && { title: true }),
    ...(field.required === true && { required: true }),
    ...(isUnique && canBeUnique && { unique: true }),
    ...(isList && { repeatable: true }),
    ...(context.isLocalized && { localized: true }),
  };
}

/** The type of a field, and what its validations are for. */
const TYPES: ReadonlyMap<string, readonly [type: string, rules: keyof typeof RULES]> = new Map([
  ["Integer", ["integer", "number"]],
  ["Number", ["number", "number"]],
  ["Boolean", ["boolean", "other"]],
  // Any date is a text; the survey finds the type that fits all values.
  ["Date", ["text", "other"]],
  ["Link Asset", ["asset", "other"]],
  ["Link Entry", ["reference", "reference"]],
]);

function typeOf(
  { type, linkType, validations = [] }: Pick<ContentTypeField, "type" | "linkType" | "validations">,
  context: FieldContext,
): { type: string; options: Options } {
  if (type === "Symbol" || type === "Text") return textOf(validations, context);
  if (type === "RichText") {
    return { type: "rich-text", options: richTextOptions(validations, context) };
  }
  // Object, Location and links into other spaces are served unchanged.
  const known = TYPES.get(type === "Link" ? `Link ${linkType}` : type) ?? ["json", "other"];
  return { type: known[0], options: optionsOf(known[1], validations, context) };
}

function textOf(validations: readonly JsonObject[], context: FieldContext) {
  const options = optionsOf("text", validations, context);
  if (options.options === undefined) return { type: "text", options };
  // `select` has no other constraints.
  if (options.pattern !== undefined) context.onNotCarried("regexp");
  if (options.minLength !== undefined || options.maxLength !== undefined) {
    context.onNotCarried("size");
  }
  return { type: "select", options: { options: options.options } };
}

/** Sets what a rule is here; returns false when it has no equivalent, or there is one already. */
type Rule = (options: Options, value: JsonValue, context: FieldContext) => boolean;

/** The rules of validations that are carried over, by what they are for. */
const RULES = {
  text: { in: setChoices, size: range("minLength", "maxLength", isCount), regexp: setPattern },
  number: { range: range("minimum", "maximum", (value) => typeof value === "number") },
  reference: { linkContentType: setModels },
  list: { size: range("minItems", "maxItems", isCount) },
  other: {},
} satisfies Readonly<Record<string, Readonly<Record<string, Rule>>>>;

function optionsOf(
  what: keyof typeof RULES,
  validations: readonly JsonObject[],
  context: FieldContext,
): Options {
  const options: Options = {};
  for (const [name, value] of validations.flatMap((one) => Object.entries(one))) {
    // An empty `in` restricts nothing.
    const isEmpty = name === "in" && Array.isArray(value) && value.length === 0;
    if (name === "message" || (isEmpty && what !== "reference" && what !== "list")) continue;
    const rules: Readonly<Record<string, Rule>> = RULES[what];
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule?.(options, value, context)) context.onNotCarried(name);
  }
  return options;
}

function setChoices(options: Options, value: JsonValue): boolean {
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  if (texts.length === 0 || options.options !== undefined) return false;
  options.options = [...new Set(texts)];
  return true;
}

function setModels(options: Options, value: JsonValue, context: FieldContext): boolean {
  if (options.models !== undefined) return false;
  const types = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === "string");
  if (types.length > 0) options.models = [...new Set(types.map((id) => context.modelKey(id)))];
  return true;
}

/** Limits, unless there are such already, or the given ones are invalid. */
function range(
  minimum: string,
  maximum: string,
  fits: (value: JsonValue | undefined) => boolean,
): Rule {
  return (options, value) => {
    const { min, max } = (value ?? {}) as { readonly min?: JsonValue; readonly max?: JsonValue };
    if (options[minimum] !== undefined || options[maximum] !== undefined) return false;
    const [least, most] = [min ?? undefined, max ?? undefined];
    if ((least !== undefined && !fits(least)) || (most !== undefined && !fits(most))) return false;
    if (least !== undefined && most !== undefined && least > most) return false;
    if (least !== undefined) options[minimum] = least;
    if (most !== undefined) options[maximum] = most;
    return true;
  };
}

function isCount(value: JsonValue | undefined): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Returns false for a pattern with another meaning here: one with flags, or not in Unicode mode. */
function setPattern(options: Options, value: JsonValue): boolean {
  const { pattern, flags } = (value ?? {}) as { pattern?: JsonValue; flags?: JsonValue };
  if (options.pattern !== undefined || typeof pattern !== "string" || (flags && flags !== "u")) {
    return false;
  }
  try {
    Pattern.of(pattern);
  } catch {
    return false;
  }
  options.pattern = pattern;
  return true;
}

/** Nodes and text that every rich text may have, whatever `enabledNodeTypes` says. */
const PLAIN_NODES = [
  "document",
  "paragraph",
  "text",
  "list-item",
  "table-row",
  "table-cell",
  "table-header-cell",
];

/** Nodes with an entry as their target. */
const ENTRY_NODES = ["embedded-entry-block", "embedded-entry-inline", "entry-hyperlink"];

/** What the validations of a rich text allow, as options of a field (X8, V11b, V11f). */
function richTextOptions(
  validations: readonly JsonObject[],
  context: { modelKey(id: string): string; onNotCarried(name: string): void },
): Record<string, JsonValue> {
  const options: Record<string, JsonValue> = {};
  let nodes: JsonObject | undefined;
  for (const validation of validations) {
    for (const [name, value] of Object.entries(validation)) {
      if (name === "enabledNodeTypes" && isNames(value) && options.nodeTypes === undefined) {
        options.nodeTypes = [...new Set([...PLAIN_NODES, ...value])];
      } else if (name === "enabledMarks" && isNames(value) && options.marks === undefined) {
        options.marks = [...new Set(value)];
      } else if (name === "nodes" && isJsonObject(value) && nodes === undefined) {
        nodes = value;
      } else if (name !== "message") context.onNotCarried(name);
    }
  }
  const enabled = (options.nodeTypes as readonly string[] | undefined) ?? ENTRY_NODES;
  const models = acceptedTypes(nodes ?? {}, enabled, () => context.onNotCarried("nodes"));
  if (models !== undefined) options.models = [...new Set(models.map(context.modelKey))];
  return options;
}

/** The content types of targets, if every enabled kind of link to entries limits them. */
function acceptedTypes(
  nodes: JsonObject,
  enabled: readonly string[],
  onNotCarried: () => void,
): string[] | undefined {
  const kinds = ENTRY_NODES.filter((name) => enabled.includes(name));
  const limits = kinds.map((kind) => typesIn(Object.hasOwn(nodes, kind) ? nodes[kind] : undefined));
  const all = limits.flatMap((types) => types ?? []);
  // One list for all kinds: several lists become what any of them accepts.
  const isSame = new Set(limits.map((types) => JSON.stringify(types?.toSorted()))).size <= 1;
  const hasOther = Object.values(nodes).some(hasOtherRules);
  if (hasOther || (all.length > 0 && !isSame)) onNotCarried();
  return limits.length > 0 && limits.every((types) => types !== undefined) ? all : undefined;
}

function typesIn(rules: JsonValue | undefined): string[] | undefined {
  if (!Array.isArray(rules)) return undefined;
  const lists = (rules as readonly JsonValue[])
    .filter((rule) => isJsonObject(rule))
    .map(({ linkContentType }) => linkContentType)
    .filter((types) => isNames(types));
  return lists[0] === undefined || lists[0].length === 0 ? undefined : [...lists[0]];
}

function hasOtherRules(rules: JsonValue): boolean {
  return (Array.isArray(rules) ? (rules as readonly JsonValue[]) : []).some(
    (rule) =>
      isJsonObject(rule) &&
      Object.keys(rule).some((name) => name !== "linkContentType" && name !== "message"),
  );
}

function isNames(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
