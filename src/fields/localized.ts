import { askedKeys } from "../workspace/conditions.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Block, Model } from "../workspace/records.ts";
import { queryOf } from "./reference.ts";
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
 * localized field, with a query that looks at one, or with a field that may hold a block with such a field.
 */
export function localizedModels(definitions: Definitions): ReadonlySet<string> {
  const isLocalized = (field: FieldDefinition) =>
    field.localized === true || asksLocalized(field, definitions.models);
  return modelsWith(definitions, isLocalized);
}

/** Q1: the ids of the models whose entries may have a query, of their own or in a block. */
export function modelsWithQueries(definitions: Definitions): ReadonlySet<string> {
  return modelsWith(definitions, (field) => queryOf(field) !== undefined);
}

interface Definitions {
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
}

/** The ids of the models with such a field, or with one that may hold a block with such a field. */
function modelsWith(
  { models, blocks }: Definitions,
  isSuch: (field: FieldDefinition) => boolean,
): ReadonlySet<string> {
  // A block that a field does not accept is served in a preview, so any block counts.
  const ofBlocks = blocks.some(({ fields }) => fields.some(isSuch));
  const has = (field: FieldDefinition) =>
    isSuch(field) || (ofBlocks && fieldType(field.type).holdsBlocks === true);
  return new Set(models.filter(({ fields }) => fields.some(has)).map(({ id }) => id));
}

/** Q3. */
function asksLocalized(field: FieldDefinition, models: readonly Model[]): boolean {
  const query = queryOf(field);
  if (query === undefined) return false;
  const keys = new Set(askedKeys(query));
  const isAsked = ({ key, localized }: FieldDefinition) => localized === true && keys.has(key);
  return models.some(({ fields }) => fields.some(isAsked));
}

export function hasLocalized(definitions: Definitions): boolean {
  const { models, blocks } = definitions;
  return [...models, ...blocks].some(({ fields }) => fields.some(({ localized }) => localized));
}
