import { el } from "./element.js";
import { code, problemNotes } from "./parts.js";
import { viewHref } from "./router.js";
import { listed } from "./words.js";

/** @typedef {import("../field-views.ts").LocaleView} LocaleView */
/** @typedef {import("../field-views.ts").ValueView} ValueView */
/** @typedef {import("../page-languages.ts").LanguageView} LanguageView */
/** @typedef {import("./element.js").Child} Child */
/** @typedef {import("../../../workspace/problem-messages.ts").DescribedProblem} Problem */

/**
 * What is shown beside the fields: the problems of the same record, and the languages to which its
 * localized fields refer.
 *
 * @typedef {{ problems: readonly Problem[], languages: readonly LanguageView[] }} Beside
 */

/**
 * The locales of a localized field, each with its values and with the languages that have them.
 *
 * @param {readonly LocaleView[]} locales
 * @param {Beside} beside
 * @param {(values: readonly ValueView[]) => Child} shown
 */
export function localeList(locales, { problems, languages }, shown) {
  return el(
    "ul",
    { class: "locales" },
    locales.map((one) => {
      const { locale, path, isStored, values } = one;
      const here = problems.filter(({ at }) => at.path === path);
      return el(
        "li",
        { "data-key": path, "data-path": path, tabindex: -1 },
        el("p", { class: "locale" }, code(locale), el("span", {}, useText(one, languages))),
        isStored && el("div", { lang: locale }, shown(values)),
        problemNotes(here),
      );
    }),
  );
}

/**
 * What a locale's value is served for, besides the projects of the locale itself.
 *
 * @param {LocaleView} locale
 * @param {readonly LanguageView[]} languages
 */
function useText({ locale, isStored, servedIn, missingIn }, languages) {
  if (missingIn.length > 0) return "no value, and none of a fallback locale";
  if (!isStored) return "no value, so one of a fallback locale is served";
  if (servedIn.length === 0) return "not served in any project";
  const others = servedIn.map((index) => languages[index]?.locale ?? locale);
  const fallbacks = new Set(others.filter((other) => other !== locale));
  return fallbacks.size === 0 ? "" : `fallback of ${listed([...fallbacks])}`;
}

/**
 * "de-AT, else de, en".
 *
 * @param {LanguageView} language
 */
export function languageName({ locale, fallbackLocales }) {
  if (locale === null) return "no locale";
  return fallbackLocales.length === 0 ? locale : `${locale}, else ${fallbackLocales.join(", ")}`;
}

/**
 * The language of a project, beside its name; null where no value differs by language.
 *
 * @param {LanguageView | null} language
 */
export function languageTag(language) {
  if (language === null) return null;
  return el("span", { class: "tag", title: "Language" }, languageName(language));
}

/**
 * Links to an entry as it is served in each language; null where there is only one.
 *
 * @param {string} workspace
 * @param {import("../entry-view.ts").EntryView} entry
 */
export function languageLinks(workspace, { id, languages, only }) {
  if (languages.length < 2) return null;
  const link = (/** @type {string} */ text, /** @type {number | null} */ index) => {
    const [project] = index === null ? [] : (languages[index]?.projects ?? []);
    const href = viewHref([workspace, "entries", id], project ? { project: project.id } : {});
    return el("a", { href, "aria-current": only === index && "page" }, text);
  };
  const chosen = only === null ? undefined : languages[only];
  return [
    el(
      "nav",
      { class: "parts", "aria-label": "Languages" },
      link("All languages", null),
      languages.map((language, index) => link(languageName(language), index)),
    ),
    chosen && el("p", {}, `As served in ${listed(chosen.projects.map(({ name }) => name))}`),
  ];
}
