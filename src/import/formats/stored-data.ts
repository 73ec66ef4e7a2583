import { fieldType } from "../../fields/registry.ts";
import { mapTree } from "../../fields/rich-text-tree.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Block, Model } from "../../workspace/records.ts";
import { type Found, foundIn, type Member } from "./found.ts";
import { isBlank } from "./type-survey.ts";

/** A field of a model or a block, and how its values are stored. */
export interface ResolvedField {
  readonly definition: FieldDefinition;
  /** Whether a value is stored as a whole, as JSON. */
  readonly isWhole: boolean;
  /** X24: `<type>.<field>` in the export. */
  readonly place?: string;
  /** X24, X20: whether its user has said its type, and not the values or a schema of the system. */
  readonly isGiven?: boolean;
  /** Whether `--types` of the last import says so, not of this one. */
  readonly isKept?: boolean;
  /** Who says its type, for messages. */
  readonly basis?: string;
  /** Its name in the export, if it is not that of the member. */
  readonly source?: string;
  /** What an export says about it that has no equivalent (X9). */
  readonly lost?: readonly string[];
}

/** A type of an export, as a model or a block. */
export interface ResolvedType {
  readonly id: string;
  readonly key: string;
  readonly fields: ReadonlyMap<string, ResolvedField>;
  /** The members that name a document, the most telling one first. */
  readonly names: readonly string[];
  readonly omitted?: readonly string[];
}

export interface Types {
  /** X3f: of a localized value where the field is not; a value without locale is in the last of it. */
  readonly language?: Language;
  readonly all: Readonly<Record<"model" | "block", ReadonlyMap<string, ResolvedType>>>;
  model(type: string): ResolvedType;
  block(type: string): ResolvedType;
  models(): Model[];
  blocks(): Block[];
}

/** What became of a value that a field takes in another form, or not at all (X24, X24b). */
type Change = "outlier" | "text" | "list" | "blank";

export interface Changed {
  readonly field: ResolvedField;
  readonly change: Change;
  /** The member of the document that it is in. */
  readonly member: string;
  readonly locale: string | undefined;
}

export interface StoredContext {
  readonly types: Types;
  /** X24c: the id of the entry that a text names, in the stored form; undefined: none, or several. */
  readonly entryNamed?:
    | ((name: string, models: readonly string[] | undefined) => string | undefined)
    | undefined;
  /** Gets the ids of the entries that it references. */
  readonly onTarget?: (id: string) => void;
  readonly onChange?: (changed: Changed) => void;
}

/** The stored data of a document or an object. */
export function storedData(
  members: readonly Member[],
  type: ResolvedType,
  context: StoredContext,
): JsonObject {
  return new StoredData(context).of(members, type);
}

class StoredData {
  readonly #context: StoredContext;
  readonly #language: Language;
  /** Of the document. */
  #member: string | undefined;
  #locale: string | undefined;

  constructor(context: StoredContext) {
    this.#context = context;
    this.#language = context.types.language ?? [];
  }

  of(members: readonly Member[], { fields }: ResolvedType): JsonObject {
    const data: [string, JsonValue][] = [];
    const isOuter = this.#member === undefined;
    for (const [name, value] of members) {
      const field = fields.get(name);
      if (isOuter) this.#member = name;
      const stored = field && this.#inLocales(value, field);
      if (stored !== undefined) data.push([field?.definition.key ?? "", stored]);
    }
    if (isOuter) this.#member = undefined;
    return Object.fromEntries(data);
  }

