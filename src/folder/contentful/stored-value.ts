import type { JsonValue } from "../../workspace/json.ts";
import type { ContentTypeField } from "./export-file.ts";
import { type Ids, linkOf, pointerTo } from "./links.ts";
import { storedRichText } from "./rich-text.ts";

/** Converts a value. One that does not fit the field's type stays unchanged, and is a problem (P2). */
export function storedValue(field: ContentTypeField, value: JsonValue, ids: Ids): JsonValue {
  if (field.type === "RichText") return storedRichText(value, ids);
  if (field.type !== "Array") return storedOne(field.linkType, value, ids);
  if (!Array.isArray(value)) return value;
  return value.map((element) => storedOne(field.items?.linkType, element, ids));
}

function storedOne(linkType: string | undefined, value: JsonValue, ids: Ids): JsonValue {
  const link = linkOf(value);
  if (link === undefined || link.linkType !== linkType) return value;
  return pointerTo(link, ids) ?? value;
}
