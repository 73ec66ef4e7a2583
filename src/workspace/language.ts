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

/** H49: in the order in which they are meant for all: the one that most projects use comes first. */
export function byUse(
  languages: readonly Language[],
  projects: readonly ProjectLocales[],
): Language[] {
  const all = projects.map(languageOf);
  const uses = ([own]: Language) => all.filter((one) => own && one.includes(own)).length;
  return languages.toSorted((a, b) => uses(b) - uses(a));
}

/** H49: the language in which texts are written first, of which the others are translations. */
export function mainLanguage(projects: readonly ProjectLocales[]): Language {
  return byUse(projects.map(languageOf), projects)[0] ?? NO_LANGUAGE;
}

/** "de" of "de-AT". */
export function languageSubtag(locale: string): string {
  return locale.toLowerCase().split(/[-_]/, 1)[0] as string;
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

/** Without `id`, which records have as a member. */
const LOCALE_NAME = /^(?!id$)[a-z]{2,3}([-_][a-z0-9]+)*$/i;

/**
 * B5a: whether these names are all locales, and one at least of a language of projects.
 *
 * @param locales those of projects
 */
export function areLocales(names: readonly string[], locales: ReadonlySet<string>): boolean {
  if (!names.every((name) => locales.has(name) || LOCALE_NAME.test(name))) return false;
  const own = new Set([...locales].map(languageSubtag));
  return names.some((name) => own.has(languageSubtag(name)));
}
