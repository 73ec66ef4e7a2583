import { canonicalJson } from "../documents/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import type { SchemaFinding } from "./schema-change.ts";

/** Keywords that limit a value without changing its type. */
const CONSTRAINTS = [
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "contentMediaType",
] as const;

/** S10: the names of which a list limits a tree, each with the definition that has the list. */
const NAME_LISTS = { nodeTypes: "node", marks: "mark" } as const;

/** The changes between two schemas of one field, as readers of its values see them. */
export function compareShapes(before: JsonObject, after: JsonObject): SchemaFinding[] {
  return [...compareNames(before, after), ...compareValueShapes(before, after)];
}

/** When the type changed, its constraints are not compared. */
function compareValueShapes(before: JsonObject, after: JsonObject): SchemaFinding[] {
  const types = compareTypes(before, after);
  const isOther = types.some(({ code }) => code === "type-changed");
  return isOther ? types : [...types, ...compareConstraints(before, after)];
}

/** The title, and what else is only for readers. */
export function compareNames(before: JsonObject, after: JsonObject) {
  const words = [
    ["title", "name-changed"],
    ["description", "description-changed"],
  ] as const;
  return words
    .filter(([name]) => before[name] !== after[name])
    .map(([name, code]) => ({
      code,
      before: valueText(before[name]),
      after: valueText(after[name]),
    }));
}

function compareConstraints(before: JsonObject, after: JsonObject): SchemaFinding[] {
  const [from, to] = [constraintsOf(before), constraintsOf(after)];
  return Object.keys(from).flatMap((name): SchemaFinding[] => {
    const [was = "", is = ""] = [from[name], to[name]];
    return was === is ? [] : [{ code: "constraint-changed", name, before: was, after: is }];
  });
}

function constraintsOf(schema: JsonObject): Readonly<Record<string, string>> {
  const plain = CONSTRAINTS.map((name) => [name, valueText(schema[name])]);
  if (!isTree(schema)) return Object.fromEntries(plain);
  const lists = Object.entries(NAME_LISTS).map(([name, definition]) => {
    const { anyOf } = (schema.$defs[definition] ?? {}) as { anyOf?: JsonValue };
    const first = Array.isArray(anyOf) ? Object.values(anyOf[0].properties)[0] : undefined;
    // S10: in older documents the list itself.
    const ref = isJsonObject(first) && typeof first.$ref === "string" ? first.$ref : "";
    const list = schema.$defs[ref.slice(ref.lastIndexOf("/") + 1)] ?? first;
    // `{ "not": {} }` stands for an empty list.
    const names = isJsonObject(list) ? (list.enum ?? []) : undefined;
    return [name, valueText(names as JsonValue | undefined)];
  });
  return Object.fromEntries([...plain, ...lists]);
}

type Tree = JsonObject & { readonly $defs: JsonObject };

function isTree(schema: JsonObject): schema is Tree {
  return isJsonObject(schema.$defs) && Object.hasOwn(schema.$defs, "pointer");
}

/** S10: the schemas of the pointers in a tree: references, assets, blocks. */
function pointersOf({ $defs }: Tree): readonly JsonObject[] {
  return (($defs.pointer as JsonObject).anyOf ?? []) as readonly JsonObject[];
}

function compareTypes(before: JsonObject, after: JsonObject): SchemaFinding[] {
  if (isTree(before) && isTree(after)) {
    const now = pointersOf(after);
    return pointersOf(before).flatMap((was, index) => compareTypes(was, now[index] ?? {}));
  }
  const [from, to] = [typeOf(before), typeOf(after)];
  if (from.kind === "list" && to.kind === "list") {
    return compareValueShapes(from.items, to.items);
  }
  const words = from.kind === to.kind ? CHOICE_CODES[from.kind] : undefined;
  if (words !== undefined) {
    const [removed, added] = words;
    const changes = [
      ...[...from.choices].filter((value) => !to.choices.has(value)).map(coded(removed)),
      ...[...to.choices].filter((value) => !from.choices.has(value)).map(coded(added)),
    ];
    // Without choices on one side, there are no shapes to compare.
    const isComparable = from.choices.size > 0 && to.choices.size > 0;
    return !isComparable || from.rest === to.rest
      ? changes
      : [...changes, { code: "shape-changed" }];
  }
  if (from.kind === to.kind && from.rest === to.rest) return [];
  if (isExtended(before, after)) return [{ code: "shape-extended" }];
  const [was, is] = [from.name, to.name];
  return was === is
    ? [{ code: "shape-changed" }]
    : [{ code: "type-changed", before: was, after: is }];
}

