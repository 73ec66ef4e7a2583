import { canonicalJson } from "../documents/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import type { SchemaFinding } from "./schema-change.ts";

/** Keywords that limit a value and leave its type as it is. */
const CONSTRAINTS = [
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
] as const;

/** What changed between two schemas of one field's value, as a reader of the value sees it. */
export function compareShapes(before: JsonObject, after: JsonObject): SchemaFinding[] {
  return [...compareNames(before, after), ...compareValueShapes(before, after)];
}

/** Where the type is another, its constraints are nothing to tell. */
function compareValueShapes(before: JsonObject, after: JsonObject): SchemaFinding[] {
  const types = compareTypes(before, after);
  const isOther = types.some(({ code }) => code === "type-changed");
  return isOther ? types : [...types, ...compareConstraints(before, after)];
}

export function compareNames({ title: before }: JsonObject, { title: after }: JsonObject) {
  return before === after
    ? []
    : [{ code: "name-changed" as const, before: said(before), after: said(after) }];
}

function compareConstraints(before: JsonObject, after: JsonObject): SchemaFinding[] {
  return CONSTRAINTS.filter((name) => before[name] !== after[name]).map((name) => ({
    code: "constraint-changed",
    name,
    before: said(before[name]),
    after: said(after[name]),
  }));
}

function compareTypes(before: JsonObject, after: JsonObject): SchemaFinding[] {
  const [from, to] = [typeOf(before), typeOf(after)];
  if (from.kind === "list" && to.kind === "list") {
    return compareValueShapes(from.items, to.items);
  }
  const words = from.kind === to.kind ? CHOICE_CODES[from.kind] : undefined;
  if (words !== undefined) {
    const [lost, won] = words;
    const changes = [
      ...[...from.choices].filter((value) => !to.choices.has(value)).map(coded(lost)),
      ...[...to.choices].filter((value) => !from.choices.has(value)).map(coded(won)),
    ];
    // With no choice on one side, there is no shape of a choice to compare.
    const isComparable = from.choices.size > 0 && to.choices.size > 0;
    return !isComparable || from.rest === to.rest
      ? changes
      : [...changes, { code: "shape-changed" }];
  }
  if (from.kind === to.kind && from.rest === to.rest) return [];
  const [was, is] = [from.name, to.name];
  return was === is
    ? [{ code: "shape-changed" }]
    : [{ code: "type-changed", before: was, after: is }];
}

type ChoiceCode = Extract<SchemaFinding, { value: string }>["code"];

/** Of the kinds that are one of several choices: a choice lost, and one won. */
const CHOICE_CODES: Readonly<Record<string, readonly [ChoiceCode, ChoiceCode]>> = {
  select: ["value-removed", "value-added"],
  reference: ["target-removed", "target-added"],
  block: ["block-refused", "block-accepted"],
};

function coded(code: ChoiceCode) {
  return (value: string): SchemaFinding => ({ code, value });
}

interface Type {
  readonly kind: "list" | "select" | "reference" | "block" | "other";
  /** As told to people. */
  readonly name: string;
  readonly choices: ReadonlySet<string>;
  readonly items: JsonObject;
  /** All that tells values of this type apart from others, the choices aside. */
  readonly rest: string;
}

/** The type of a value, from the forms in which `src/fields` writes schemas. */
function typeOf(schema: JsonObject): Type {
  const none = { choices: new Set<string>(), items: {}, rest: "" };
  if (schema.type === "array" && isJsonObject(schema.items)) {
    return {
      ...none,
      kind: "list",
      name: `a list of ${typeOf(schema.items).name}`,
      items: schema.items,
    };
  }
  if (Array.isArray(schema.enum)) {
    const choices = new Set((schema.enum as readonly JsonValue[]).map((value) => said(value)));
    return { ...none, kind: "select", name: `one of ${[...choices].join(", ")}`, choices };
  }
  const alternatives = alternativesOf(schema);
  const blocks = alternatives?.map(blockKeyOf);
  if (blocks?.every((key) => key !== undefined)) {
    return { ...none, kind: "block", name: "a content block", choices: new Set(blocks) };
  }
  if (alternatives?.every(isPointer)) {
    const choices = new Set(alternatives.flatMap(({ properties }) => targetOf(properties)));
    // The alternatives without what tells them apart.
    const rest = canonicalJson(
      [
        ...new Set(
          alternatives.map((pointer) =>
            canonicalJson(pointer).replaceAll(/"const":"[^"]*"|contentModels\/[^"]*/g, ""),
          ),
        ),
      ].sort(),
    );
    return { ...none, kind: "reference", name: "a reference", choices, rest };
  }
  return {
    ...none,
    kind: "other",
    name: nameOf(schema, alternatives),
    rest: canonicalJson(bare(schema)),
  };
}

/** `{ "not": {} }`, no value at all, is a choice among none. */
function alternativesOf(schema: JsonObject): JsonObject[] | undefined {
  if (isJsonObject(schema.not) && Object.keys(schema.not).length === 0) return [];
  if (!Array.isArray(schema.anyOf)) return undefined;
  return (schema.anyOf as readonly JsonValue[]).map((one) => (isJsonObject(one) ? one : {}));
}

function blockKeyOf({ $ref }: JsonObject): string | undefined {
  return /^#\/\$defs\/contentBlocks\/(.+)$/.exec(String($ref))?.[1];
}

function isPointer({ properties }: JsonObject): boolean {
  return isJsonObject(properties) && Object.hasOwn(properties, "contentEntryId");
}

function targetOf(properties: JsonValue | undefined): string[] {
  if (!isJsonObject(properties)) return [];
  const { contentModelKey } = properties;
  return isJsonObject(contentModelKey) ? [String(contentModelKey.const)] : [];
}

function nameOf(schema: JsonObject, alternatives: readonly JsonObject[] | undefined): string {
  const { type, format, properties } = alternatives?.[0] ?? schema;
  if (isJsonObject(properties)) return `an object of ${Object.keys(properties).sort().join(", ")}`;
  if (type === undefined) return "any JSON value";
  const name = Array.isArray(type) ? type.join(" or ") : String(type);
  return format === undefined ? name : `${name} (${format})`;
}

/** Without its name and what only limits it. */
function bare(schema: JsonObject): JsonObject {
  const left = Object.entries(schema).filter(
    ([name]) => name !== "title" && !(CONSTRAINTS as readonly string[]).includes(name),
  );
  return Object.fromEntries(left);
}

function said(value: JsonValue | undefined): string {
  return value === undefined ? "not set" : JSON.stringify(value);
}
