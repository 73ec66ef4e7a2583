import type { DescribedProblem as Problem } from "../../../workspace/problem-messages.ts";
import type { LanguageView } from "../draft-state.ts";
import type { EntryView } from "../entry-view.ts";
import type { LocaleView, ValueView } from "../field-views.ts";
import { type Child, el } from "./element.ts";
import { code, problemNotes } from "./parts.ts";
import { viewHref } from "./router.ts";
import { listed } from "./words.ts";

/**
 * What is shown beside the fields: the problems of the same record, and the languages to which its
 * localized fields refer.
 */
export type Beside = { problems: readonly Problem[]; languages: readonly LanguageView[] };

export function localeList(
  locales: readonly LocaleView[],
  { problems, languages }: Beside,
  shown: (values: readonly ValueView[]) => Child,
) {
  return el(
    "ul.locales",
    locales.map((one) => {
      const { locale, path, isStored, values } = one;
      const here = problems.filter(({ at }) => at.path === path);
      return el(
        "li",
        { "data-key": path, "data-path": path, tabindex: -1 },
        el("p.locale", code(locale), el("span", useText(one, languages))),
        isStored && el("div", { lang: locale }, shown(values)),
        problemNotes(here),
      );
    }),
  );
}

function useText(
  { locale, isStored, servedIn, missingIn }: LocaleView,
  languages: readonly LanguageView[],
) {
  if (missingIn.length > 0) return "no value, and none of a fallback locale";
  if (!isStored) return "no value, so one of a fallback locale is served";
  if (servedIn.length === 0) return "not served in any project";
  const others = servedIn.map((index) => languages[index]?.locale ?? locale);
  const fallbacks = new Set(others.filter((other) => other !== locale));
  return fallbacks.size === 0 ? "" : `fallback of ${listed([...fallbacks])}`;
}

/** "de-AT, else de, en". */
function languageName({ locale, fallbackLocales }: LanguageView) {
  if (locale === null) return "no locale";
  return fallbackLocales.length === 0 ? locale : `${locale}, else ${fallbackLocales.join(", ")}`;
}

/** The language of a project, beside its name; null where no value differs by language. */
export function languageTag(language: LanguageView | null) {
  if (language === null) return null;
  return el("span.tag", { title: "Language" }, languageName(language));
}

/** Links to an entry as it is served in each language; null where there is only one. */
export function languageLinks(workspace: string, { id, languages, only }: EntryView) {
  if (languages.length < 2) return null;
  const link = (text: string, index: number | null) => {
    const [project] = index === null ? [] : (languages[index]?.projects ?? []);
    const href = viewHref([workspace, "entries", id], project ? { project: project.id } : {});
    return el("a", { href, "aria-current": only === index && "page" }, text);
  };
  const chosen = only === null ? undefined : languages[only];
  return [
    el(
      "nav.parts",
      { "aria-label": "Languages" },
      link("All languages", null),
      languages.map((language, index) => link(languageName(language), index)),
    ),
    chosen && el("p", `As served in ${listed(chosen.projects.map(({ name }) => name))}`),
  ];
}
