import { valueIn } from "../fields/localized.ts";
import { fieldType } from "../fields/registry.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
} from "../workspace/json.ts";
import { type Language, languageSubtag } from "../workspace/language.ts";
import type { Block, Publishing } from "../workspace/records.ts";
import { shownLanguage } from "./hidden-entries.ts";

/** In ascending order of weight: the heaviest of an entry's values is the state of the entry. */
const [NONE, COMPLETE, FALLBACK, MISSING] = [0, 1, 2, 3] as const;
type State = typeof NONE | typeof COMPLETE | typeof FALLBACK | typeof MISSING;

/**
 * H73: whether only other languages have one of its values: what falls back to German is not missing in Austrian
 * German, but what falls back to English is.
 */
export function isUntranslated(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  { language: all, blocks, publishing }: Context & { readonly publishing: Publishing | undefined },
): boolean {
  const own = all.filter((locale) => languageSubtag(locale) === languageSubtag(all[0] ?? ""));
  const language = shownLanguage(publishing, own);
  return translationOf(fields, data, { language, blocks }) === MISSING;
}

interface Context {
  readonly language: Language;
  readonly blocks: ReadonlyMap<string, Block>;
}

/** P14: how far the localized values of a record are translated. One that no locale has is neither translated nor missing. */
export function translationOf(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  context: Context,
): State {
  let state: State = NONE;
  for (const { key, type, localized } of fields) {
    let value = ownMember(data, key) ?? null;
    if (localized) {
      if (!isJsonObject(value) || Object.values(value).every((one) => one === null)) continue;
      const found = valueIn(value, context.language);
      if (found === undefined) return MISSING;
      state = heavier(state, found.locale === context.language[0] ? COMPLETE : FALLBACK);
      value = found.value;
    }
    if (fieldType(type).holdsBlocks) state = heavier(state, stateOfBlocks(value, context));
  }
  return state;
}

/** Of the blocks in a list or in rich text, at any depth. */
function stateOfBlocks(value: JsonValue, context: Context): State {
  if (typeof value !== "object" || value === null) return NONE;
  if (isJsonObject(value) && typeof value.contentBlockId === "string") {
    const { data = null } = value;
    const fields = context.blocks.get(value.contentBlockId)?.fields ?? [];
    return isJsonObject(data) ? translationOf(fields, data, context) : NONE;
  }
  let state: State = NONE;
  for (const member of Object.values(value)) state = heavier(state, stateOfBlocks(member, context));
  return state;
}

/** The values of a localized field of a record or of a block in it, by locale. */
export interface LocalizedValue {
  /** Which field of which block in which: the same wherever a block is moved to. */
  readonly field: string;
  /** JSON Pointer into the data. */
  readonly path: string;
  readonly values: JsonObject;
}

/** Those of a record, in its blocks at any depth too; none of a block that is itself in one language. */
export function localizedValues(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  blocks: ReadonlyMap<string, Block>,
): LocalizedValue[] {
  const found: LocalizedValue[] = [];
  const inFields = (those: readonly FieldDefinition[], of: JsonObject, way: Way) => {
    for (const { key, type, localized } of those) {
      const value = ownMember(of, key) ?? null;
      const here = { field: `${way.field}/${key}`, path: [...way.path, key] };
      if (!localized) {
        if (fieldType(type).holdsBlocks) inValue(value, here);
      } else if (isJsonObject(value)) {
        found.push({ field: here.field, path: jsonPointer(here.path), values: value });
      }
    }
  };
  const inValue = (value: JsonValue, { field, path }: Way) => {
    if (typeof value !== "object" || value === null) return;
    if (isJsonObject(value) && typeof value.contentBlockId === "string") {
      const { contentBlockId: id, data: inner = null } = value;
      const way = { field: `${field} ${id}`, path: [...path, "data"] };
      if (isJsonObject(inner)) inFields(blocks.get(id)?.fields ?? [], inner, way);
      return;
    }
    for (const [name, one] of Object.entries(value)) inValue(one, { field, path: [...path, name] });
  };
  inFields(fields, data, { field: "", path: [] });
  return found;
}

interface Way {
  readonly field: string;
  readonly path: readonly string[];
}

function heavier(a: State, b: State): State {
  return a > b ? a : b;
}
