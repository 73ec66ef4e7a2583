import { fieldType } from "../../fields/registry.ts";
import type { JsonValue } from "../../workspace/json.ts";
import type { Found, FoundDocument, Kind, Member } from "./found.ts";

/** What a schema says about a field, beside the values that it has. */
export interface Expected {
  readonly kind: Kind;
  readonly isList?: boolean;
  /** The types of blocks, or of the targets of references. */
  readonly types?: readonly string[];
  /** The block that holds it where other blocks are beside it. */
  readonly as?: string;
  /** Further members of the field's definition. */
  readonly options?: Readonly<Record<string, JsonValue>>;
}

export class FieldSurvey {
  /** How many values there are of each kind, and one record that has one; 0: of the schema only. */
  readonly kinds = new Map<Kind, { count: number; example: string }>();
  readonly dates = new DateType();
  readonly blocks = new Set<string>();
  /** Of references and assets: the blocks that hold them where there are blocks beside them. */
  readonly wrappers = new Map<string, "reference" | "asset">();
  readonly targets = new Set<string>();
  options: Readonly<Record<string, JsonValue>> = {};
  hasLists = false;
  hasSingles = false;
  /** Whether each pointer has a text for where other texts are. */
  canBeTexts = true;
  /** What a schema alone says; undefined: nothing. */
  expected: FieldSurvey | undefined;

  /** X3f: whether values differ by locale. */
  isLocalized = false;

  /** How many values it has, and how many are left out; a list is one. */
  values = 0;
  others = 0;

  add(value: Found, example: string): void {
    if (value.kind === "stated") {
      this.values += value.values.length;
      this.others += value.others;
      for (const one of value.values) {
        for (const text of Array.isArray(one) ? one : [one]) this.dates.add(text);
      }
      return;
    }
    if (value.kind === "localized") {
      this.isLocalized = true;
      for (const one of value.values.values()) this.add(one, example);
      return;
    }
    this.values += 1;
    if (value.kind !== "list") {
      this.hasSingles = true;
      this.#addOne(value, example);
      return;
    }
    // An empty list fits any repeatable field, and a rich text.
    if (value.items.length > 0) this.hasLists = true;
    for (const item of value.items) {
      if (isOne(item)) this.#addOne(item, example);
      else this.#count("json", example);
    }
  }

  #addOne(value: Extract<Found, { kind: Kind }>, example: string): void {
    this.#count(value.kind, example);
    if (value.kind === "block") this.blocks.add(value.type);
    if (value.kind === "text") {
      this.dates.add(value.tree);
      if (value.format !== undefined) this.options = { ...this.options, format: value.format };
    }
    if (value.kind === "reference" || value.kind === "asset") {
      this.wrappers.set(value.as, value.kind);
      this.canBeTexts &&= value.text !== undefined;
    }
  }

  expect(expected: Expected): void {
    this.expected ??= new FieldSurvey();
    this.expected.#expect(expected);
    this.#expect(expected);
  }

  #expect({ kind, isList = false, types = [], as, options = {} }: Expected): void {
    if (isList) this.hasLists = true;
    else this.hasSingles = true;
    if (!this.kinds.has(kind)) this.kinds.set(kind, { count: 0, example: "" });
    if (as !== undefined && (kind === "reference" || kind === "asset")) this.wrappers.set(as, kind);
    const known = kind === "block" ? this.blocks : this.targets;
    for (const type of types) known.add(type);
    this.options = { ...this.options, ...options };
  }

  #count(kind: Kind, example: string): void {
    const known = this.kinds.get(kind);
    if (known === undefined || known.count === 0) this.kinds.set(kind, { count: 1, example });
    else known.count += 1;
  }
}

function isOne(value: Found): value is Extract<Found, { kind: Kind }> {
  return value.kind !== "list" && value.kind !== "localized" && value.kind !== "stated";
}

const DATE_TYPES = ["date-time", "date"] as const;

/**
 * The type that fits all values of a date field. Contentful accepts dates without time, seconds or
 * zone, and values are served as stored, so a field with other forms becomes a text.
 */
class DateType {
  #fitting: readonly (typeof DATE_TYPES)[number][] = DATE_TYPES;

  add(value: JsonValue): void {
    if (this.#fitting.length === 0) return;
    this.#fitting = this.#fitting.filter((type) => {
      const { hasShape, brokenConstraint } = fieldType(type);
      return hasShape(value) && brokenConstraint?.({ key: "", type }, value) === undefined;
    });
  }

  get type(): "date" | "date-time" | "text" {
    return this.#fitting[0] ?? "text";
  }
}

export type TypeFields = Map<string, FieldSurvey>;

/** What is known about the types of an export: of its documents, and of the objects in them. */
export class TypeSurvey {
  readonly models = new Map<string, TypeFields>();
  readonly blocks = new Map<string, TypeFields>();
  /** X3f: how many values there are in each locale. */
  readonly locales = new Map<string, number>();

  add({ id, type, members }: FoundDocument): void {
    this.#addMembers(fieldsOf(this.models, type), members, id);
  }

  #addMembers(fields: TypeFields, members: readonly Member[], example: string): void {
    for (const [name, value] of members) {
      fieldOf(fields, name).add(value, example);
      this.#addBlocks(value, example);
    }
  }

  #addBlocks(value: Found, example: string): void {
    if (value.kind === "block") {
      this.#addMembers(fieldsOf(this.blocks, value.type), value.members, example);
    } else if (value.kind === "list") {
      for (const item of value.items) if (item.kind === "block") this.#addBlocks(item, example);
    } else if (value.kind === "localized") {
      for (const [locale, one] of value.values) {
        this.locales.set(locale, (this.locales.get(locale) ?? 0) + 1);
        this.#addBlocks(one, example);
      }
    }
  }
}

export function fieldsOf(types: Map<string, TypeFields>, type: string): TypeFields {
  const known = types.get(type) ?? new Map<string, FieldSurvey>();
  types.set(type, known);
  return known;
}

export function fieldOf(fields: TypeFields, name: string): FieldSurvey {
  const known = fields.get(name) ?? new FieldSurvey();
  fields.set(name, known);
  return known;
}

/** How many values a field has of each kind, with a record that has one. */
export function kindsText({ kinds, hasLists, hasSingles }: FieldSurvey): string {
  const texts = [...kinds].map(([kind, { count, example }]) =>
    count === 0 ? `${kind} (by the schema)` : `${kind} (${count}, e.g. in ${example})`,
  );
  return [...texts, ...(hasLists && hasSingles ? ["single values and lists"] : [])].join(", ");
}
