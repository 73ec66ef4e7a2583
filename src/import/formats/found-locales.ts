import { UsageError } from "../../workspace/errors.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Notes } from "./notes.ts";
import type { TypeSurvey } from "./type-survey.ts";

/** X3f: the locales of an export that states no types, as its values have them. */
export interface FoundLocales {
  /** The locale that was named, then the main one, in which are the values that have no locale. */
  readonly language: Language;
  /** X3a: of the projects, the main one first; none: the export has one locale, or one was named. */
  readonly languages: readonly Language[];
}

/**
 * @param main the locale of values without one; undefined: the one that has the most values.
 * @throws UsageError for a requested locale that the export does not have.
 */
export function foundLocales(
  { locales }: TypeSurvey,
  { main: given, requested }: { main: string | undefined; requested: string | undefined },
  notes: Notes,
): FoundLocales {
  const counts = Array.from(locales, ([locale, fields]) => {
    return [locale, [...fields.values()].reduce((sum, one) => sum + one, 0)] as const;
  });
  const [most] = counts.sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b));
  const main = given ?? most?.[0];
  const known = [...new Set([...(main === undefined ? [] : [main]), ...locales.keys()])];
  if (requested !== undefined && !known.includes(requested)) {
    const hint = `it has: ${known.join(", ") || "none"}`;
    throw new UsageError(`the export has no locale "${requested}"`, hint);
  }
  if (main === undefined) return { language: [], languages: [] };
  const others = [...locales.keys()].filter((one) => one !== main).sort(byCodeUnit);
  if (requested === undefined) {
    const languages = [[main], ...others.map((one) => [one, main])];
    return { language: [main], languages: others.length > 0 ? languages : [] };
  }
  for (const one of others) {
    if (one === requested) continue;
    for (const [field, times] of locales.get(one) ?? []) {
      notes.leaveOut(`values in the locale ${one}`, times, field);
    }
  }
  return { language: [...new Set([requested, main])], languages: [] };
}
