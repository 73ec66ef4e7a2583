import { mapTree } from "../../fields/rich-text-tree.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Block, Model } from "../../workspace/records.ts";
import { type Found, foundIn, type Member } from "./found.ts";

/** A field of a model or a block, and how its values are stored. */
export interface ResolvedField {
  readonly definition: FieldDefinition;
  /** Whether a value is stored as a whole, as JSON. */
  readonly isWhole: boolean;
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

/** The stored data of a document or an object; `onTarget` gets the ids of the entries that it references. */
export function storedData(
  members: readonly Member[],
  { fields }: ResolvedType,
  types: Types,
  onTarget?: (id: string) => void,
): JsonObject {
  const data: [string, JsonValue][] = [];
  for (const [name, value] of members) {
    const field = fields.get(name);
    const stored = field && storedMember(value, field);
    if (stored !== undefined) data.push([field?.definition.key ?? "", stored]);
  }
  return Object.fromEntries(data);

  /** X3f. */
  function storedMember(value: Found, field: ResolvedField): JsonValue | undefined {
    const { language = [] } = types;
    const main = language.at(-1);
    if (value.kind === "stated") return storedValue(value, field);
    if (field.definition.localized !== true || main === undefined) {
      const one = foundIn(value, language);
      return one && storedValue(one, field);
    }
    const values = value.kind === "localized" ? value.values : new Map([[main, value]]);
    const stored = [...values].flatMap(([locale, one]): [string, JsonValue][] => {
      const inLocale = storedValue(one, field);
      return inLocale === undefined ? [] : [[locale, inLocale]];
    });
    return stored.length === 0 ? undefined : Object.fromEntries(stored);
  }

  function storedValue(
    value: Found,
    { definition, isWhole }: ResolvedField,
  ): JsonValue | undefined {
    if (value.kind === "stated" && value.values.length === 0) return undefined;
    if (isWhole) {
      const { type } = definition;
      if (onTarget !== undefined && (type === "reference" || type === "rich-text")) {
        noteTargets(value.tree, onTarget);
      }
      return value.tree;
    }
    const isList = value.kind === "list";
    // A field of single values has no value where an export has an empty list.
    if (isList && !definition.repeatable && value.items.length === 0) return undefined;
    // What contradicts a schema stays as it is, and is a problem (P2).
    if (isList !== (definition.repeatable ?? false)) return value.tree;
    if (!isList) return storedOne(value, definition.type);
    return value.items.map((item) => storedOne(item, definition.type));
  }

  function storedOne(value: Found, fieldType: string): JsonValue {
    if (fieldType === "text" && "text" in value && value.text !== undefined) return value.text;
    if (fieldType !== "content-block") {
      if (value.kind === "reference") {
        onTarget?.((value.tree as { contentEntryId: string }).contentEntryId);
      }
      return value.tree;
    }
    const held = asBlock(value);
    if (held === undefined) return value.tree;
    const [name, members] = held;
    const block = types.block(name);
    return { contentBlockId: block.id, data: storedData(members, block, types, onTarget) };
  }
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
