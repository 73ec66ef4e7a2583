import { asset, htmlAsset } from "./asset.ts";
import { contentBlock } from "./content-block.ts";
import type { FieldType } from "./field-type.ts";
import { date, dateTime, email, url } from "./formatted.ts";
import { isoDate } from "./iso-date.ts";
import { reference } from "./reference.ts";
import { richText } from "./rich-text.ts";
import { boolean, integer, json, number, select } from "./scalars.ts";
import { text } from "./text.ts";

/** Every type of field. A new one is a file beside this one and a line here. */
const TYPES: readonly FieldType[] = [
  text,
  select,
  number,
  integer,
  boolean,
  date,
  dateTime,
  isoDate,
  url,
  email,
  json,
  asset,
  htmlAsset,
  contentBlock,
  reference,
  richText,
] as readonly FieldType[];

export const FIELD_TYPES: ReadonlyMap<string, FieldType> = new Map(
  TYPES.map((type) => [type.name, type]),
);

/** The type of a field by its name, which the import has checked. */
export function fieldType(name: string): FieldType {
  const type = FIELD_TYPES.get(name);
  if (type === undefined) throw new TypeError(`unknown field type "${name}"`);
  return type;
}
