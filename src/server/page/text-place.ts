import type { FieldDefinition } from "../../workspace/field.ts";
import { isJsonObject, type JsonValue, jsonPointer, ownMember } from "../../workspace/json.ts";
import type { Block, Entry, Model } from "../../workspace/records.ts";

/** Where a text of an entry is. */
export interface TextPlace {
  /** JSON Pointer into the stored data. */
  readonly path: string;
  /** The names of the field and of those of the blocks that it is in, outermost first. */
  readonly fields: readonly string[];
  /** B2: the locale of the innermost localized one. */
  readonly locale?: string;
}

/**
 * The place of the text of an entry's data that has the character at `offset`, if its texts in lower
 * case are one a line, in the order of `textOf`.
 */
export function placeOfText(
  { data }: Entry,
  offset: number,
  model: Model | undefined,
  blocks: ReadonlyMap<string, Block>,
): TextPlace {
  const path = pathAt(data, { left: offset }) ?? [];
  const fields: string[] = [];
  let locale: string | undefined;
  let defined: readonly FieldDefinition[] | undefined = model?.fields ?? [];
  let value: JsonValue | undefined = data;
  for (const [at, segment] of path.entries()) {
    if (defined !== undefined) {
      const field: FieldDefinition | undefined = defined.find(({ key }) => key === segment);
      fields.push(field?.name ?? segment);
      if (field?.localized) locale = path[at + 1];
      defined = undefined;
    } else if (segment === "data" && isJsonObject(value ?? null)) {
      const block = ownMember(value as Entry["data"], "contentBlockId");
      defined = typeof block === "string" ? (blocks.get(block)?.fields ?? []) : undefined;
    }
    value = (value as Record<string, JsonValue>)[segment];
  }
  return { path: jsonPointer(path), fields, ...(locale !== undefined && { locale }) };
}

/** The path of the text at an offset, which is counted down. */
function pathAt(value: JsonValue, offset: { left: number }): string[] | undefined {
  if (typeof value === "string" || typeof value === "number") {
    const { length } = String(value).toLowerCase();
    if (offset.left <= length) return [];
    offset.left -= length + 1;
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const found = pathAt(member, offset);
      if (found !== undefined) return [name, ...found];
    }
  }
  return undefined;
}
