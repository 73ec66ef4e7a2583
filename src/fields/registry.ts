import { asset } from "./asset.ts";
import { boolean } from "./boolean.ts";
import { contentBlock } from "./content-block.ts";
import { date } from "./date.ts";
import { dateTime } from "./date-time.ts";
import { email } from "./email.ts";
import type { FieldType } from "./field-type.ts";
import { htmlAsset } from "./html-asset.ts";
import { integer } from "./integer.ts";
import { json } from "./json.ts";
import { number } from "./number.ts";
import { reference } from "./reference.ts";
import { richText } from "./rich-text.ts";
import { select } from "./select.ts";
import { text } from "./text.ts";
import { url } from "./url.ts";

/** Every type of field. A new one is a file beside this one and a line here. */
const TYPES: readonly FieldType[] = [
  text,
  select,
  number,
  integer,
  boolean,
  date,
  dateTime,
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
