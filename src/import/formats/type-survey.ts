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

interface Tally {
  count: number;
  readonly example: string;
}

/** How many values there are of each kind, and one record that has one; 0: of the schema only. */
export type Kinds = ReadonlyMap<Kind, Tally>;

/** X24a: of a field of which fewer values than one in four are lists, these are no reason for lists. */
const LISTS_ONE_IN = 4;

export class FieldSurvey {
  readonly #singles = new Map<Kind, Tally>();
  readonly #items = new Map<Kind, Tally>();
  readonly dates = new DateType();
  readonly blocks = new Set<string>();
  /** Of references and assets: the blocks that hold them where there are blocks beside them. */
  readonly wrappers = new Map<string, "reference" | "asset">();
  readonly targets = new Set<string>();
  options: Readonly<Record<string, JsonValue>> = {};
  /** Whether each pointer has a text for where other texts are. */
  canBeTexts = true;
  /** What a schema alone says; undefined: nothing. */
  expected: FieldSurvey | undefined;

  /** X3f: whether values differ by locale. */
  isLocalized = false;

  /** How many values it has; a list is one. */
  values = 0;
  /** X9: how many are left out, by locale. */
  readonly others = new Map<string, number>();
  #lists = 0;
  #alone = 0;
  #hasBlanks = false;

  add(value: Found, example: string): void {
    if (value.kind === "stated") {
      this.values += value.values.length;
      for (const locale of value.others)
        this.others.set(locale, (this.others.get(locale) ?? 0) + 1);
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
      if (!isBlank(value)) this.#alone += 1;
      this.#addOne(this.#singles, value, example);
      return;
    }
    // An empty list fits any repeatable field, and a rich text.
    if (value.items.length > 0) this.#lists += 1;
    for (const item of value.items) {
      if (isOne(item)) this.#addOne(this.#items, item, example);
      else count(this.#items, "json", example);
    }
  }

  #addOne(kinds: Map<Kind, Tally>, value: One, example: string): void {
    if (value.kind === "text" && value.format !== undefined) {
      this.options = { ...this.options, format: value.format };
    }
    if (isBlank(value)) this.#hasBlanks ||= value.kind === "text";
    else count(kinds, value.kind, example);
    if (value.kind === "block") this.blocks.add(value.type);
    if (value.kind === "text") this.dates.add(value.tree);
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
    if (isList) this.#lists += 1;
    else this.#alone += 1;
    const kinds = isList ? this.#items : this.#singles;
    if (!kinds.has(kind)) kinds.set(kind, { count: 0, example: "" });
    if (as !== undefined && (kind === "reference" || kind === "asset")) this.wrappers.set(as, kind);
    const known = kind === "block" ? this.blocks : this.targets;
    for (const type of types) known.add(type);
    this.options = { ...this.options, ...options };
  }

  get hasLists(): boolean {
    return this.#lists > 0;
  }

  /** Whether there are lists, and single values too. */
  get isMixed(): boolean {
    return this.#lists > 0 && this.#alone > 0;
  }

  get isRepeatable(): boolean {
    return this.#lists > 0 && this.#lists * LISTS_ONE_IN >= this.#lists + this.#alone;
  }

  /** Of all values, and of the items of lists. */
  get kinds(): Kinds {
    return this.#or(merged(this.#singles, this.#items));
  }

  /** X24a: without those of the few lists of a field of single values. */
  get deciding(): Kinds {
    return this.isRepeatable ? this.kinds : this.#or(this.#singles);
  }

  #or(kinds: Kinds): Kinds {
    return kinds.size === 0 && this.#hasBlanks
      ? new Map([["text", { count: 1, example: "" }]])
      : kinds;
  }
}

function count(kinds: Map<Kind, Tally>, kind: Kind, example: string): void {
  const known = kinds.get(kind);
  if (known === undefined || known.count === 0) kinds.set(kind, { count: 1, example });
  else known.count += 1;
}

