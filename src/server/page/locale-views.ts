import { valueIn } from "../../fields/localized.ts";
import type { JsonObject } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";

/** B2: a locale of a localized field. */
export interface LocaleUse {
  readonly locale: string;
  /** Whether a value is stored for it; null is none. */
  readonly isStored: boolean;
  /** The languages whose documents have this value, by their indexes in the view. */
  readonly servedIn: readonly number[];
  /** The languages of this locale that have no value at all. */
  readonly missingIn: readonly number[];
}

/**
 * The locales of the languages in their order, then the others that have a value.
 *
 * @param languages those in which the field is served, by their indexes in the view
 */
export function localeUses(
  stored: JsonObject,
  languages: ReadonlyMap<number, Language>,
): LocaleUse[] {
  const isStored = (locale: string) => valueIn(stored, [locale]) !== undefined;
  const chosen = Array.from(languages, ([index, language]) => {
    return { index, own: language[0], from: valueIn(stored, language)?.locale };
  });
  const indexes = (those: typeof chosen) => those.map(({ index }) => index);
  const own = chosen.flatMap((one) => one.own ?? []);
  return [...new Set([...own, ...Object.keys(stored).filter(isStored)])].map((locale) => ({
    locale,
    isStored: isStored(locale),
    servedIn: indexes(chosen.filter(({ from }) => from === locale)),
    missingIn: indexes(chosen.filter((one) => one.own === locale && one.from === undefined)),
  }));
}
