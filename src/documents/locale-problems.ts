import { hasLocalized } from "../fields/localized.ts";
import type { Draft } from "../workspace/draft.ts";
import { jsonPointer } from "../workspace/json.ts";
import { isLanguageTag } from "../workspace/language.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { Project } from "../workspace/records.ts";

/** B5: a project without a locale, and locales of it that are no language tags. */
export function localeProblems(
  draft: Pick<Draft, "models" | "blocks">,
  { id, locale, fallbackLocales = [] }: Project,
): Problem[] {
  const at = (...path: (string | number)[]) => ({
    ...{ kind: "project" as const, id, path: jsonPointer(path) },
  });
  if (locale === undefined) {
    return hasLocalized(draft) ? [problem(at(), "locale-missing", {})] : [];
  }
  const named = [
    { locale, place: at("locale") },
    ...fallbackLocales.map((one, index) => ({ locale: one, place: at("fallbackLocales", index) })),
  ];
  return named
    .filter((one) => !isLanguageTag(one.locale))
    .map((one) => problem(one.place, "locale-invalid", { locale: one.locale }));
}