/** Whether objects differ only in members that they did not have before and need not have now. */
function isExtended(before: JsonObject, after: JsonObject): boolean {
  const [olds, news] = [alternativesOf(before), alternativesOf(after)];
  if (olds === undefined || news?.length !== olds.length) return false;
  return olds.every((old, index) => {
    const { properties: were, ...rest } = old;
    const { properties: are, ...now } = news[index] as JsonObject;
    if (canonicalJson(rest) !== canonicalJson(now)) return false;
    if (!isJsonObject(were) || !isJsonObject(are)) return were === are;
    const known = Object.entries(are).filter(([name]) => Object.hasOwn(were, name));
    return canonicalJson(Object.fromEntries(known)) === canonicalJson(were);
  });
}

type ChoiceCode = Extract<SchemaFinding, { value: string }>["code"];

/** The codes of a removed and of an added choice, for the kinds that have choices. */
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
  /** In messages. */
  readonly name: string;
  readonly choices: ReadonlySet<string>;
  readonly items: JsonObject;
  /** The rest of the shape, without the choices. */
  readonly rest: string;
}

/** The type of a value, from a schema as `src/fields` writes it. */
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
  if (isTree(schema)) return { ...none, kind: "other", name: "rich text" };
  if (Array.isArray(schema.enum)) {
    const choices = new Set((schema.enum as readonly JsonValue[]).map((value) => valueText(value)));
    return { ...none, kind: "select", name: `one of ${[...choices].join(", ")}`, choices };
  }
  const alternatives = alternativesOf(schema);
  const { properties } = schema;
  // S11.
  if (isJsonObject(properties) && Object.hasOwn(properties, "contentBlockKey")) {
    const choices = new Set(keysOf(properties.contentBlockKey));
    return { ...none, kind: "block", name: "a content block", choices };
  }
  const blocks = alternatives?.map(blockKeyOf);
  if (blocks?.every((key) => key !== undefined)) {
    return { ...none, kind: "block", name: "a content block", choices: new Set(blocks) };
  }
  const pointers = isPointer(schema) ? [schema] : alternatives;
  if (pointers?.every(isPointer)) {
    const members = pointers.map((pointer) => pointer.properties as JsonObject);
    const choices = new Set(members.flatMap((one) => keysOf(one.contentModelKey)));
    const rest = [...new Set(members.flatMap(Object.keys))].sort().join(" ");
    return { ...none, kind: "reference", name: "a reference", choices, rest };
  }
  return {
    ...none,
    kind: "other",
    name: nameOf(schema, alternatives),
    rest: canonicalJson(bare(schema)),
  };
}

/** `{ "not": {} }`, which accepts no value, has no alternatives. */
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

/** What a schema of keys accepts: one, or a list. */
function keysOf(schema: JsonValue | undefined): string[] {
  if (!isJsonObject(schema)) return [];
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  return Object.hasOwn(schema, "const") ? [String(schema.const)] : [];
}

function nameOf(schema: JsonObject, alternatives: readonly JsonObject[] | undefined): string {
  const { type, format, properties } = alternatives?.[0] ?? schema;
  if (isJsonObject(properties)) return `an object of ${Object.keys(properties).sort().join(", ")}`;
  if (type === undefined) return "any JSON value";
  const name = Array.isArray(type) ? type.join(" or ") : String(type);
  return format === undefined ? name : `${name} (${format})`;
}

function bare(schema: JsonObject): JsonObject {
  const left = Object.entries(schema).filter(
    ([name]) =>
      name !== "title" &&
      name !== "description" &&
      !(CONSTRAINTS as readonly string[]).includes(name),
  );
  return Object.fromEntries(left);
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? "not set" : JSON.stringify(value);
}
