import { queryOf } from "../../fields/reference.ts";
import { isEditable } from "../../page/edited.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { isLanguageTag } from "../../workspace/language.ts";
import type { Block } from "../../workspace/records.ts";

/** A field of an entry, or of a block in it, with its stored value in one locale. */
export interface EditedField {
  readonly field: FieldDefinition;
  /** With the locale behind that of a localized field. */
  readonly path: readonly string[];
  /** Of a localized field. */
  readonly locale: string | undefined;
  readonly value: JsonValue;
}

/**
 * The field whose values are at a path of stored data; undefined: the path leads to none that is edited.
 * Blocks of a list are moved and removed, but not changed with it.
 *
 * @param ownLocale of a localized field, where the path has none
 */
export function editedField(
  fields: readonly FieldDefinition[],
  stored: JsonObject,
  [key = "", ...path]: readonly string[],
  blocks: ReadonlyMap<string, Block>,
  ownLocale?: string,
): EditedField | undefined {
  const field = fields.find((one) => one.key === key);
  if (field === undefined) return undefined;
  let value: JsonValue = ownMember(stored, key) ?? null;
  let locale: string | undefined;
  const way = [key];
  if (field.localized) {
    locale = path.shift() ?? ownLocale;
    if (locale === undefined || !isLanguageTag(locale)) return undefined;
    // B5a: values that are not by locale are not understood here.
    if (value !== null && !isJsonObject(value)) return undefined;
    value = (value && ownMember(value, locale)) ?? null;
    way.push(locale);
  }
  const isBlock = field.type === "content-block";
  if (path.length === 0) {
    const isList = field.repeatable === true;
    const isEdited = isEditable(field.type, isList, queryOf(field) !== undefined);
    return isEdited ? { field, path: way, locale, value } : undefined;
  }
  const index = field.repeatable ? path.shift() : "";
  const block = Array.isArray(value) ? (value as readonly JsonValue[])[Number(index)] : value;
  if (!isBlock || path.shift() !== "data" || !isJsonObject(block ?? null)) return undefined;
  const { contentBlockId, data } = block as JsonObject;
  const inner = blocks.get(String(contentBlockId))?.fields ?? [];
  const found = isJsonObject(data) && editedField(inner, data, path, blocks, ownLocale);
  const inside = field.repeatable ? [...way, String(index), "data"] : [...way, "data"];
  return found ? { ...found, path: [...inside, ...found.path] } : undefined;
}

/** Data with another value at a path. Null removes it, and the object of a locale that was its last. */
export function withValueAt(data: JsonObject, { path, locale, value }: EditedField): JsonObject {
  const after = placed(data, path, value) as JsonObject;
  const around = path.slice(0, -1);
  const isEmpty = (one: JsonValue | undefined) =>
    isJsonObject(one ?? null) && Object.keys(one as JsonObject).length === 0;
  const isLast = locale !== undefined && value === null && isEmpty(valueAt(after, around));
  return isLast ? (placed(after, around, null) as JsonObject) : after;
}

function valueAt(data: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((holder, segment) => {
    if (Array.isArray(holder)) return (holder as readonly JsonValue[])[Number(segment)];
    return isJsonObject(holder) ? ownMember(holder, segment) : undefined;
  }, data);
}

function placed(
  holder: JsonValue | undefined,
  [segment, ...path]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (segment === undefined) return value;
  if (Array.isArray(holder)) {
    const list = holder as readonly JsonValue[];
    return list.with(Number(segment), placed(list[Number(segment)], path, value));
  }
  const object = isJsonObject(holder ?? null) ? (holder as JsonObject) : {};
  if (path.length > 0 || value !== null) {
    return { ...object, [segment]: placed(ownMember(object, segment), path, value) };
  }
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== segment));
}
