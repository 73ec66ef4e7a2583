import { byCodeUnit } from "./json.ts";
import type { ProjectLocales } from "./records.ts";

/** B1: the locales of which the first that has a value is served; none: no localized value is. */
export type Language = readonly string[];

export const NO_LANGUAGE: Language = [];

export function languageOf({ locale, fallbackLocales = [] }: ProjectLocales): Language {
  return locale === undefined ? NO_LANGUAGE : [locale, ...fallbackLocales];
}

/** Equal for equal languages. */
export function languageKey(language: Language): string {
  return JSON.stringify(language);
}

/** B1: the languages of projects, each once, in an order that depends on them only. */
export function languagesOf(projects: readonly ProjectLocales[]): Language[] {
  return distinctLanguages(projects.map(languageOf));
}

/** Each once, in an order that depends on them only. */
function distinctLanguages(languages: Iterable<Language>): Language[] {
  const byKey = new Map(Array.from(languages, (one) => [languageKey(one), one]));
  return [...byKey].sort(([a], [b]) => byCodeUnit(a, b)).map(([, language]) => language);
}

/** B5: whether it is a language tag by BCP 47. */
export function isLanguageTag(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
