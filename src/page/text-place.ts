import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonValue, jsonPointer, ownMember } from "../workspace/json.ts";
import type { Block, Entry, Model } from "../workspace/records.ts";

export interface TextPlace {
  /** JSON Pointer into the stored data. */
  readonly path: string;
  /** The names of the field and of those of the blocks that it is in, outermost first. */
  readonly fields: readonly string[];
  /** B2: the locale of the innermost localized one. */
  readonly locale?: string;
}

/** The place of a path into the data of an entry, in words. */
export function placeOf(
  { data }: Entry,
  path: readonly string[],
  model: Model | undefined,
  blocks: ReadonlyMap<string, Block>,
): TextPlace {
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