function merged(some: Kinds, others: Kinds): Kinds {
  const all = new Map(some);
  for (const [kind, { count, example }] of others) {
    const known = all.get(kind);
    const first = known === undefined || known.count === 0 ? example : known.example;
    all.set(kind, { count: count + (known?.count ?? 0), example: first });
  }
  return all;
}

type One = Extract<Found, { kind: Kind }>;

function isOne(value: Found): value is One {
  return value.kind !== "list" && value.kind !== "localized" && value.kind !== "stated";
}

/** X24b: what is no value in a field of another type than text: an empty text, and null in a list. */
export function isBlank(value: Found): boolean {
  if (value.kind === "json") return value.tree === null;
  return value.kind === "text" && typeof value.tree === "string" && value.tree.trim() === "";
}

const DATE_TYPES = ["date-time", "date", "iso-date"] as const;

/** No date is longer. */
const LONGEST_DATE = 64;

/**
 * The type that fits all values of a date field, or most of them. Contentful accepts dates without time,
 * seconds or zone (V13), and values are served as stored, so a field with what is no date becomes a text.
 */
class DateType {
  readonly #fits = new Map(DATE_TYPES.map((type) => [type, 0]));
  #count = 0;

  add(value: JsonValue): void {
    if (typeof value === "string" && value.trim() === "") return;
    this.#count += 1;
    if (typeof value === "string" && value.length > LONGEST_DATE) return;
    for (const type of DATE_TYPES) {
      const { hasShape, brokenConstraint } = fieldType(type);
      const fits = hasShape(value) && brokenConstraint?.({ key: "", type }, value) === undefined;
      if (fits) this.#fits.set(type, (this.#fits.get(type) ?? 0) + 1);
    }
  }

  get ofAll(): (typeof DATE_TYPES)[number] | "text" {
    return DATE_TYPES.find((type) => this.#fitting(type) === this.#count) ?? "text";
  }

  /** X24a: a date of another form is no mistake, so that the type is that of all forms. */
  ofMost(total: number): (typeof DATE_TYPES)[number] | "text" {
    const dates = this.#fitting("iso-date");
    return (
      DATE_TYPES.find((type) => 2 * this.#fitting(type) > total && this.#fitting(type) >= dates) ??
      "text"
    );
  }

  #fitting(type: (typeof DATE_TYPES)[number]): number {
    return this.#fits.get(type) ?? 0;
  }
}

export type TypeFields = Map<string, FieldSurvey>;

/** What is known about the types of an export: of its documents, and of the objects in them. */
export class TypeSurvey {
  readonly models = new Map<string, TypeFields>();
  readonly blocks = new Map<string, TypeFields>();
  /** X3f: how many values there are in each locale, by their fields. */
  readonly locales = new Map<string, Map<string, number>>();

  add({ id, type, members }: FoundDocument): void {
    this.#addMembers(type, fieldsOf(this.models, type), members, id);
  }

  #addMembers(type: string, fields: TypeFields, members: readonly Member[], example: string): void {
    for (const [name, value] of members) {
      fieldOf(fields, name).add(value, example);
      this.#addBlocks(value, example);
      if (value.kind !== "localized") continue;
      for (const locale of value.values.keys()) {
        const places = this.locales.get(locale) ?? new Map<string, number>();
        const place = `${type}.${name}`;
        this.locales.set(locale, places.set(place, (places.get(place) ?? 0) + 1));
      }
    }
  }

  #addBlocks(value: Found, example: string): void {
    if (value.kind === "block") {
      this.#addMembers(value.type, fieldsOf(this.blocks, value.type), value.members, example);
    } else if (value.kind === "list") {
      for (const item of value.items) if (item.kind === "block") this.#addBlocks(item, example);
    } else if (value.kind === "localized") {
      for (const one of value.values.values()) this.#addBlocks(one, example);
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
export function kindsText({ kinds, isMixed }: FieldSurvey): string {
  const texts = [...kinds].map(([kind, { count, example }]) =>
    count === 0 ? `${kind} (by the schema)` : `${kind} (${count}, e.g. in ${example})`,
  );
  return [...texts, ...(isMixed ? ["single values and lists"] : [])].join(", ");
}
