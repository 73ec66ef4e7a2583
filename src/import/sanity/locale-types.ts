import { isLanguageTag } from "../../workspace/language.ts";

/** X13a: the items of lists of Sanity's plugin for translated fields: a value with its locale. */
export function isLocaleItemType(type: string | undefined): boolean {
  return /^internationalizedArray.*Value$/.test(type ?? "");
}

/** Sanity's documentation calls such types `localeString`, `localizedText` and so on. */
const LOCALE_TYPE = /^(?:locale|locali[sz]ed|i18n|intl|translated)(?![a-z])/;

/** X13a: the members of an object that has a value for each locale; undefined: it is none. */
export function localeNames(
  type: string | undefined,
  members: readonly string[],
): string[] | undefined {
  const names = members.filter((name) => !name.startsWith("_"));
  const isOne = LOCALE_TYPE.test(type ?? "") && names.length > 0 && names.every(isLocale);
  return isOne ? names : undefined;
}

function isLocale(name: string): boolean {
  const tag = name.replaceAll("_", "-");
  return /^[a-z]{2,3}(?:-|$)/i.test(tag) && isLanguageTag(tag);
}
