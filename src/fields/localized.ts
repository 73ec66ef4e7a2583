import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Block, Model } from "../workspace/records.ts";
import { fieldType } from "./registry.ts";

/** B1: a value of a localized field in a language, with its locale; undefined: it has none. */
export function valueIn(
  stored: JsonValue | undefined,
  language: Language,
): { readonly locale: string; readonly value: JsonValue } | undefined {
  if (stored === undefined || !isJsonObject(stored)) return undefined;
  for (const locale of language) {
    const value = ownMember(stored, locale);
    if (value !== undefined && value !== null) return { locale, value };
  }
  return undefined;
}

/** The stored value of a field with another value for each of its values: one, or one for each locale. */
export function mapLocales(
  { localized }: Pick<FieldDefinition, "localized">,
  stored: JsonValue,
  change: (value: JsonValue) => JsonValue,
): JsonValue {
  if (localized !== true) return change(stored);
  if (!isJsonObject(stored)) return stored;
  const locales = Object.entries(stored);
  return Object.fromEntries(locales.map(([locale, value]) => [locale, change(value)]));
}

/**
 * The ids of the models whose entries may be served differently in each language: those with a
 * localized field, or with a field that may hold a block with one.
 */
export function localizedModels({
  models,
  blocks,
}: {
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
}): ReadonlySet<string> {
  const isLocalized = ({ localized }: FieldDefinition) => localized === true;
  // A block that a field does not accept is served in a preview, so any block counts.
  const ofBlocks = blocks.some(({ fields }) => fields.some(isLocalized));
  const differs = (field: FieldDefinition) =>
    isLocalized(field) || (ofBlocks && fieldType(field.type).holdsBlocks === true);
  return new Set(models.filter(({ fields }) => fields.some(differs)).map(({ id }) => id));
}

export function hasLocalized(definitions: Parameters<typeof localizedModels>[0]): boolean {
  const { models, blocks } = definitions;
  return [...models, ...blocks].some(({ fields }) => fields.some(({ localized }) => localized));
}
