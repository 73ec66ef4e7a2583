import { queryOf } from "../../fields/reference.ts";
import { isEditable, valueAt } from "../../page/edited.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { isLanguageTag } from "../../workspace/language.ts";
import type { Block } from "../../workspace/records.ts";

type Blocks = ReadonlyMap<string, Block>;

/** Fields of an entry, or of a block in it, with their stored values. */
export interface EditedFields {
  readonly fields: readonly FieldDefinition[];
  readonly data: JsonObject;
  /** Of what has them. */
  readonly path: readonly string[];
  /** The one that the path names, and the locale behind it. */
  readonly field?: FieldDefinition;
  readonly locale?: string;
}

/** A field with its stored value in one locale. */
export interface EditedField {
  readonly field: FieldDefinition;
  /** With the locale behind that of a localized field. */
  readonly path: readonly string[];
  /** Of a localized field. */
  readonly locale: string | undefined;
  readonly value: JsonValue;
}

/** Those that are. */
export function editedOf(fields: readonly FieldDefinition[]): readonly FieldDefinition[] {
  return fields.filter((one) => isEditable(one.type, queryOf(one) !== undefined));
}

/**
 * What is edited at a path of stored data: one field, or all fields of an entry or of a block; undefined: the path leads to
 * nothing that is.
 */
export function editedFields(
  { fields, data, path }: EditedFields,
  [key, ...way]: readonly string[],
  blocks: Blocks,
): EditedFields | undefined {
  const edited = editedOf(fields);
  if (key === undefined) return { fields: edited, data, path };
  const field = edited.find((one) => one.key === key);
  if (field === undefined) return undefined;
  const locale = field.localized ? way.shift() : undefined;
  if (locale !== undefined && !isLanguageTag(locale)) return undefined;
  if (way.length === 0) return { fields: [field], field, data, path, ...(locale && { locale }) };
  const to = [key, ...(locale === undefined ? [] : [locale])];
  if (field.repeatable) to.push(way.shift() ?? "");
  const block = valueAt(data, to) ?? null;
  if (field.type !== "content-block" || way.shift() !== "data" || !isJsonObject(block)) {
    return undefined;
  }
  const inner = blocks.get(String(block.contentBlockId))?.fields ?? [];
  const own = ownMember(block, "data") ?? null;
  const of = { fields: inner, data: isJsonObject(own) ? own : {}, path: [...path, ...to, "data"] };
  return editedFields(of, way, blocks);
}

/** The field whose value is at a path; undefined: that is not edited. */
export function editedField(
  of: EditedFields,
  path: readonly string[],
  blocks: Blocks,
): EditedField | undefined {
  const { field, data, locale } = editedFields(of, path, blocks) ?? of;
  if (field === undefined) return undefined;
  const stored = ownMember(data, field.key) ?? null;
  if (!field.localized) return { field, path, locale, value: stored };
  // B5a: values that are not by locale are not understood here.
  if (locale === undefined || (stored !== null && !isJsonObject(stored))) return undefined;
  return { field, path, locale, value: (stored && ownMember(stored, locale)) ?? null };
}