  /** X3f. */
  #inLocales(value: Found, field: ResolvedField): JsonValue | undefined {
    const main = this.#language.at(-1);
    if (value.kind === "stated")
      return value.values.length === 0 ? undefined : this.#whole(value, field);
    if (field.definition.localized !== true || main === undefined) {
      const own = value.kind === "localized" ? value.values : undefined;
      const one = foundIn(value, this.#language);
      return (
        one &&
        this.#inLocale(
          this.#language.find((locale) => own?.has(locale)),
          one,
          field,
        )
      );
    }
    const values = value.kind === "localized" ? value.values : new Map([[main, value]]);
    const stored = [...values].flatMap(([locale, one]): [string, JsonValue][] => {
      const inLocale = this.#inLocale(locale, one, field);
      return inLocale === undefined ? [] : [[locale, inLocale]];
    });
    return stored.length === 0 ? undefined : Object.fromEntries(stored);
  }

  #inLocale(locale: string | undefined, value: Found, field: ResolvedField): JsonValue | undefined {
    const outer = this.#locale;
    this.#locale = locale ?? outer;
    const stored = this.#value(value, field);
    this.#locale = outer;
    return stored;
  }

  #value(value: Found, field: ResolvedField): JsonValue | undefined {
    const { definition, isWhole } = field;
    if (this.#isNone(value, field)) return undefined;
    if (isWhole) return this.#whole(value, field);
    if (value.kind !== "list") {
      const one = this.#converted(value, field);
      const fits = this.#fits(one, field);
      if (!definition.repeatable || !fits) return one;
      this.#note("list", field);
      return [one];
    }
    if (definition.repeatable) {
      const items = value.items.filter((item) => !this.#isNone(item, field));
      return items.map((item) => {
        const one = this.#converted(item, field);
        this.#fits(one, field);
        return one;
      });
    }
    // A field of single values has no value where an export has an empty list.
    if (value.items.length === 0) return undefined;
    this.#note("outlier", field);
    return written(value);
  }

  /** X24b. */
  #isNone(value: Found, field: ResolvedField): boolean {
    const { type } = field.definition;
    const isKept = type === "json" || (value.kind === "text" && type === "text");
    if (isKept || !isBlank(value)) return false;
    this.#note("blank", field);
    return true;
  }

  /** A value that is stored as a whole, as JSON. */
  #whole(value: Found, field: ResolvedField): JsonValue {
    const { type } = field.definition;
    const { onTarget } = this.#context;
    if (onTarget !== undefined && (type === "reference" || type === "rich-text")) {
      noteTargets(value.tree, onTarget);
    }
    if (value.kind === "stated") return value.tree;
    if (type === "json") return written(value);
    if (!fieldType(type).hasShape(value.tree)) this.#note("outlier", field);
    return value.tree;
  }

  /** Notes what does not. */
  #fits(stored: JsonValue, field: ResolvedField): boolean {
    const { hasShape, brokenConstraint } = fieldType(field.definition.type);
    const fits = hasShape(stored) && brokenConstraint?.(field.definition, stored) === undefined;
    if (!fits) this.#note("outlier", field);
    return fits;
  }

  /** The value as the field takes it; what it does not take stays as it is written, and is a problem (P2). */
  #converted(value: Found, field: ResolvedField): JsonValue {
    const { type, models } = field.definition as FieldDefinition & { models?: readonly string[] };
    if (type === "content-block") return this.#block(value) ?? written(value);
    if (type === "json") return written(value);
    if (value.kind === "asset" && (type === "asset" || type === "html-asset")) return value.tree;
    if (type === "reference") {
      const own =
        value.kind === "reference" ? (value.tree as { contentEntryId: string }) : undefined;
      const id = own?.contentEntryId ?? this.#named(value, models);
      if (id === undefined) return written(value);
      this.#context.onTarget?.(id);
      return { contentEntryId: id };
    }
    const own = written(value);
    if (typeof own === "object") return own;
    if (type === "text" || type === "select") {
      if (value.kind !== "text") this.#note("text", field);
      return String(own);
    }
    return (field.isGiven && typeof own === "string" ? scalar(type, own) : undefined) ?? own;
  }

  #named(value: Found, models: readonly string[] | undefined): string | undefined {
    const name = written(value);
    if (typeof name !== "string" && typeof name !== "number") return undefined;
    return this.#context.entryNamed?.(String(name), models);
  }

  #block(value: Found): JsonObject | undefined {
    const held = asBlock(value);
    // Models that are given may name blocks that the values have not.
    const block = held && this.#context.types.all.block.get(held[0]);
    return block && { contentBlockId: block.id, data: this.of(held[1], block) };
  }

  #note(change: Change, field: ResolvedField): void {
    const { onChange } = this.#context;
    onChange?.({ field, change, member: this.#member ?? "", locale: this.#locale });
  }
}

/** A value as it is written in the export: where texts name files and entries, these texts. */
function written(value: Found): JsonValue {
  if (value.kind === "list") return value.items.map(written);
  return "text" in value && value.text !== undefined ? value.text : value.tree;
}

/** X24: the number, or true or false, that a text is; undefined: none. */
function scalar(type: string, text: string): JsonValue | undefined {
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  const isNumber = type === "number" || type === "integer";
  return isNumber && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

function asBlock(value: Found): readonly [type: string, members: readonly Member[]] | undefined {
  if (value.kind === "block") return [value.type, value.members];
  if (value.kind === "reference" || value.kind === "asset") {
    return [value.as, [[value.kind, value]]];
  }
  return undefined;
}

/** The entries that a stored value names, also one with locales. */
function noteTargets(value: JsonValue, onTarget: (id: string) => void): void {
  mapTree(Array.isArray(value) ? value : [value], {
    pointer(kind, stored) {
      if (kind === "reference") onTarget(stored.contentEntryId as string);
      return stored;
    },
  });
}
